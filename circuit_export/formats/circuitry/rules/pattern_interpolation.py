"""C820: `program.pattern.interpolation`, a pattern has a name inside a longer text."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C820",
    "pattern-interpolation",
    "program.pattern.interpolation",
    "A pattern has a name inside a longer text.",
    "A pattern takes values apart; a capture is a whole value, so it stands alone.",
    bad=('in { name "Dear $name" }\nout ?name\n'),
    good=("in { name $name }\nout $name\n"),
    hint="capture the whole text",
)
