"""C811: `program.call.source`, a call says no source."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C811",
    "call-source-missing",
    "program.call.source",
    "A call says no source.",
    "A node at the root that is not in, out or circuitry is a call; without a source nothing says what it runs.",
    bad=("greet { out $greeting }\nout ?greeting\n"),
    good=('greet source="" { out $greeting }\nout $greeting\n'),
    hint='write what it runs as source="…"; source="" hands its input on',
)
