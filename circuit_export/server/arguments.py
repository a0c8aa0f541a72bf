"""A tool's arguments as they came, read one by one so that what is wrong with one is said in our own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.likeness import nearest
from circuit_export.formats.wording import shown

SAID = 5
"""Arguments that are said not to be any, each by its name."""


class Arguments:
    """The raw arguments of a call; readers raise CircuitError for what is missing or of the wrong kind."""

    def __init__(self, given: Mapping[str, Any], known: Sequence[str] = ()) -> None:
        self.given = given
        self.known = tuple(known)

    def has(self, name: str) -> bool:
        """Was it given? Null is the same as not given, and so is an empty text: many models fill in all there is."""
        return self.given.get(name) not in (None, "")

    def text(self, name: str, default: str | None = None) -> str:
        """A text; required when there is no default, which an empty one is taken for."""
        found: str = self._of(name, str, "a text", default)
        return found or default or ""

    def flag(self, name: str, default: bool | None = None) -> bool:
        found: bool = self._of(name, bool, "true or false", default)
        return found

    def object(self, name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
        found: dict[str, Any] = self._of(name, dict, "an object", default)
        return found

    def items(self, name: str) -> list[Any]:
        """A list with at least one item."""
        items: list[Any] = self._of(name, list, "a list with at least one item", None)
        if not items:
            raise CircuitError(f"“{name}” is empty", found="an empty list", expected="at least one item")
        return items

    def whole(self, name: str, default: int | None = None) -> int:
        """A whole number; 2.0 is one."""
        value = self.given.get(name)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        found: int = self._of(name, int, "a whole number", default)
        return found

    def choice(self, name: str, words: Sequence[str], default: str | None = None) -> str:
        word = self.text(name, default)
        if word not in words:
            raise CircuitError(f"“{name}” is none of its words", found=shown(word), expected=" or ".join(words))
        return word

    def unread(self) -> list[str]:
        """A sentence for each argument that the tool does not have, for those after the first few one for all."""
        unknown = [name for name in self.given if name not in self.known]
        said = []
        for name in unknown[:SAID]:
            near = nearest(name, self.known)
            said.append(f"{shown(name)} is no argument here and was not read." + (f" “{near}”?" if near else ""))
        return [*said, f"Nor were {len(unknown) - SAID:,} more."] if len(unknown) > SAID else said

    def _of(self, name: str, kind: type, expected: str, default: Any) -> Any:
        value = self.given.get(name)
        if value is None:
            if default is not None:
                return default
            raise CircuitError(f"“{name}” is missing", expected=f"{expected} as “{name}”")
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise CircuitError(f"“{name}” is not {expected}", found=kind_of(value), expected=expected)
        return value
