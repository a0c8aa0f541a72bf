"""Anchors: names of ASCII characters, readable where that can be, and each its own."""

import re

import pytest

from circuit_export.board.anchors import carried, slug, slugs


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("draft", "draft"),
        ("Draft_2.b-c", "Draft_2.b-c"),
        ("send the mail", "send-the-mail"),
        ("  a  b  ", "a-b"),
        ("größe", "grosse"),
        ("Café Ñandú", "Cafe-Nandu"),
        ("Ærø", "AEro"),
        ("", "unnamed"),
    ],
)
def test_a_name_is_readable_where_it_can_be(text: str, name: str) -> None:
    assert slug(text) == name


@pytest.mark.parametrize("text", ["送信", "בדיקה", "send 送信", "!!!", " ", "\ud800", "a/送/b", "\u0301"])
def test_a_name_is_of_plain_characters_and_stable(text: str) -> None:
    assert re.fullmatch("[A-Za-z0-9._-]+", slug(text))
    assert slug(text) == slug(text)


def test_texts_of_one_script_have_names_of_their_own() -> None:
    assert slug("送信") != slug("受信")
    assert slug("a 送信") != slug("a 受信")


def test_names_that_are_taken_get_the_next_number() -> None:
    assert slugs(["a", "a", "a b", "a-b", "a", "a-2"]) == ("a", "a-2", "a-b", "a-b-2", "a-3", "a-2-2")


def test_many_equal_texts_take_no_long_search() -> None:
    names = slugs(["same"] * 20_000)
    assert len(set(names)) == 20_000
    assert names[-1] == "same-20000"


def test_what_no_page_carries_is_replaced() -> None:
    assert carried("a\ud800b\0c") == "a\ufffdb\ufffdc"
    assert carried("plain ünïcödé") == "plain ünïcödé"
