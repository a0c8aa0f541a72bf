"""Judges the path of a document that rides in a page: relative, below the target, and safe on every platform."""

from __future__ import annotations

import re

_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"]
)
_LONGEST = 1000
_LONGEST_PART = 255
"""Bytes of a file's name on the usual file systems."""
_TURNS = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What shows a name in another order than it is written in."""


def refusal(path: str) -> str:
    """Why `path` is not one to write below a folder; "" when it is fine. A path is POSIX and relative."""
    if not path:
        return "it is empty"
    if len(path) > _LONGEST:
        return f"it is longer than {_LONGEST} characters"
    if any(ord(char) < 32 or 127 <= ord(char) < 160 or 0xD800 <= ord(char) <= 0xDFFF for char in path):
        return "it holds a control character"
    if _TURNS.search(path):
        return "it does not look like what it is: it holds a character that turns the direction or the line"
    if "\\" in path:
        return "it holds a backslash"
    if path.startswith("/"):
        return "it is absolute"
    if ":" in path:
        return "it holds a colon (a drive, or a stream of a file)"
    for part in path.split("/"):
        reason = _part_refusal(part)
        if reason:
            return reason
    return ""


def unfit(path: str) -> str:
    """Why nothing that rides in a page is written at `path`; "" when it is fine.

    Hidden files are obeyed by shells, editors and agents (`.bashrc`, `.git/hooks`, `.claude/settings.json`), so a page
    brings none, however safe its path is.
    """
    return refusal(path) or ("it is hidden" if any(part.startswith(".") for part in path.split("/")) else "")


def _part_refusal(part: str) -> str:
    if part in ("", "."):
        return "it has an empty step or “.”"
    if part == "..":
        return "it leads out of its folder (“..”)"
    if part.startswith("~"):
        return "it begins with “~”"
    if part != part.strip() or part.endswith("."):
        return "a name in it begins or ends with a blank or ends with a dot"
    if any(char in '<>"|?*' for char in part):
        return "it holds a character that files cannot have everywhere"
    if len(part.encode()) > _LONGEST_PART:
        return f"a name in it is longer than {_LONGEST_PART} bytes"
    if part.split(".")[0].rstrip().lower() in _DEVICES:
        return f"“{part}” is a device's name"
    return ""
