"""C814: `program.call.child`, a call has a block that is not in, out or error."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C814",
    "call-child",
    "program.call.child",
    "A call has a block that is not in, out or error.",
    "It would mean nothing, so it is most likely a misspelt one.",
    bad=('greet source="" { input 1; out $greeting }\nout $greeting\n'),
    good=('greet source="" { in 1; out $greeting }\nout $greeting\n'),
    hint="it is in, out or error",
)
