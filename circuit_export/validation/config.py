"""The settings of a project: `circuit.toml`, or `[tool.circuit]` in `pyproject.toml`, found upward from a file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from circuit_export.diagnostics import Position, UsageError
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.likeness import nearest

FILE = "circuit.toml"
SHARED_FILE = "pyproject.toml"
FAIL_ON = ("error", "warning", "note", "never")

_TEXT, _TEXTS, _YES_NO = "a text", "a list of texts", "true or false"
_NUMBER, _WHOLE = "a number from 0 to 100", "a whole number above 0"
_TABLE, _TABLE_OF_LISTS, _SEVERITY = "a table of texts", "a table of lists of texts", "error, warning, note or never"
KEYS: dict[str, str] = {
    "paths": _TEXTS,
    "exclude": _TEXTS,
    "tools": _TEXT,
    "workflows": _TABLE,
    "select": _TEXTS,
    "ignore": _TEXTS,
    "per-file-ignores": _TABLE_OF_LISTS,
    "fail-on": _SEVERITY,
    "goldens": _TEXT,
    "require-scenarios": _YES_NO,
    "fail-under": _NUMBER,
    "theme": _TEXT,
    "max-directives": _WHOLE,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project asks for. `root` is the folder that paths start from; `file` is None when nothing is set."""

    root: Path
    file: Path | None = None
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    tools: str | None = None
    workflows: Mapping[str, str] = field(default_factory=dict)
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fail_on: str = "warning"
    goldens: str = "goldens"
    require_scenarios: bool = False
    fail_under: float | None = None
    theme: str | None = None
    max_directives: int | None = None


def find(start: Path) -> Settings:
    """The settings that hold for a file or folder: the nearest above it. Raises UsageError for wrong ones.

    Without any, the project is the folder that the command is called in, or the file's own when it lies elsewhere.
    """
    start = start.absolute()
    for folder in [start, *start.parents] if start.is_dir() else start.parents:
        for name in (FILE, SHARED_FILE):
            file = folder / name
            if file.is_file() and (table := _table(file)) is not None:
                return settings(table, file)
    here = Path.cwd()
    own = start if start.is_dir() else start.parent
    return Settings(here if start.is_relative_to(here) else own)


def read(file: Path) -> Settings:
    """The settings in a file that was named. Raises UsageError."""
    if not file.is_file():
        raise UsageError("There is no such configuration file", file=str(file))
    table = _table(file)
    if table is None:
        raise UsageError("The file has no [tool.circuit]", file=str(file), hint=f"write the settings to {FILE}")
    return settings(table, file.absolute())


def _table(file: Path) -> Mapping[str, Any] | None:
    """The settings of a file as written; None for a `pyproject.toml` that has none."""
    try:
        text = file.read_text("utf-8-sig")
        value = tomllib.loads(text)
    except UnicodeDecodeError:
        raise UsageError("The configuration is not UTF-8", file=str(file)) from None
    except OSError as error:
        raise UsageError(f"The configuration cannot be read: {error.strerror}", file=str(file)) from None
    except tomllib.TOMLDecodeError as error:
        if file.name == SHARED_FILE and "tool.circuit" not in text:
            return None
        raise UsageError(f"The configuration is not TOML: {_lower(str(error))}", file=str(file)) from None
    if file.name != SHARED_FILE:
        return value
    tool = value.get("tool")
    table = tool.get("circuit") if isinstance(tool, Mapping) else None
    if table is not None and not isinstance(table, Mapping):
        expected = "a table: [tool.circuit]"
        raise UsageError("“circuit” in [tool] is no table", file=str(file), found=_found(table), expected=expected)
    return table


def settings(table: Mapping[str, Any], file: Path) -> Settings:
    """The settings that a table says. Raises UsageError for a key or value that is none."""
    for key, value in table.items():
        if key not in KEYS:
            near = nearest(key, KEYS)
            raise UsageError(
                f"The configuration has the unknown key “{key}”",
                file=str(file),
                position=_position(file, key),
                expected=", ".join(KEYS),
                hint=f"did you mean “{near}”?" if near else "",
            )
        if not _fits(value, KEYS[key]):
            raise UsageError(
                f"“{key}” in the configuration is not what it should be",
                file=str(file),
                position=_position(file, key),
                found=_found(value),
                expected=KEYS[key],
            )
        for path in _paths(key, value):
            if _leads_out(path):
                raise UsageError(
                    f"“{key}” in the configuration leads out of the project",
                    file=str(file),
                    position=_position(file, key),
                    found=path,
                    expected=f"a path below {file.parent}",
                )
    given = {key.replace("-", "_"): _frozen(value) for key, value in table.items()}
    return Settings(root=file.parent, file=file, **given)


def _paths(key: str, value: Any) -> list[str]:
    """The paths that a setting says."""
    if key == "workflows":
        return list(value.values())
    if key in ("tools", "goldens"):
        return [value]
    return list(value) if key == "paths" else []


def _leads_out(path: str) -> bool:
    """Does a path start anywhere but at the project's root, or lead above it? On every machine alike."""
    parts = path.replace("\\", "/").split("/")
    depth = 0
    for part in parts:
        depth += {"": 0, ".": 0, "..": -1}.get(part, 1)
        if depth < 0:
            return True
    return not parts[0] or bool(re.match("[A-Za-z]:", path))


def _fits(value: Any, kind: str) -> bool:
    match kind:
        case "a text":
            return isinstance(value, str) and bool(value)
        case "a list of texts":
            return isinstance(value, list) and all(isinstance(item, str) and item for item in value)
        case "a number from 0 to 100":
            return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100
        case "a whole number above 0":
            return isinstance(value, int) and not isinstance(value, bool) and value > 0
        case "true or false":
            return isinstance(value, bool)
        case "a table of texts":
            return isinstance(value, Mapping) and all(isinstance(item, str) and item for item in value.values())
        case "a table of lists of texts":
            return isinstance(value, Mapping) and all(_fits(item, _TEXTS) for item in value.values())
        case _:
            return value in FAIL_ON


def _found(value: Any) -> str:
    return kind_of(value) if isinstance(value, str | int | float | list | dict) else str(value)


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, Mapping):
        return {key: _frozen(item) for key, item in value.items()}
    return value


def _position(file: Path, key: str) -> Position | None:
    """Where a key is written; TOML's reader does not say."""
    text = file.read_text("utf-8-sig", "replace")
    found = re.search(rf"""^[ \t]*\[?(?:tool\.circuit\.)?["']?{re.escape(key)}["']?[ \t]*[=.\]]""", text, re.MULTILINE)
    return Position.at(text, text.index(key, found.start())) if found else None


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
