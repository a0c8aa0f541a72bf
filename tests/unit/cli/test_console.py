"""What a command says cannot command the terminal."""

import pytest

from circuit_export.cli.console import Console, printable, wants_colour


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert printable("a\x1b[31mb\x07\x9b2Jc\x7f\n\td") == "a�[31mb��2Jc�\n\td"


def test_bidirectional_overrides_do_not_either() -> None:
    assert printable("a\u202eb\u2067") == "a�b�"


def test_our_own_colours_are_ours_alone(capsys: pytest.CaptureFixture[str]) -> None:
    Console(colour=True).warn("\x1b[31mred\x07")
    assert capsys.readouterr().err == "\x1b[33m\x1b[1mwarning\x1b[0m: �[31mred�\n"


@pytest.mark.parametrize(("choice", "expected"), [("always", True), ("never", False), ("auto", False)])
def test_colour(monkeypatch: pytest.MonkeyPatch, choice: str, expected: bool) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert wants_colour(choice) is expected
