"""Text fitted without a browser: widths, cuts, lines and what is cleaned away."""

import hashlib
import json
import sys

import pytest

from circuit_export.board.text_fit import Face, clean, fit_line, fit_lines, graphemes, width

TITLE = Face("sans", "semibold", 13)
SUMMARY = Face("sans", "regular", 11)
VERB = Face("mono", "semibold", 9, 0.8)
FAMILY = "👨\u200d👩\u200d👧\u200d👦"

CORPUS = [
    "Draft a reply in her voice, and send it once somebody has agreed",
    "Gmail:search_threads",
    "https://example.com/a/very/long/path-without-blanks?and=a_query",
    "Prüfe die Beiträge der Kund:innen – „größer“ als 5 €",
    "Вход для клиентов и поставщиков",
    "Καλημέρα κόσμε",
    "日本語の長い文章は、どこでも折り返せます。「ただし」句読点の前は除きます。",
    "한국어 문장은 띄어쓰기에서 나뉩니다",
    "بريد العملاء الجدد يُفرز كل صباح",
    "דואר של לקוחות חדשים",
    "नमस्ते दुनिया, यह एक लंबा वाक्य है",
    "ภาษาไทยไม่มีช่องว่างระหว่างคำ",
    f"{FAMILY}{FAMILY} 🇩🇪🇫🇷 1\ufe0f\u20e3 👍🏽",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ",
    "a\ud800b\udfffc\ue000\ufdd0\U0010ffff\U000e0041",
    "𝒜𝓁𝓅𝒽𝒶 ﷽ ⸻ ꧅",
    "\u0600\u0d4e\u1100\u1161\u11a8\ua960\ud7b0",
]


def test_widths_are_upper_bounds_of_known_advances() -> None:
    # DejaVu Sans Bold, which is the widest of the usual ones: "W" is 1.103 em and "i" 0.343.
    assert width("W", Face("sans", "semibold", 100)) >= 110.3
    assert width("i", Face("sans", "semibold", 100)) >= 34.3
    # Any monospaced font's digit; a full-width ideograph is one em.
    assert 60.2 <= width("0", Face("mono", "regular", 100)) <= 66
    assert 100 <= width("漢", Face("sans", "regular", 100)) <= 101


def test_width_grows_with_size_and_spacing() -> None:
    assert width("ab", Face("sans", "regular", 20)) == pytest.approx(
        2 * width("ab", Face("sans", "regular", 10)), abs=0.1
    )
    spaced = width("ab", Face("sans", "regular", 10, 1.5)) - width("ab", Face("sans", "regular", 10))
    assert spaced == pytest.approx(3.0)
    assert width("ab", Face("sans", "regular", 10, -1)) == width("ab", Face("sans", "regular", 10))
    assert width("", TITLE) == 0


@pytest.mark.parametrize("invisible", ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u200f", "\U000e0061"])
def test_what_is_never_shown_has_no_width(invisible: str) -> None:
    assert width(f"a{invisible}b", SUMMARY) == width("ab", SUMMARY)


def test_a_mark_takes_no_room_on_its_letter_and_some_on_nothing() -> None:
    assert width("e\u0301", SUMMARY) == width("e", SUMMARY)
    assert width("\u0301", SUMMARY) >= 0.6 * 11
    assert width("a\u093f", SUMMARY) > width("a", SUMMARY) + 0.6 * 11


def test_joined_letters_are_narrower_than_letters_alone() -> None:
    assert width("ببب", SUMMARY) < 0.8 * 3 * width("ب", SUMMARY)
    assert width("ب\u200cب", SUMMARY) > width("بب", SUMMARY)
    assert width("دب", SUMMARY) == pytest.approx(width("د", SUMMARY) + width("ب", SUMMARY), abs=0.1)


def test_a_word_cut_after_a_joined_letter_still_fits() -> None:
    word = "ب" * 30
    for room in range(20, 120):
        line = fit_line(word, SUMMARY, room)
        assert width(line, SUMMARY) <= room
        assert all(width(part, SUMMARY) <= room for part in fit_lines(word, SUMMARY, room, 3))


def test_jamo_take_a_syllables_room() -> None:
    assert width("\u1100\u1161\u11a8", SUMMARY) < 1.2 * 11
    assert width("\uac00\u11a8", SUMMARY) == width("\uac01", SUMMARY)
    assert width("\ua960\ud7b0", SUMMARY) > 1.8 * 11


def test_emoji_style_makes_a_character_as_wide_as_an_emoji() -> None:
    assert width("1\ufe0f", SUMMARY) >= 1.4 * 11
    assert width("❤\ufe0f", SUMMARY) >= 1.4 * 11


def test_a_line_that_fits_stays() -> None:
    text = "Draft a reply"
    assert fit_line(text, TITLE, width(text, TITLE)) == text
    assert fit_lines(text, TITLE, width(text, TITLE), 2) == (text,)


def test_a_line_is_cut_at_a_grapheme() -> None:
    text = f"{FAMILY}{FAMILY}{FAMILY}"
    room = width(f"{FAMILY}{FAMILY}…", TITLE)
    assert fit_line(text, TITLE, room) == f"{FAMILY}{FAMILY}…"
    assert fit_line(text, TITLE, room - 0.5) == f"{FAMILY}…"


def test_blanks_before_the_ellipsis_are_left_out() -> None:
    assert fit_line("ab cdefgh", TITLE, width("ab …", TITLE)) == "ab…"


def test_without_room_there_is_an_ellipsis() -> None:
    assert fit_line("abc", TITLE, 1) == "…"
    assert fit_line("abc", TITLE, -5) == "…"
    assert fit_lines("abc def", TITLE, 1, 3) == ("…",)
    assert fit_line("", TITLE, -5) == ""


def test_words_wrap_and_the_last_line_tells_that_there_is_more() -> None:
    assert fit_lines("Draft a reply in her voice and send it now", TITLE, 150, 2) == (
        "Draft a reply in her",
        "voice and send it…",
    )
    assert fit_lines("Draft a reply in her voice", TITLE, 150, 2) == ("Draft a reply in her", "voice")
    assert fit_lines("Draft a reply", TITLE, 150, 0) == ()
    assert fit_lines("", TITLE, 150, 2) == ()


def test_long_words_break_inside() -> None:
    lines = fit_lines("x" * 30, TITLE, 100, 9)
    assert "".join(lines) == "x" * 30
    assert len(lines) > 2


def test_a_word_is_not_broken_when_it_fits_on_the_next_line() -> None:
    lines = fit_lines("a Donaudampfschiff", TITLE, width("Donaudampfschiff", TITLE), 2)
    assert lines == ("a", "Donaudampfschiff")


def test_lines_break_after_hyphens_and_slashes() -> None:
    room = width("follow-up ", TITLE)
    assert fit_lines("follow-upness", TITLE, room, 2) == ("follow-", "upness")
    assert fit_lines("paths/and on", TITLE, width("paths/an", TITLE), 2) == ("paths/", "and on")


def test_a_no_break_space_holds() -> None:
    assert fit_lines("aaa b\u00a0c", TITLE, width("aaa b", TITLE), 2) == ("aaa", "b\u00a0c")


def test_ideographs_break_anywhere_but_before_closing_punctuation() -> None:
    room = width("漢字仮名", TITLE)
    assert fit_lines("漢字仮名交文", TITLE, room, 2) == ("漢字仮名", "交文")
    assert fit_lines("漢字仮名、交文", TITLE, room, 2) == ("漢字仮", "名、交文")
    assert fit_lines("漢字仮「交文」", TITLE, room, 3) == ("漢字仮", "「交文」")


def test_no_line_starts_with_a_full_stop() -> None:
    word = "x" * 8
    assert fit_lines(f"{word}.", TITLE, width(word, TITLE), 2) == ("x" * 7, "x.")
    assert fit_lines("mot mot !", TITLE, width("mot mot", TITLE), 2) == ("mot", "mot !")
    assert fit_lines("edit .env", TITLE, width("edit .", TITLE), 2) == ("edit", ".env")


def test_many_blanks_do_not_hide_that_there_is_more() -> None:
    lines = fit_lines("a" + " " * 5000 + "b" * 100, TITLE, 60, 2)
    assert lines[0] == "a"
    assert lines[1].endswith("…")


def test_blanks_alone_are_no_line() -> None:
    assert fit_lines(" " * 100, TITLE, 50, 2) == ()
    assert fit_lines("   aa bb", TITLE, width("bb", TITLE), 2) == ("aa", "bb")


@pytest.mark.parametrize("gap", ["\u200b", "\u0301", "!", "\u0600", "\u1100", "\u200d", "क\u094d", "👩\u200d", "🇩"])
def test_hostile_texts_take_no_longer_than_others(gap: str) -> None:
    # Quadratic work on these would take minutes.
    for text in (gap * 100_000, "a" + gap * 100_000 + "!", ("a" + gap) * 50_000, gap * 50_000 + " " + gap * 50_000):
        assert len(fit_lines(text, TITLE, 150, 3)) <= 3
        assert "".join(graphemes(text)) == text


def test_a_very_long_text_is_cut() -> None:
    for text in ("word " * 200_000, "\u200b" * 100_000 + "漢" * 100_000, "e\u0301" * 100_000):
        assert fit_line(text, TITLE, 150).endswith("…")
        assert len(fit_lines(text, TITLE, 150, 2)) == 2


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Draft a reply", "Draft a reply"),
        ("  two\n\nlines\tand  blanks ", "two lines and blanks"),
        ("a\u2028b\u2029c\x85d\x1fe", "a b c d e"),
        ("nul\x00 bell\x07 del\x7f c1\x9b", "nul\ufffd bell\ufffd del\ufffd c1\ufffd"),
        ("\ud800 alone \udfff", "\ufffd alone \ufffd"),
        ("non\ufdd0char\U0001ffff", "non\ufffdchar\ufffd"),
        ("safe\u202egnp.exe\u202c", "safegnp.exe"),
        ("\u2067isolate\u2069 and \u202aembed", "isolate and embed"),
        ("\u200fשלום\u200e", "\u200fשלום\u200e"),
        ("\u3000全角\u3000空白\u3000", "全角\u3000空白"),
        ("10\u00a0€\u00a0", "10\u00a0€"),
        (FAMILY, FAMILY),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_clean(given: str, shown: str) -> None:
    assert clean(given) == shown


def test_the_same_on_every_python() -> None:
    """One digest of everything fitted: it may only change with the tables or the rules, never with the Python."""
    faces = (TITLE, SUMMARY, VERB, Face("mono", "regular", 10.5))
    result = [
        [
            clean(text),
            graphemes(text),
            [[width(text, face), fit_line(text, face, 97), fit_lines(text, face, 61.5, 3)] for face in faces],
        ]
        for text in CORPUS
    ]
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    large = [Face(name, weight, 1000) for name in ("sans", "mono") for weight in ("regular", "semibold")]
    sums = [sum(int(width(char, face)) for char in every[:0x21000:7]) for face in large]
    digest = hashlib.sha256(json.dumps([result, sums, len(graphemes(every))]).encode()).hexdigest()
    assert digest == "35e84550e0522c709e76e26c48ebbebf4d67b10b31202037be671d3a9457fb9a"
