"""What is a letter does not change with the Python: characters of any age are told apart by tables that stand still."""

import unicodedata

import pytest

from circuit_export.formats.letters import small, spaced
from circuit_export.formats.likeness import plain


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a-b.c d_e", "a b c d_e"),
        ("a—b、c\u00a0d\u0085e", "a b c d e"),
        ("सूची", "सूची"),
        ("e\u0301", "e\u0301"),
        ("x\U0001e030y", "x\U0001e030y"),
    ],
)
def test_gaps_are_blanks(text: str, words: str) -> None:
    assert spaced(text) == words


def test_small_letters() -> None:
    assert small("GMAIL Éß Σ") == "gmail éss σ"


def test_a_plain_name_has_only_its_letters_and_digits() -> None:
    assert plain("Google_Calendar: list-Events 2") == "googlecalendarlistevents2"
    assert plain("Éa—b") == "éab"


def test_what_came_after_the_old_tables_is_a_letter_without_a_case() -> None:
    every = [chr(code) for code in range(0x110000) if unicodedata.ucd_3_2_0.category(chr(code)) == "Cn"]
    assert all(spaced(character) == small(character) == character for character in every)
