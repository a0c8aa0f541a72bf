"""Themes: those that come along are complete and legible, and a broken one says what is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from circuit_export import resources
from circuit_export.board.theme import (
    COLOURS,
    LARGEST,
    PAIRS,
    SIZES,
    Theme,
    compact,
    contrast,
    load_theme,
    shortfalls,
    theme_names,
)
from circuit_export.diagnostics import CircuitError


def copper() -> dict[str, Any]:
    tokens: dict[str, Any] = json.loads((resources.folder("themes") / "copper" / "theme.json").read_text("utf-8"))
    return tokens


def folder_of(tmp_path: Path, tokens: Any, extra: str | None = None) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir(exist_ok=True)
    (folder / "theme.json").write_text(tokens if isinstance(tokens, str) else json.dumps(tokens), "utf-8")
    if extra is not None:
        (folder / "extra.css").write_text(extra, "utf-8")
    return folder


def refusal(tmp_path: Path, tokens: Any, extra: str | None = None) -> CircuitError:
    with pytest.raises(CircuitError) as error:
        load_theme(folder_of(tmp_path, tokens, extra))
    return error.value


def test_three_themes_come_along() -> None:
    assert theme_names() == ("blueprint", "copper", "paper")


@pytest.mark.parametrize("name", ["blueprint", "copper", "paper"])
def test_every_pair_of_text_and_background_has_its_contrast(name: str) -> None:
    assert shortfalls(load_theme(name)) == ()


def test_the_pairs_cover_every_colour_that_carries_meaning() -> None:
    assert {pair.front for pair in PAIRS} | {pair.back for pair in PAIRS} == set(COLOURS) - {"rule", "grid", "edge"}


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000000", "#ffffff", 21.0), ("#fff", "#ffffff", 1.0), ("#777777", "#ffffff", 4.48), ("#0000ff", "#fff", 8.59)],
)
def test_contrast_is_that_of_the_guidelines(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)
    assert contrast(other, one) == contrast(one, other)


def test_a_faint_theme_is_told_which_pair() -> None:
    theme = load_theme("copper")
    faint = Theme("faint", "", {**theme.light, "ink": "#dddddd"}, theme.dark)
    said = shortfalls(faint)
    assert said[0].startswith("light: ink #dddddd on page #f6f7f4 has a contrast of 1.")
    assert all("ink" in sentence for sentence in said)


def test_the_style_sheet_declares_every_token_light_and_dark() -> None:
    theme = load_theme("copper")
    light, dark = theme.css.split("@media (prefers-color-scheme:dark)", 1)
    for token in (*COLOURS, *SIZES):
        assert f"--{token}:" in light
    for token in COLOURS:
        assert f"--{token}:{theme.dark[token]}" in dark


def test_the_style_sheet_uses_every_colour() -> None:
    css = load_theme("copper").css
    for token in COLOURS:
        assert f"var(--{token})" in css, token


def test_every_property_that_is_used_is_declared() -> None:
    """A misspelt token is no error to a browser: it just has no colour."""
    css = load_theme("copper").css
    used = {part.split(")")[0].split(",")[0] for part in css.split("var(--")[1:]}
    made_with_the_page = {"n", "d", "at", "fit", "wide", "tall"}
    assert {name for name in used if f"--{name}:" not in css} <= made_with_the_page


def test_a_folder_is_a_theme(tmp_path: Path) -> None:
    tokens = copper()
    tokens["light"]["ink"] = "#ABCDEF"
    tokens["sizes"] = {"measure": "50rem"}
    theme = load_theme(folder_of(tmp_path, tokens, "\n.chip { border-width: 2px }\n"))
    assert theme.name == "mine"
    assert theme.light["ink"] == "#abcdef"
    assert "--measure:50rem" in theme.css
    assert theme.css.endswith(".chip { border-width: 2px }")
    assert load_theme(str(tmp_path / "mine")) == theme


def test_an_unknown_name_lists_the_themes_and_guesses() -> None:
    with pytest.raises(CircuitError) as error:
        load_theme("coper")
    assert "blueprint, copper, paper" in error.value.expected
    assert error.value.hint == "did you mean “copper”?"


@pytest.mark.parametrize("name", ["", "x\0y", "a" * 5000, "nowhere/at/all"])
def test_a_name_that_can_be_no_folder_is_a_clear_error(name: str) -> None:
    with pytest.raises(CircuitError):
        load_theme(name)


def test_a_folder_without_a_theme_says_so(tmp_path: Path) -> None:
    with pytest.raises(CircuitError, match=r"no theme\.json"):
        load_theme(tmp_path)


def test_a_theme_that_is_not_json_says_where(tmp_path: Path) -> None:
    error = refusal(tmp_path, '{\n "light": {,}\n}')
    assert error.where.endswith("theme.json:2:12")


@pytest.mark.parametrize("text", ["[]", '"x"', "[" * 100_000])
def test_a_theme_that_is_no_object_is_refused(tmp_path: Path, text: str) -> None:
    assert "theme" in refusal(tmp_path, text).message


def test_a_token_that_is_not_known_is_named_with_the_likely_one(tmp_path: Path) -> None:
    tokens = copper()
    tokens["dark"]["acent"] = "#ffffff"
    error = refusal(tmp_path, tokens)
    assert "dark has no token “acent”" in error.message
    assert "did you mean “accent”" in error.hint
    assert "ground" in error.expected


def test_a_part_that_is_not_known_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, {**copper(), "fonts": {}})
    assert "fonts" in error.message
    assert error.expected == "about, light, dark, sizes"


def test_colours_that_are_missing_are_named(tmp_path: Path) -> None:
    tokens = copper()
    del tokens["dark"]["trace"]
    error = refusal(tmp_path, tokens)
    assert "dark lacks 1" in error.message
    assert "trace (wires and the rings of pads)" in error.expected


@pytest.mark.parametrize("value", ["red", "#12", "#12345g", "#123456;}", "url(x)", 5, None, "#fff\n"])
def test_a_value_that_is_no_colour_is_refused(tmp_path: Path, value: object) -> None:
    tokens = copper()
    tokens["light"]["ink"] = value
    error = refusal(tmp_path, tokens)
    assert error.message == "light.ink is not a colour"
    assert "#1b6b4f" in error.expected


@pytest.mark.parametrize("value", ["wide", "10", "-1px", "1px;color:red", "99999px", "calc(1px)", "١px", 3])
def test_a_value_that_is_no_length_is_refused(tmp_path: Path, value: object) -> None:
    error = refusal(tmp_path, {**copper(), "sizes": {"measure": value}})
    assert error.message == "sizes.measure is not a length"


@pytest.mark.parametrize(
    "rule",
    [
        "a{background:url(https://example.com/x)}",
        "a{background:URL( 'x' )}",
        "@import 'x.css';",
        "@IMPORT 'x';",
        "a{background:image-set('x' 1x)}",
        "a{background:-webkit-image-set('x' 1x)}",
        "a{src:src('x')}",
        "@font-face{font-family:x}",
        "a{width:expression(alert(1))}",
        "a{behavior:x}",
        "a{-moz-binding:x}",
        "</style><script>alert(1)</script>",
        "a{background:\\75rl(x)}",
        "a{color:red",
        "a{color:red}}",
        "/* open",
        "a{content:'\x00'}",
    ],
)
def test_rules_that_fetch_run_or_break_out_are_refused(tmp_path: Path, rule: str) -> None:
    error = refusal(tmp_path, copper(), "b{}\n" + rule)
    assert error.file.endswith("extra.css")


def test_a_refused_rule_says_where_and_why(tmp_path: Path) -> None:
    error = refusal(tmp_path, copper(), "b{}\na{background:url(x)}")
    assert error.where.endswith("extra.css:2:14")
    assert "a page fetches nothing" in error.message


def test_a_number_of_any_length_is_a_clean_error(tmp_path: Path) -> None:
    assert "too long" in refusal(tmp_path, '{"about": ' + "9" * 5_000 + "}").message


@pytest.mark.parametrize("name", ["theme.json", "extra.css"])
def test_what_is_no_file_or_has_no_end_is_not_read(tmp_path: Path, name: str) -> None:
    folder = folder_of(tmp_path, copper(), "b{}\n")
    (folder / name).write_bytes(b" " * (LARGEST + 1))
    with pytest.raises(CircuitError, match="too large"):
        load_theme(folder)
    (folder / name).unlink()
    (folder / name).mkdir()
    with pytest.raises(CircuitError, match="not a file"):
        load_theme(folder)


def test_compacting_takes_comments_and_indentation() -> None:
    assert compact("/* one */\na{\n  b:c;\n}\n\n/* two\n   lines */\nd{}\n") == "a{\nb:c;\n}\nd{}"
