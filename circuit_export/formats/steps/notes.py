"""What the loader has to say about a board that it could read: each thing once, with where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.diagnostics import Diagnostic, Severity, escape_pointer
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.likeness import nearest
from circuit_export.formats.steps.catalog import CATALOG, PARTS, StepType, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from circuit_export.formats.steps.document import Step

REPEATED = ("C003", "duplicate-member", Severity.ERROR)
UNREAD = ("C101", "wrong-shape", Severity.ERROR)
UNKNOWN_TYPE = ("C102", "unknown-step-type", Severity.ERROR)
UNKNOWN_KEY = ("C103", "unknown-key", Severity.NOTE)
MISPLACED_KEY = ("C104", "misplaced-key", Severity.WARNING)
DUPLICATE_ID = ("C203", "duplicate-step-id", Severity.ERROR)
UNKNOWN_ENTRY = ("C204", "unknown-entry", Severity.ERROR)

_CONFIG_KEYS: dict[str, frozenset[str]] = {
    name: frozenset(key.name for key in entry.keys) for name, entry in CATALOG.items()
}
_LISTS: dict[str, tuple[tuple[str, frozenset[str], str], ...]] = {
    name: tuple(
        (key.name, frozenset(part.name for part in PARTS[key.value]), what)
        for key in entry.keys
        for value, what in ((Value.FIELDS, "a field"), (Value.CASES, "a case"), (Value.CONDITIONS, "a condition"))
        if key.value is value
    )
    for name, entry in CATALOG.items()
}
_ANY_CONFIG_KEY = frozenset().union(*_CONFIG_KEYS.values())


class _Unknown(NamedTuple):
    """A key that is not known, where it was first met, and how often it was."""

    kind: tuple[str, str, Severity]
    pointer: str
    step: str | None
    hint: str
    times: int = 1


class Notes:
    """Collects what is said; unknown keys of one name at one kind of place are said together."""

    def __init__(self) -> None:
        self.said: list[Diagnostic] = []
        self.unknown: dict[tuple[str, str], _Unknown] = {}

    def add(
        self, kind: tuple[str, str, Severity], message: str, pointer: str, step: str | None = None, hint: str = ""
    ) -> None:
        code, name, severity = kind
        self.said.append(Diagnostic(code, name, severity, message, pointer, step=step, hint=hint))

    def finish(self) -> tuple[Diagnostic, ...]:
        """All that was said, what was wrong first in the order it was met, then the keys that were carried."""
        for (name, place), unknown in self.unknown.items():
            often = "" if unknown.times == 1 else f" ({unknown.times} times)"
            message = f"“{name}” is not a key of {place}{often}; it is kept as it is"
            self.add(unknown.kind, message, unknown.pointer, unknown.step, unknown.hint)
        return tuple(self.said)

    def unknown_keys(
        self, item: Mapping[str, Any], known: frozenset[str], pointer: str, place: str, step: str | None = None
    ) -> None:
        """Says which keys of an object are not known; `place` is what the object is, such as "a wire"."""
        if item.keys() <= known:
            return
        for name in item:
            if name not in known:
                self.carried(name, place, f"{pointer}/{escape_pointer(name)}", step, known)

    def carried(self, name: str, place: str, pointer: str, step: str | None, known: Iterable[str]) -> None:
        met = self.unknown.get((name, place))
        if met is not None:
            self.unknown[name, place] = met._replace(times=met.times + 1)
        elif place == "a step" and name in _ANY_CONFIG_KEY:
            hint = f"move “{name}” into the step's “config”"
            self.unknown[name, place] = _Unknown(MISPLACED_KEY, pointer, step, hint)
        else:
            self.unknown[name, place] = _Unknown(UNKNOWN_KEY, pointer, step, _did_you_mean(name, known))

    def step_keys(self, index: int, item: Mapping[str, Any], known: frozenset[str]) -> None:
        self.unknown_keys(item, known, f"/steps/{index}", "a step", item["id"])

    def config(self, index: int, id: str, entry: StepType, config: Mapping[str, Any]) -> None:
        """Says which keys of a config, and of the objects in its lists, are not known."""
        known = _CONFIG_KEYS[entry.type]
        if not config.keys() <= known:
            self.unknown_keys(config, known, f"/steps/{index}/config", f"the config of “{entry.type}”", id)
        for key, parts, what in _LISTS[entry.type]:
            items = config.get(key)
            if isinstance(items, list):
                for number, item in enumerate(items):
                    if isinstance(item, dict):
                        self.unknown_keys(item, parts, f"/steps/{index}/config/{key}/{number}", what, id)

    def text(
        self, item: Mapping[str, Any], key: str, pointer: str, whose: str, step: str, *, required: bool = False
    ) -> str:
        """The text at a key; what stands there instead of one is said and read as "" (of a step, as its id)."""
        value = item.get(key, "")
        if not isinstance(value, str):
            self.unread(f"{pointer}/{key}", f"{whose}: its “{key}”", value, "a text", step or None)
            return step
        if required and key not in item:
            self.add(UNREAD, f"{_start(whose)} has no “{key}”", pointer, step or None, f"add a “{key}”")
            return step
        return value

    def unread(self, pointer: str, what: str, found: Any, expected: str, step: str | None = None) -> None:
        """Says that a value of the wrong shape is carried, yet counts as not being there."""
        message = f"{_start(what)} is {kind_of(found)}, so it does not count"
        self.add(UNREAD, message, pointer, step, f"write {expected}")

    def repeated(self, pointer: str, name: str) -> None:
        where = f"The object at {pointer}" if pointer else "The document"
        message = f"{where} has “{name}” more than once; only the last one counts"
        self.add(REPEATED, message, f"{pointer}/{escape_pointer(name)}", hint="keep one of them")

    def unknown_type(self, index: int, id: str, type: str) -> None:
        message = f"Step “{id}” has the type “{type}”, which this version does not know; it is drawn as a plain chip"
        self.add(UNKNOWN_TYPE, message, f"/steps/{index}/type", id, _did_you_mean(type, CATALOG))

    def duplicate_id(self, step: Step, first: int) -> None:
        message = f"Step {step.index + 1} has the id “{step.id}” of step {first + 1}; wires lead to the first of them"
        self.add(DUPLICATE_ID, message, f"/steps/{step.index}/id", step.id, "give it an id of its own")

    def unknown_entry(self, entry: str, instead: str, ids: list[str]) -> None:
        message = f"The entry “{entry}” names no step; a run starts at “{instead}”"
        self.add(UNKNOWN_ENTRY, message, "/entry", None, _did_you_mean(entry, ids))


def _start(text: str) -> str:
    return text[:1].upper() + text[1:]


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    near = nearest(word, known)
    return f"did you mean “{near}”?" if near is not None else ""
