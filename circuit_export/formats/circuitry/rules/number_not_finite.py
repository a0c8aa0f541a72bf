"""C804: `value.number`, a number is infinite, none, or too large for a double."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C804",
    "number-not-finite",
    "value.number",
    "A number is infinite, none, or too large for a double.",
    "No value of a program can be such a number.",
    bad="out 1e999\n",
    good="out 1e99\n",
    hint="write it as a text",
)
