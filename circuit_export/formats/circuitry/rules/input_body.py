"""C827: `program.input`, the pattern of the program's in cannot be made out."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C827",
    "input-body",
    "program.input",
    "The pattern of the program's in cannot be made out.",
    "It is a scalar, a list or an object, never two of these at once, and every field has a value.",
    bad=('in "Ada" { name $name }\nout ?name\n'),
    good=("in { name $name }\nout $name\n"),
)
