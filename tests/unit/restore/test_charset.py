"""Bytes become the text they were, whatever says or does not say their charset."""

import pytest

from circuit_export.restore.charset import decode, is_noise, well_formed

TEXT = '<html>{"name": "Grüße 漢字 🙂"}</html>'


@pytest.mark.parametrize(
    "charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
@pytest.mark.parametrize("declared", [None, "iso-8859-1", "utf-8", "nonsense", "base64", ""])
def test_unicode_is_told_by_itself(charset: str, declared: str | None) -> None:
    assert decode(TEXT.encode(charset), declared).text == TEXT


@pytest.mark.parametrize(
    ("charset", "text"),
    [("windows-1251", "Привет"), ("shift_jis", "日本語"), ("gb18030", "汉字"), ("iso-8859-15", "naïve €")],
)
def test_other_charsets_are_believed_when_they_are_named(charset: str, text: str) -> None:
    assert decode(text.encode(charset), charset).text == text
    page = f'<html><head><meta charset="{charset}"></head>{text}'
    assert decode(page.encode(charset)).text == page
    page = f'<META http-equiv=Content-Type content="text/html; CHARSET={charset}">{text}'
    assert decode(page.encode(charset)).text == page


def test_a_seven_bit_charset_is_believed_though_it_looks_like_ascii() -> None:
    assert decode("日本語".encode("iso2022_jp"), "iso-2022-jp").text == "日本語"


def test_latin_1_means_windows_1252_as_on_the_web() -> None:
    assert decode("“x” é".encode("cp1252"), "latin-1").text == "“x” é"


def test_a_guess_is_said() -> None:
    text, charset, notes = decode("é {}".encode("cp1252"))
    assert (text, charset) == ("é {}", "cp1252")
    assert "Windows-1252" in notes[0]


def test_a_text_cut_inside_a_character_stays_utf_8() -> None:
    text, charset, notes = decode(TEXT.encode()[:-11])
    assert text.startswith('<html>{"name": "Grüße 漢字')
    assert (charset, len(notes)) == ("utf-8", 1)


def test_surrogates_are_joined_or_replaced() -> None:
    assert well_formed("\ud83d\ude42") == ("🙂", False)
    assert well_formed("a\ud800b") == ("a�b", True)
    assert decode(b"\xed\xa0\xbd\xed\xb9\x82 x").text == "🙂 x"


def test_noise_is_told_from_text() -> None:
    assert is_noise(bytes(range(32)).decode() * 10)
    assert not is_noise("\x1f\x08\x08")
    assert not is_noise("a\tb\r\n\x0c\x1b[0m")
    assert not is_noise("")
