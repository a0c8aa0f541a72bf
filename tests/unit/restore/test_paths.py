"""A document that rides in a page is written below its folder or not at all, on every platform."""

import pytest

from circuit_export.restore.paths import refusal


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
    ],
)
def test_all_others_are_refused_with_a_reason(path: str) -> None:
    assert refusal(path)
