"""Themes: a folder of tokens, and a few rules if it wants, becomes the style sheet of a page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from circuit_export import resources
from circuit_export.diagnostics import CircuitError, Position

COLOURS: Final[Mapping[str, str]] = {
    "page": "the page behind everything",
    "panel": "raised surfaces: the definition, the settings",
    "lit": "the entry that a link has led to",
    "rule": "lines between things",
    "ink": "text",
    "quiet": "text of second rank",
    "accent": "what is the person's, and writes, in the text",
    "focus": "links under the pointer, the keyboard's focus",
    "ground": "the board",
    "grid": "the board's dots",
    "silk": "lettering on the board",
    "trace": "wires and the rings of pads",
    "pad": "the holes of pads",
    "ring": "the outline of a chip that is focused or linked to",
    "chip": "a chip",
    "edge": "a chip's edge",
    "label": "a chip's title",
    "hint": "a chip's summary, verb and ports",
    "mark": "what is the person's, and writes, on a chip",
}
"""The colours that a theme names, light and dark, and what each is for."""

SIZES: Final[Mapping[str, str]] = {
    "measure": "44rem",
    "text": "1rem",
    "space": "0.5rem",
    "radius": "3px",
    "grid-pitch": "20px",
}
"""The lengths that a theme may set, with what they are when it does not."""

SCHEMES: Final = ("light", "dark")

LARGEST: Final = 1024 * 1024
"""Bytes of a theme's file that are read: every page carries it."""

_HEX: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_LENGTH: Final = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,3})?(?:px|rem|em|ch)")
_KEYS: Final = ("about", *SCHEMES, "sizes")

# What a theme's own rules may not hold, and why not. Escapes would hide any of the others.
_REFUSED: Final = (
    ("<", "could end the page's style sheet"),
    ("\\", "escapes could hide something else"),
    ("url(", "a page fetches nothing"),
    ("src(", "a page fetches nothing"),
    ("image(", "a page fetches nothing"),
    ("image-set(", "a page fetches nothing"),
    ("@import", "a page fetches nothing"),
    ("@font-face", "text is fitted for the fonts that are known"),
    ("@namespace", "it would change what the other rules mean"),
    ("@charset", "a page is UTF-8"),
    ("expression(", "a page runs nothing"),
    ("behavior", "a page runs nothing"),
    ("-moz-binding", "a page runs nothing"),
)


class Theme(NamedTuple):
    """A theme as pages use it: `css` is the whole style sheet, `light` and `dark` its colours by token."""

    name: str
    css: str
    light: Mapping[str, str]
    dark: Mapping[str, str]


class Pair(NamedTuple):
    """Two tokens that meet on a page, and the contrast that they need."""

    front: str
    back: str
    least: float


TEXT, GRAPHIC = 4.5, 3.0
PAIRS: Final = (
    *(Pair(front, back, TEXT) for front in ("ink", "quiet", "accent", "focus") for back in ("page", "panel", "lit")),
    Pair("silk", "ground", TEXT),
    *(Pair(front, "chip", TEXT) for front in ("label", "hint", "mark")),
    Pair("mark", "ground", GRAPHIC),
    Pair("trace", "ground", GRAPHIC),
    Pair("trace", "pad", GRAPHIC),
    Pair("trace", "chip", GRAPHIC),
    Pair("ring", "ground", GRAPHIC),
    Pair("ring", "chip", GRAPHIC),
)
"""The pairs that carry meaning: text after WCAG AA (4.5), graphics and outlines 3."""


def theme_names() -> tuple[str, ...]:
    """The themes that come with the project, sorted."""
    return tuple(sorted(path.parent.name for path in resources.folder("themes").glob("*/theme.json")))


def load_theme(name_or_folder: str | Path) -> Theme:
    """A theme by its name, or from a folder with a `theme.json` and perhaps an `extra.css`.

    Raises CircuitError when there is none, or when it is broken: with the file, the token and what is allowed.
    """
    folder = _folder(name_or_folder)
    file = folder / "theme.json"
    tokens = _read(file)
    colours = {scheme: _colours(tokens.get(scheme, {}), scheme, file) for scheme in SCHEMES}
    sizes = {**SIZES, **_values(tokens.get("sizes", {}), "sizes", SIZES, _LENGTH, 'a length such as "16px"', file)}
    extra = folder / "extra.css"
    rules = _extra(extra) if extra.exists() else ""
    css = "\n".join(
        part
        for part in (
            f":root{{color-scheme:light dark;{_declared(colours['light'])};{_declared(sizes)}}}",
            f"@media (prefers-color-scheme:dark){{:root{{{_declared(colours['dark'])}}}}}",
            _base(),
            rules,
        )
        if part
    )
    return Theme(folder.name, css, colours["light"], colours["dark"])


def shortfalls(theme: Theme) -> tuple[str, ...]:
    """What is too faint in a theme, one sentence each; empty when every pair has the contrast it needs."""
    return tuple(
        f"{scheme}: {pair.front} {colours[pair.front]} on {pair.back} {colours[pair.back]} has a contrast of "
        f"{ratio:.2f}, and needs {pair.least:g}"
        for scheme, colours in (("light", theme.light), ("dark", theme.dark))
        for pair in PAIRS
        if (ratio := contrast(colours[pair.front], colours[pair.back])) < pair.least
    )


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two hexadecimal colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def compact(css: str) -> str:
    """Our own style sheet without comments, blank lines and indentation. A comment stands on lines of its own."""
    lines = []
    inside = False
    for line in map(str.strip, css.splitlines()):
        inside = inside or line.startswith("/*")
        if line and not inside:
            lines.append(line)
        if line.endswith("*/"):
            inside = False
    return "\n".join(lines)


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    channels = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def _base() -> str:
    return compact((Path(__file__).parent / "templates" / "page.css").read_text("utf-8"))


def _declared(tokens: Mapping[str, str]) -> str:
    return ";".join(f"--{name}:{value}" for name, value in tokens.items())


def _near(word: str, words: tuple[str, ...]) -> str:
    from difflib import get_close_matches  # only an error needs it

    match = get_close_matches(word, words, 1)
    return f"did you mean “{match[0]}”?" if match else ""


def _folder(name_or_folder: str | Path) -> Path:
    """The folder of a theme. A plain word is a name first, and a folder only when no theme is called so."""
    names = theme_names()
    if isinstance(name_or_folder, str) and name_or_folder in names:
        return resources.folder("themes") / name_or_folder
    folder = Path(name_or_folder)
    try:
        if folder.is_dir():
            return folder
    except (OSError, ValueError):
        pass
    name = str(name_or_folder)
    raise CircuitError(
        f"There is no theme “{name}”, and no folder of that name",
        expected=f"one of {', '.join(names)}, or a folder with a theme.json",
        hint=_near(name, names) or f"--theme {names[0]}",
    )


def _text(file: Path, what: str) -> str:
    """The text of a theme's file. Raises CircuitError for what is no file, or larger than any theme."""
    if file.exists() and not file.is_file():  # a pipe or a device might never end
        raise CircuitError(f"{what} cannot be read: it is not a file", file=str(file))
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST + 1)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise CircuitError(f"{what} cannot be read: {reason}", file=str(file)) from None
    if len(data) > LARGEST:
        raise CircuitError(f"{what} is too large", file=str(file), expected=f"at most {LARGEST:,} bytes")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read(file: Path) -> dict[str, Any]:
    if not file.exists():
        raise CircuitError(
            "The theme's folder has no theme.json", file=str(file), hint="copy one of the project's themes as a start"
        )
    text = _text(file, "The theme")
    try:
        tokens = json.loads(text)
    except json.JSONDecodeError as error:
        raise CircuitError(
            f"The theme is not JSON: {error.msg}", file=str(file), position=Position(error.lineno, error.colno)
        ) from None
    except ValueError:
        raise CircuitError("The theme holds a number that is too long", file=str(file)) from None
    except RecursionError:
        raise CircuitError("The theme is nested too deeply", file=str(file)) from None
    if not isinstance(tokens, dict):
        raise CircuitError("The theme is not an object", file=str(file), expected=f"an object with {', '.join(_KEYS)}")
    for key in tokens:
        if key not in _KEYS:
            raise _unknown(key, "theme", _KEYS, file)
    return tokens


def _unknown(key: str, where: str, allowed: tuple[str, ...], file: Path) -> CircuitError:
    return CircuitError(
        f"{where} has no token “{key}”",
        file=str(file),
        expected=", ".join(allowed),
        hint=_near(key, allowed) or "leave it out",
    )


def _values(
    given: Any, where: str, allowed: Mapping[str, str], shape: re.Pattern[str], expected: str, file: Path
) -> dict[str, str]:
    """The tokens of one part of a theme, each checked."""
    if not isinstance(given, dict):
        raise CircuitError(f"“{where}” is not an object", file=str(file), expected=f"{{token: {expected}}}")
    for key, value in given.items():
        if key not in allowed:
            raise _unknown(key, where, tuple(allowed), file)
        if not isinstance(value, str) or not shape.fullmatch(value):
            raise CircuitError(
                f"{where}.{key} is not {expected.partition(' such')[0]}",
                file=str(file),
                found=json.dumps(value, ensure_ascii=False)[:80],
                expected=expected,
            )
    return {key: given[key].lower() for key in allowed if key in given}


def _colours(given: Any, scheme: str, file: Path) -> dict[str, str]:
    """The colours of a scheme, in the order of COLOURS. All must be there: mixed themes are legible in none."""
    found = _values(given, scheme, COLOURS, _HEX, 'a colour such as "#1b6b4f"', file)
    missing = [token for token in COLOURS if token not in found]
    if missing:
        raise CircuitError(
            f"{scheme} lacks {len(missing)} of its {len(COLOURS)} colours",
            file=str(file),
            found=", ".join(found) or "none",
            expected="; ".join(f"{token} ({COLOURS[token]})" for token in missing),
            hint="copy one of the project's themes and change its colours",
        )
    return found


def _extra(file: Path) -> str:
    """A theme's own rules, refused when they could fetch, run or break out of the page's style sheet."""
    text = _text(file, "The file of the theme's rules")
    lowered = text.lower()
    for part, reason in _REFUSED:
        at = lowered.find(part)
        if at >= 0:
            raise CircuitError(
                f"The theme's rules hold “{part}”, which is refused: {reason}",
                file=str(file),
                position=Position.at(lowered, at),
                hint="say it with the tokens, or with plain rules",
            )
    for opening, closing, what in (("{", "}", "braces"), ("/*", "*/", "comments")):
        if text.count(opening) != text.count(closing):
            raise CircuitError(
                f"The theme's rules have {what} that do not match",
                file=str(file),
                found=f"{text.count(opening)} × {opening} and {text.count(closing)} × {closing}",
            )
    odd = re.search("[\x00-\x08\x0b\x0c\x0e-\x1f]", text)
    if odd:
        raise CircuitError("The theme's rules hold a control character", file=str(file), found=repr(odd[0]))
    return text.strip()
