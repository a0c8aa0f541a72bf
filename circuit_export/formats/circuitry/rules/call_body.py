"""C819: `program.call`, the value of a call's in, out or error cannot be made out."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C819",
    "call-body",
    "program.call",
    "The value of a call's in, out or error cannot be made out.",
    "It is a scalar, a list or an object, never two of these at once, and every field has a value.",
    bad=('greet source="" { in "Ada" name="Ada"; out $greeting }\nout ?greeting\n'),
    good=('greet source="" { in name="Ada"; out $greeting }\nout $greeting\n'),
)
