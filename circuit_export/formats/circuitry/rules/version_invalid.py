"""C807: `program.version.invalid`, the node that names the version holds something else."""

from circuit_export.formats.circuitry.rules.compiled import compiled

RULE = compiled(
    "C807",
    "version-invalid",
    "program.version.invalid",
    "The node that names the version holds something else.",
    "It takes one text and nothing more, no block either.",
    bad=('circuitry "0.12" {}\nout 1\n'),
    good=('circuitry "0.12"\nout 1\n'),
    hint='write circuitry "0.12" and nothing behind it',
)
