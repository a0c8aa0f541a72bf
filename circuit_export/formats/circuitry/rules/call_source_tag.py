"""C813: `program.call.source-tag`, the source of a call has a tag that it cannot have."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C813",
    "call-source-tag",
    "program.call.source-tag",
    "The source of a call has a tag that it cannot have.",
    "The only one is (circuitry), for a source that is itself a program.",
    bad=('greet source=(text)"" { out $greeting }\nout $greeting\n'),
    good=('greet source="" { out $greeting }\nout $greeting\n'),
    hint="remove it",
)
