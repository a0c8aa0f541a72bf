"""What is typed in a pipe, line by line."""

import io
from types import SimpleNamespace

import pytest

from circuit_export.cli.console import Console
from circuit_export.cli.dialogue import Dialogue


def dialogue(monkeypatch: pytest.MonkeyPatch, typed: bytes) -> Dialogue:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(typed), isatty=lambda: False))
    return Dialogue(Console())


@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        (b"one\ntwo\n", ["one", "two", None]),
        (b"one\r\n\r\nthree", ["one", "", "three", None]),
        (b"\xef\xbb\xbfone\n", ["one", None]),
        (b'{"a":\n1}\nnext\n', ['{"a":\n1}', "next", None]),
        (b'["a\nb"]\n', ['["a\nb"]', None]),
        (b'{"a": 1\n\nnext\n', ['{"a": 1', "next", None]),
        (b"{nonsense}\nnext\n", ["{nonsense}", "next", None]),
        (b'{"a": 1} and more\nnext\n', ['{"a": 1} and more', "next", None]),
        (b"\xff\n", ["\ufffd", None]),
    ],
)
def test_an_answer_is_a_line_or_all_of_a_json_value(
    monkeypatch: pytest.MonkeyPatch, typed: bytes, answers: list[str | None]
) -> None:
    asked = dialogue(monkeypatch, typed)
    found = [asked.answer()]
    while found[-1] is not None:
        found.append(asked.answer())
    assert found == answers


def test_what_a_terminal_would_obey_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dialogue(monkeypatch, b"").show("a\x1b[2Jb\nc")
    assert capsys.readouterr().out == "a\ufffd[2Jb\nc\n"


def test_what_is_shown_leaves_stdout_alone_when_it_is_for_something_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    asked = Dialogue(Console(), beside=True)
    asked.show("hello")
    assert asked.answer() is None
    assert capsys.readouterr() == ("", "hello\n")
