"""However a command ends, it is an exit code and at most one readable block."""

import click
import pytest

from circuit_export.cli.running import run


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (PermissionError(13, "Permission denied", "/secret/b.json"), "/secret/b.json: The system refused: Permission"),
        (OSError(28, "No space left on device", "b.html"), "b.html: The system refused: No space left"),
        (OSError("strange"), "a fault in circuit-export"),
        (KeyError("a"), "a fault in circuit-export"),
    ],
)
def test_what_the_system_refuses_is_no_fault_of_ours(
    fault: Exception, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def command() -> None:
        raise fault

    assert run(command, []) == 1
    said = capsys.readouterr().err
    assert says in said
    assert "Traceback" not in said
