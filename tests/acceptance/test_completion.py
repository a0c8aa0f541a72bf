"""What a shell offers, asked as the shells ask."""

from collections.abc import Iterator

import click
import pytest
from support.command import Circuit

from circuit_export.cli import COMMANDS, circuit

PLACES = {"SOURCE", "PATH", "FILE", "FOLDER", "BOARD", "ROOT", "RUN"}


def parameters(command: click.Command, name: str) -> Iterator[tuple[str, click.Command, click.Parameter]]:
    """Every parameter of a command and of the commands below it."""
    for inner, below in getattr(command, "commands", {}).items():
        yield from parameters(below, f"{name} {inner}")
    for parameter in command.params:
        yield name, command, parameter


def every_parameter() -> list[tuple[str, click.Command, click.Parameter]]:
    context = click.Context(circuit)
    found: list[tuple[str, click.Command, click.Parameter]] = []
    for name in COMMANDS:
        command = circuit.get_command(context, name)
        assert command is not None
        found += parameters(command, name)
    return found


def test_wherever_a_file_or_folder_is_meant_the_shell_offers_those_there_are() -> None:
    asked = 0
    for name, command, parameter in every_parameter():
        context = click.Context(command)
        words = set((parameter.metavar or parameter.make_metavar(context)).strip("[].").split("|"))
        if words & PLACES and "[" not in str(parameter.metavar)[1:]:
            asked += 1
            kinds = {item.type for item in parameter.shell_complete(context, "no-word-of-ours")}
            assert kinds <= {"file", "dir"} and kinds, f"{name} {parameter.name}"
    assert asked >= 10


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script(circuit: Circuit, shell: str) -> None:
    ended = circuit("completion", shell)
    assert ended.code == 0
    assert "_CIRCUIT_COMPLETE" in ended.text


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("circuit ex", ["plain,export", "plain,explain"]),
        ("circuit export --theme co", ["plain,copper"]),
        ("circuit export --theme ./my", ["dir,./my"]),
        ("circuit export lead", ["file,lead"]),
        ("circuit import lead.html -o kept", ["file,kept"]),
        ("circuit schema st", ["plain,steps"]),
        ("circuit explain c20", ["plain,C201"]),
    ],
)
def test_what_bash_is_offered(circuit: Circuit, words: str, offered: list[str]) -> None:
    count = len(words.split()) - 1
    asked = {"_CIRCUIT_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(count)}
    assert set(offered) <= set(circuit(env=asked).text.split())
