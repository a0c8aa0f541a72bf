"""C829: `program.output.codec`, the program's out has a tag."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C829",
    "output-codec",
    "program.output.codec",
    "The program's out has a tag.",
    "The result of a program is a value, not written in any codec.",
    bad='(text)out "done"\n',
    good='out "done"\n',
    hint="remove the tag",
)
