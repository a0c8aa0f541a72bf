"""C816: `program.call.error-codec`, the error of a call has a tag."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C816",
    "call-error-codec",
    "program.call.error-codec",
    "The error of a call has a tag.",
    "A failure is always a value of the same kind, so it is not written in any codec.",
    bad=('greet source="false" { (text)out $greeting; (json)error }\nout ?greeting\n'),
    good=('greet source="false" { (text)out $greeting; error }\nout ?greeting\n'),
    hint="remove the tag",
)
