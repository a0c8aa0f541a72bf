"""The findings that are not about one format: of reading a file, and of what is said about other findings."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from circuit_export.formats.base import Rule

NAMES = (
    "not_json",
    "wrong_encoding",
    "unknown_format",
    "unsupported_version",
    "unreadable",
    "ignored_without_reason",
    "ignored_in_vain",
    "stale_baseline",
)


@cache
def rules() -> tuple[Rule, ...]:
    """The rules of this folder, in the order of their codes."""
    return tuple(import_module(f"{__name__}.{name}").RULE for name in NAMES)
