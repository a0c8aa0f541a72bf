"""C812: `program.call.property`, a call has a second property, or its source twice."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C812",
    "call-property",
    "program.call.property",
    "A call has a second property, or its source twice.",
    "The source is the only one; arguments have no names.",
    bad=('greet source="echo" name="Ada" { (text)out $greeting }\nout $greeting\n'),
    good=('greet source="echo" "Ada" { (text)out $greeting }\nout $greeting\n'),
    hint="write it as an argument, without a name",
)
