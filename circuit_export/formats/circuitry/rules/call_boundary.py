"""C815: `program.call.boundary`, a call has no out, or more than one in, out or error."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C815",
    "call-boundary",
    "program.call.boundary",
    "A call has no out, or more than one in, out or error.",
    "A call takes one input and gives one output.",
    bad=('greet source="" { in 1 }\nout 1\n'),
    good=('greet source="" { in 1; out $greeting }\nout $greeting\n'),
    hint="write one of each; an empty out takes any object",
)
