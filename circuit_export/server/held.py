"""Runs that this process moved on last, so that the next report need not read them, and writes only what is new.

A store is still asked each time: what is held counts only while its revision is the store's.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from operator import is_
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from circuit_export.runs.record import Run
    from circuit_export.store.base import Store, StoredRun

MOST: Final = 16
"""Runs that are held at most, those that moved last."""

LARGEST: Final = 512 * 1024
"""Characters of a run that is held; a larger one is read anew."""


class _Text(NamedTuple):
    """A value with its JSON text. It is held, so no other object can have its identity."""

    value: Any
    text: _Json


class Texts(NamedTuple):
    """What in a run never changes, with its JSON text: its moments, each beside its text, and values by identity."""

    moments: list[dict[str, Any]]
    written: list[str]
    values: dict[int, _Text]


class _Held(NamedTuple):
    """A run that nobody else holds, None while somebody does; and texts of what is in it."""

    stored: StoredRun | None
    texts: Texts


class HeldRuns:
    """The runs of one store that are held, by workspace and id."""

    def __init__(self) -> None:
        self._runs: OrderedDict[tuple[str, str], _Held] = OrderedDict()

    def take(self, workspace: str, run_id: str) -> StoredRun | None:
        """A run that is held, for whoever takes it alone: until it is put back nobody else gets it."""
        held = self._runs.get((workspace, run_id))
        if held is None or held.stored is None:
            return None
        self._runs[workspace, run_id] = held._replace(stored=None)
        return held.stored

    def texts(self, workspace: str, run_id: str) -> Texts:
        """The texts that are known of what is in a run."""
        held = self._runs.get((workspace, run_id))
        return Texts([], [], {}) if held is None else held.texts

    def drop(self, workspace: str, run_id: str) -> None:
        """Holds a run no longer."""
        self._runs.pop((workspace, run_id), None)

    def put(self, workspace: str, stored: StoredRun, texts: Texts) -> None:
        """Holds a run, which whoever puts it here does not change any more."""
        key = (workspace, stored.run["id"])
        self._runs[key] = _Held(stored, texts)
        self._runs.move_to_end(key)
        while len(self._runs) > MOST:
            self._runs.popitem(last=False)


_HELD: WeakKeyDictionary[Store, HeldRuns] = WeakKeyDictionary()


def held_of(store: Store) -> HeldRuns:
    """The runs that are held of a store."""
    held = _HELD.get(store)
    if held is None:
        held = _HELD[store] = HeldRuns()
    return held


def text_of_run(run: Run, known: Texts) -> tuple[str, Texts]:
    """A run as JSON, and the texts of what in it never changes; those known already are not written again.

    Moments stay what they are, but for the oldest one, which says how many went before it; so do what the run was
    started with, what was reported, and the items of a loop. All else is written anew.
    """
    data, values = run["data"], _Values(known.values)
    moments = _moments(run["history"], known)
    loops = [
        _object({**frame, "items": values.of(frame["items"])} if "items" in frame else frame) for frame in run["loops"]
    ]
    steps = _object({name: values.of(value) for name, value in data["steps"].items()})
    data = _object({**data, "trigger": values.of(data["trigger"]), "steps": steps})
    text = _object({**run, "history": _list(moments), "loops": _list(loops), "data": data})
    return text, Texts(list(run["history"]), moments, values.kept)


def _moments(history: list[dict[str, Any]], known: Texts) -> list[str]:
    """The texts of a history, to which moments were added, and from whose beginning some were taken."""
    gone = len(known.moments)
    if history:
        gone = next((at for at, moment in enumerate(known.moments) if moment is history[0]), gone)
    old = known.moments[gone:]
    if len(old) > len(history) or not all(map(is_, old, history)):
        return [json.dumps(moment) for moment in history]
    written = [*known.written[gone:], *(json.dumps(moment) for moment in history[len(old) :])]
    if old:
        written[0] = json.dumps(history[0])
    return written


class _Json(str):
    """A text that is JSON already."""

    __slots__ = ()


class _Values:
    """Writes what never changes, once."""

    def __init__(self, known: dict[int, _Text]) -> None:
        self._known = known
        self.kept: dict[int, _Text] = {}

    def of(self, value: Any) -> Any:
        """The text of a list or an object; anything else as it is."""
        if not isinstance(value, list | dict):
            return value
        key = id(value)
        entry = self._known.get(key) or self.kept.get(key) or _Text(value, _Json(json.dumps(value)))
        self.kept[key] = entry
        return entry.text


def _object(value: dict[str, Any]) -> _Json:
    """An object as JSON, with what is JSON already as it is."""
    apart = {name: item for name, item in value.items() if type(item) is _Json}
    rest = json.dumps({name: item for name, item in value.items() if name not in apart})[1:-1]
    parts = [f"{json.dumps(name)}: {text}" for name, text in apart.items()]
    return _Json(f"{{{', '.join([rest, *parts] if rest else parts)}}}")


def _list(texts: list[Any]) -> _Json:
    return _Json(f"[{', '.join(texts)}]")
