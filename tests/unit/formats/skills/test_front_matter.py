"""What our own reader of front matter does beyond the application's."""

import pytest

from circuit_export.formats.skills.front_matter import read_card, split


def description(block: str) -> str:
    return read_card(f"---\nname: x\n{block}\n---\nbody\n", "folder").description


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("description: >\n  first\n  second\n\n  third", "first second\nthird"),
        ("description: >-\n  first\n  second", "first second"),
        ("description: |\n  first\n    second", "first\n  second"),
        ("description: |+\n  first\n\n", "first\n\n"),
        ("description: first\n  second\n\tthird", "first second third"),
        ('description: "a \\"q\\" b\\n\\u00e9"', 'a "q" b\né'),
        ("description: 'it''s'", "it's"),
        ("description: plain # kept", "plain # kept"),
        ("description:\n  en: English\n  de: Deutsch", ""),
        ("description:\n  - one\n  - two", ""),
        ("description: one\ndescription: two", "two"),
        ("description: >\nnote: y", ""),
    ],
)
def test_values(block: str, expected: str) -> None:
    assert description(block) == expected


def test_a_byte_order_mark_is_skipped() -> None:
    card = read_card("\ufeff---\nname: B\n---\n# Head\n", "folder")
    assert (card.name, card.has_front_matter) == ("B", True)


def test_an_empty_name_counts_as_none() -> None:
    assert read_card("---\nname:\n---\n# Head\n", "folder").name == "Head"
    assert read_card("---\nname: ''\n---\nbody\n", "folder").name == "folder"


def test_the_block_and_the_body() -> None:
    assert split("---\r\nname: x\r\n---\r\nbody") == ("name: x\r\n", "\nbody")
    assert split("no block") == (None, "no block")


@pytest.mark.parametrize(
    ("text", "label", "placeholder"),
    [
        ("---\nargument-hint: [--all]\n---\n", "Arguments", "[--all]"),
        ("---\nargument-hint: ticket [--all]\n---\n", "ticket", "ticket [--all]"),
        ("Use `$ARGUMENTS`.\nGive $ARGUMENTS as: the ticket\n", "the ticket", "the ticket"),
    ],
)
def test_hints(text: str, label: str, placeholder: str) -> None:
    (hint,) = read_card(text, "folder").hints
    assert (hint.label, hint.placeholder) == (label, placeholder)


@pytest.mark.parametrize(
    "text",
    [
        "# a" + " " * 500_000 + "b",
        "---\n" + "a:\n" * 200_000,
        "<" * 500_000 + "$ARGUMENTS",
        "`" * 500_001 + "$ARGUMENTS",
        "---\n" + "---x\n" * 200_000,
        "$ARGUMENTS\n" * 50_000,
        "---\nd: >\n" + "  w\n\n" * 100_000 + "---\n",
    ],
)
def test_hostile_texts_are_read_in_one_go(text: str) -> None:
    assert read_card(text, "folder").name
