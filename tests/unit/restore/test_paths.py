"""A document that rides in a page is written below its folder or not at all, on every platform."""

import pytest

from circuit_export.restore.paths import refusal, unfit


@pytest.mark.parametrize(
    "path", ["a.json", "flows/enrich.json", "ümläut/漢字.kdl", "a b/c-d_e.json", ".hidden/x", "console.json"]
)
def test_relative_paths_are_fine(path: str) -> None:
    assert refusal(path) == ""


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "//server/share",
        "../x",
        "a/../b",
        "a/..",
        "./a",
        "a//b",
        "a/",
        "C:/x",
        "c:x",
        "a\\b",
        "\\\\s\\x",
        "~/x",
        "CON",
        "con.json",
        "a/NUL",
        "a/aux.txt/b",
        "COM1",
        "lpt9.json",
        "COM¹",
        "CONIN$",
        "a\0b",
        "a\nb",
        "a\x7fb",
        "a.json ",
        " a",
        "a./b",
        "a.json.",
        "a?b",
        "a*b",
        "a<b",
        'a"b',
        "a|b",
        "x" * 1001,
        "a:stream",
        "con .json",
        "\u202egpj.kdl",
        "a\u2028b.kdl",
        "a\x85b.kdl",
        "a/" + "ä" * 130 + ".kdl",
    ],
)
def test_all_others_are_refused_with_a_reason(path: str) -> None:
    assert refusal(path)


@pytest.mark.parametrize("path", [".bashrc", ".git/hooks/pre-commit", ".claude/settings.json", "a/.envrc", "../x.kdl"])
def test_what_is_hidden_is_brought_by_no_page(path: str) -> None:
    assert unfit(path)


def test_what_is_not_hidden_may_be_brought() -> None:
    assert unfit("parts/inner.v2.kdl") == ""
