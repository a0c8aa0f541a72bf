"""C818: `program.codec`, an in or an out is written in a codec that there is not."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C818",
    "unknown-codec",
    "program.codec",
    "An in or an out is written in a codec that there is not.",
    "Codecs are json, jsonl, text and bytes, in small letters.",
    bad=('greet source="echo" { (txt)out $greeting }\nout ?greeting\n'),
    good=('greet source="echo" { (text)out $greeting }\nout $greeting\n'),
)
