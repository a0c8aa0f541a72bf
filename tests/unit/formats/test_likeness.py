"""What a misspelt name probably means, and what it does not."""

import pytest

from circuit_export.formats.likeness import nearest


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("strat", ["start", "send"], "start"),
        ("txt", ["text", "words"], "text"),
        ("clasify", ["classify", "clarify"], "classify"),
        ("send_mail", ["send_email", "read_email"], "send_email"),
        ("step", ["steps", "trigger"], "steps"),
        ("mail_send", ["send_mail", "list_mail"], "send_mail"),
        ("drft", ["draft", "gate"], "draft"),
    ],
)
def test_a_near_name_is_meant(word: str, known: list[str], meant: str) -> None:
    assert nearest(word, known) == meant


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("later", ["gate", "send"]),
        ("check", ["cheese", "chalk"]),
        ("read", ["ready-to-send", "tread-on"]),
        ("x", ["y", "z"]),
        ("a" * 300, ["a" * 299]),
        ("word", []),
    ],
)
def test_a_name_that_is_only_a_little_alike_is_not(word: str, known: list[str]) -> None:
    assert nearest(word, known) is None
