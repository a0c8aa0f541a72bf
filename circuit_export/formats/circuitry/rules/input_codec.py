"""C826: `program.input.codec`, the program's in has a tag."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C826",
    "input-codec",
    "program.input.codec",
    "The program's in has a tag.",
    "The input of a program is a value, not written in any codec.",
    bad=("(json)in { name $name }\nout ?name\n"),
    good=("in { name $name }\nout $name\n"),
    hint="remove the tag",
)
