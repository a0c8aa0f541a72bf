"""C803: `program.section.missing`, a section is named that the document does not have."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C803",
    "section-missing",
    "program.section.missing",
    "A section is named that the document does not have.",
    "What the text should be is not known. An address with an @ in it is read as a section too.",
    bad=('---\nout "@Tsak"\n---\n# Task\nSum it up.\n'),
    good=('---\nout "@Task"\n---\n# Task\nSum it up.\n'),
    hint="write ?@ where the text may be missing; take a literal @ from a section or from the input",
)
