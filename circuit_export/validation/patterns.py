"""Patterns of files, as git reads them, from people and strangers alike: one that cannot be read harms nothing."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from circuit_export.diagnostics import UsageError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def wanted(patterns: Iterable[str], key: str, file: str) -> GitIgnoreSpec:
    """The patterns of a setting. Raises UsageError for one that is none."""
    lines = list(patterns)
    found = _spec(lines)
    if found is None:
        wrong = next((line for line in lines if _spec([line]) is None), lines[0])
        raise UsageError(f"“{key}” holds what is no pattern", file=file, found=wrong, expected="one as in .gitignore")
    return found


def ignored(text: str) -> GitIgnoreSpec | None:
    """The patterns of a `.gitignore`, without those that are none: to git they match nothing. None for no pattern."""
    lines = text.splitlines()
    return _spec(lines) or _spec([line for line in lines if _spec([line]) is not None])


def below(root: Path, pattern: str, file: str) -> list[Path]:
    """The plain files below `root` that a glob means. Raises UsageError for what is no glob."""
    try:
        return [path for path in root.glob(pattern) if path.is_file()]
    except (ValueError, NotImplementedError, IndexError) as error:
        message = str(error) or "it names no file"
        raise UsageError(f"“paths” holds what is no glob: {message}", file=file, found=pattern) from None


def _spec(lines: list[str]) -> GitIgnoreSpec | None:
    """The patterns read, None when they cannot be: each of its engines has an error of its own for that."""
    from pathspec import GitIgnoreSpec

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of the pattern's regular expression
        try:
            return GitIgnoreSpec.from_lines(lines)
        except Exception:
            return None
