"""C821: `program.pattern.section`, a pattern names a section."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C821",
    "pattern-section",
    "program.pattern.section",
    "A pattern names a section.",
    "Patterns say what a value must be, and sections are texts for expressions.",
    bad=('---\nin { task "@Task" }\nout "@Task"\n---\n# Task\nSum it up.\n'),
    good=('---\nin { task $task }\nout "@Task: $task"\n---\n# Task\nSum it up.\n'),
    hint="write the text itself",
)
