"""A run's history: what happened at each moment, the newest 240 of them, clipped."""

from __future__ import annotations

from typing import Any, Final

from circuit_export.runs.clipping import clip, clip_text
from circuit_export.runs.dot_paths import MISSING

MOMENTS: Final = 240


def note(
    history: list[dict[str, Any]],
    step_id: str,
    at: str,
    state: str,
    *,
    path: list[str] | None = None,
    port: str = "",
    summary: str = "",
    error: str = "",
    given: Any = MISSING,
    answer: Any = MISSING,
    item: Any = MISSING,
) -> None:
    """Adds a moment. When one has to go for it, the first one left says how many went, in `earlier`.

    `given` is what the step was handed (clipped already), `answer` what came back, `item` the loop's item.
    """
    moment: dict[str, Any] = {"stepId": step_id}
    if path:
        moment["path"] = list(path)
    moment["at"] = at
    moment["state"] = state
    if port:
        moment["port"] = port
    if summary:
        moment["summary"] = clip_text(summary)
    if error:
        moment["error"] = clip_text(error)
    if given is not MISSING:
        moment["input"] = given
    if answer is not MISSING:
        moment["output"] = clip(answer)
    if item is not MISSING:
        moment["item"] = clip(item)
    history.append(moment)
    if len(history) > MOMENTS:
        gone = history.pop(0).get("earlier", 0) + 1
        history[0]["earlier"] = gone
