"""C805: `program.version.duplicate`, the version of the language is named twice."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C805",
    "version-duplicate",
    "program.version.duplicate",
    "The version of the language is named twice.",
    "One program is in one version.",
    bad=('circuitry "0.12"\ncircuitry "0.12"\nout 1\n'),
    good=('circuitry "0.12"\nout 1\n'),
    hint="remove the second one",
)
