"""A run's history: what happened at each moment, the newest 240 of them, clipped."""

from __future__ import annotations

from collections import deque
from typing import Any, Final, NamedTuple

from circuit_export.runs.clipping import clip, clip_text
from circuit_export.runs.dot_paths import MISSING

MOMENTS: Final = 240


class Moment(NamedTuple):
    """What happened to a step: `given` is what it was handed (clipped already), `answer` what came back.

    `item` is the item of the loop around it, `path` leads to a step of a called workflow, its own id last.
    """

    step_id: str
    at: str
    state: str
    path: list[str] | None = None
    port: str = ""
    summary: str = ""
    error: str = ""
    given: Any = MISSING
    answer: Any = MISSING
    item: Any = MISSING

    def written(self) -> dict[str, Any]:
        """The moment as the run record holds it: only what there is, clipped."""
        moment: dict[str, Any] = {"stepId": self.step_id}
        if self.path:
            moment["path"] = self.path
        moment["at"] = self.at
        moment["state"] = self.state
        if self.port:
            moment["port"] = self.port
        if self.summary:
            moment["summary"] = clip_text(self.summary)
        if self.error:
            moment["error"] = clip_text(self.error)
        if self.given is not MISSING:
            moment["input"] = self.given
        if self.answer is not MISSING:
            moment["output"] = clip(self.answer)
        if self.item is not MISSING:
            moment["item"] = clip(self.item)
        return moment


class Timeline:
    """Collects the moments of one call of an engine; only those that stay in the history are ever clipped."""

    __slots__ = ("_collected", "_moments")

    def __init__(self) -> None:
        self._moments: deque[Moment] = deque(maxlen=MOMENTS)
        self._collected = 0

    def add(self, moment: Moment) -> None:
        """One more moment."""
        self._moments.append(moment)
        self._collected += 1

    def flush(self, history: list[dict[str, Any]]) -> None:
        """Moves what was collected into a history. The first moment left says how many went, in `earlier`."""
        if not self._collected:
            return
        gone = self._collected - len(self._moments)
        keep = MOMENTS - len(self._moments)
        leaving = max(0, len(history) - keep)
        if leaving or gone:
            gone += leaving + (history[0].get("earlier", 0) if history else 0)
            del history[:leaving]
        history.extend(moment.written() for moment in self._moments)
        if gone:
            history[0]["earlier"] = gone
        self._moments.clear()
        self._collected = 0
