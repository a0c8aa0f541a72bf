"""Runs that this process moved on last, so that the next report need not read them, and writes only what is new.

A store is still asked each time: what is held counts only while its revision is the store's.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from circuit_export.runs.record import Run
    from circuit_export.store.base import Store, StoredRun

MOST: Final = 64
"""Runs that are held at most, those that moved last."""

LARGEST: Final = 256 * 1024
"""Characters of a run that is held; a larger one is read anew."""

_MOMENTS: Final = "history"


class _Text(NamedTuple):
    """A moment of a run with its JSON text. It is held, so no other object can have its identity."""

    moment: dict[str, Any]
    text: str


Texts = dict[int, _Text]
"""The texts of moments, by their identity."""


class _Held(NamedTuple):
    """A run that nobody else holds, None while somebody does; and the texts of its moments."""

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
        """The texts that are known of a run's moments."""
        held = self._runs.get((workspace, run_id))
        return {} if held is None else held.texts

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
    """A run as JSON, and the texts of its moments; those known already are not written again.

    What a moment says never changes, but of the oldest one, which says how many went before it.
    """
    texts = dict(_texts(run[_MOMENTS], known))
    rest = json.dumps({key: value for key, value in run.items() if key != _MOMENTS})
    moments = ", ".join([entry.text for entry in texts.values()])
    return f'{rest[:-1]}, "{_MOMENTS}": [{moments}]}}', texts


def _texts(history: list[dict[str, Any]], known: Texts) -> Iterator[tuple[int, _Text]]:
    for number, moment in enumerate(history):
        entry = known.get(id(moment))
        if entry is None or number == 0:
            entry = _Text(moment, json.dumps(moment))
        yield id(moment), entry
