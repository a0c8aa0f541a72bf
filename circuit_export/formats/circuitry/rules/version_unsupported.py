"""C806: `program.version.unsupported`, the version of the language is not the one that is known."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C806",
    "version-unsupported",
    "program.version.unsupported",
    "The version of the language is not the one that is known.",
    "What another version means is not known, so the program cannot run.",
    bad=('circuitry "0.11"\nout 1\n'),
    good=('circuitry "0.12"\nout 1\n'),
    hint='write circuitry "0.12"',
)
