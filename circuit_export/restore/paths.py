"""Judges the path of a document that rides in a page: relative, below the target, and safe on every platform."""

from __future__ import annotations

_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"]
)
_LONGEST = 1000


def refusal(path: str) -> str:
    """Why `path` is not one to write below a folder; "" when it is fine. A path is POSIX and relative."""
    if not path:
        return "it is empty"
    if len(path) > _LONGEST:
        return f"it is longer than {_LONGEST} characters"
    if any(ord(char) < 32 or ord(char) == 127 or 0xD800 <= ord(char) <= 0xDFFF for char in path):
        return "it holds a control character"
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
    if part.split(".")[0].rstrip().lower() in _DEVICES:
        return f"“{part}” is a device's name"
    return ""
