"""C825: `program.input.duplicate`, the program has more than one in."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C825",
    "input-duplicate",
    "program.input.duplicate",
    "The program has more than one in.",
    "It takes one input.",
    bad=("in { name $name }\nin { age $age }\nout $name\n"),
    good=("in { name $name; age $age }\nout { name $name; age $age }\n"),
    hint="make them one",
)
