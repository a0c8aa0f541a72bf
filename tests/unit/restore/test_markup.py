"""Character references: decoded as HTML means them, however many and however long they are."""

import html
import random

import pytest

from circuit_export.restore import markup

PIECES = (
    *("&amp;", "&quot;", "&lt;", "&gt;", "&#39;", "&nbsp;", "&amp", "&lt", "&not", "&notin;", "&NotEqualTilde;"),
    *("&", "&#3", "&#x3", "9", ";", "'", '"', "<", ">", "a", "quot;", "#39;", "amp;", "&#38;", "&#x26;", "t;"),
)


def test_the_short_way_for_the_usual_ones_gives_what_the_library_gives() -> None:
    """Without numbers below 32 and noncharacters, which the library drops and a browser shows."""
    choose = random.Random(7)
    for _ in range(20_000):
        text = "".join(choose.choice(PIECES) for _ in range(choose.randint(1, 8)))
        if "&#3" not in text and "&#x3" not in text:
            assert markup.decode(text) == html.unescape(text), text


@pytest.mark.parametrize(
    ("reference", "char"),
    [
        ("&#" + "0" * 5_000 + "65;", "A"),
        ("&#x" + "0" * 5_000 + "41", "A"),
        ("&#" + "1" * 5_000 + ";", "\ufffd"),
        ("&#x" + "1" * 50_000 + ";", "\ufffd"),
        ("&amp;#" + "1" * 5_000 + ";", "&#" + "1" * 5_000 + ";"),
    ],
)
def test_a_number_of_any_length(reference: str, char: str) -> None:
    assert markup.decode(f"<{reference}>") == f"<{char}>"
    assert markup.decode_literally(f"<{reference}>") == f"<{char}>"
