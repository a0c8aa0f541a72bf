"""C817: `program.call.duplicate`, two calls have one name."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C817",
    "call-duplicate",
    "program.call.duplicate",
    "Two calls have one name.",
    "Traces and scenarios name calls, so each needs a name of its own.",
    bad=('greet source="" { in 1; out $one }\ngreet source="" { in 2; out $two }\nout $one ?two\n'),
    good=('greet source="" { in 1; out $one }\nanswer source="" { in 2; out $two }\nout $one $two\n'),
    hint="give one of them another name",
)
