"""C810: `program.call.tag`, a call carries a tag."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C810",
    "call-tag",
    "program.call.tag",
    "A call carries a tag.",
    "Tags say how inputs and outputs are written, and that a source is generated; a call itself has none.",
    bad=('(text)greet source="" { out $greeting }\nout $greeting\n'),
    good=('greet source="" { (text)out $greeting }\nout $greeting\n'),
    hint="put the tag on its in or its out",
)
