"""Extended grapheme clusters, rule by rule (UAX #29), from our own tables."""

import pytest

from circuit_export.board import glyph_widths
from circuit_export.board.graphemes import graphemes

# Each text is written with "|" where it divides.
DIVIDED = [
    "a|b|c",
    "\r\n|a",
    "\n|\r|a",
    "a|\r\n|b",
    "e\u0301|a",
    "\n|\u0301|a",
    "\u0301|a",
    "\u1100\u1161\u11a8|\u1100",
    "\uac00\u11a8|\uac01\u11a8|\uac00\u1161",
    "\uac01|\u1161",
    "\u1100\u1100\uac00",
    "🇩🇪|🇫🇷|🇮",
    "a|🇩🇪|b",
    "👨\u200d👩\u200d👧|👦",
    "👍🏽|👍",
    "❤\ufe0f\u200d🔥|a",
    "a\u200d|🔥",
    "🏴\U000e0067\U000e0062\U000e007f|🏴",
    "1\ufe0f\u20e3|2",
    "क\u094dष|क",
    "क\u094d\u200dष",
    "क\u093f|ष",
    "\u0600a|b",
    "ก\u0e33|ก",
    "\u200b|a|\u00ad|b",
    "あ|\ud800|い",
    "x|\U0010ffff|\ue000",
]


@pytest.mark.parametrize("divided", DIVIDED)
def test_a_text_divides_where_it_should(divided: str) -> None:
    parts = divided.split("|")
    assert graphemes("".join(parts)) == parts


def test_the_empty_text_has_none() -> None:
    assert graphemes("") == []


def test_the_unicode_version_is_pinned() -> None:
    assert glyph_widths.UNICODE == "17.0.0"
