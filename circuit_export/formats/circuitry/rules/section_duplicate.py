"""C802: `program.section.duplicate`, two sections of a Markdown program have one name."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C802",
    "section-duplicate",
    "program.section.duplicate",
    "Two sections of a Markdown program have one name.",
    "A text is named by its heading; with two of them nothing says which is meant, so none counts.",
    bad=('---\nout "?@Task"\n---\n# Task\nSum it up.\n\n## Task\nOr not.\n'),
    good=('---\nout "@Task"\n---\n# Task\nSum it up.\n'),
    hint="give one of them another name",
)
