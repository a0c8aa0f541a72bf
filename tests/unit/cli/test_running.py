"""However a command ends, it is an exit code and at most one readable block."""

import click
import pytest

from circuit_export.cli import circuit
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


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["export"], "error: Missing argument 'SOURCE...'\n  try: circuit export --help\n"),
        (["exprot"], "error: There is no command “exprot”. Did you mean “export”?\n  try: circuit --help\n"),
        (["export", "a", "--themee", "x"], "error: No such option '--themee'. Did you mean '--theme'?\n"),
        (["export", "a", "--format", "pdf"], "error: Invalid value for '--format': 'pdf' is not one of"),
        (["scenarios", "sugest"], "error: No such command 'sugest'"),
    ],
)
def test_wrong_usage_is_one_block_too(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(circuit, arguments) == 2
    said = capsys.readouterr()
    assert said.err.startswith(says)
    assert said.err.count("\n") == 2
    assert said.out == ""


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(circuit, []) == 2
    assert "Commands:" in "".join(capsys.readouterr())
