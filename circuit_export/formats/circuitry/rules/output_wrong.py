"""C828: `program.output`, the program has no out, more than one, or one whose value cannot be made out."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C828",
    "output-wrong",
    "program.output",
    "The program has no out, more than one, or one whose value cannot be made out.",
    "The out says what the result of the program is; there is exactly one.",
    bad='greet source="" { in 1; out $greeting }\n',
    good=('greet source="" { in 1; out $greeting }\nout $greeting\n'),
    hint="write out and what the result is",
)
