"""A run record as a board shows it: its steps become chips, its moments texts, whatever format the workflow has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from circuit_export.board.model import Board, Fact, Moment, RunView
from circuit_export.diagnostics import CircuitError
from circuit_export.runs import record
from circuit_export.runs.clipping import clip_text
from circuit_export.runs.record import Run
from circuit_export.runs.timeline import MOMENTS

STATUSES: Mapping[str, str] = {
    record.RUNNING: "not finished",
    record.AWAITING: "waits for a decision",
    record.SUCCEEDED: "succeeded",
    record.FAILED: "failed",
    record.CANCELLED: "cancelled",
}
_SURROGATE = re.compile("[\ud800-\udfff]")
_HOUR = re.compile("(?<=[0-9])T(?=[0-9])")
"""Where a time goes on from its day to its hour, and may break."""
NAMED = 3
"""Steps that are named at most where something is said of several."""


class Shown(NamedTuple):
    """A run on a board, and sentences about what of it could not be shown."""

    view: RunView
    remarks: tuple[str, ...] = ()


def shown(run: Run, board: Board, *, about: str = "", redact: bool = False) -> Shown:
    """A run on the board of its workflow; with `redact` values become their shapes.

    `about` says what run it is; without it, when the run began does.

    Raises CircuitError for a record whose entries have no shape that a run has, and for a run of which nothing
    happened on this board.
    """
    _check(run)
    redact = redact or record.is_redacted(run)
    if redact:  # of all that a run holds, only this much is shown
        run = record.redacted({**run, "data": {}, "awaiting": None, "loops": [], "calls": [], "stopped": None})
    places: dict[str, int] = {}
    for index, chip in enumerate(board.chips):
        places.setdefault(chip.id, index)
    history = run["history"]
    states = _states(run, places)
    strangers = _strangers(run, places)
    if strangers and not any(states.values()) and not any(_outermost(entry) in places for entry in history):
        raise CircuitError(
            "This is a run of another workflow",
            found=f"“{run['workflowId']}”, with {_named(strangers)}",
            expected=f"a run of “{board.id}”" if board.id else "a run of this workflow",
        )
    kept = [entry for entry in history if _outermost(entry) in places]
    cut = max(0, len(kept) - MOMENTS)
    timed = len({entry["at"] for entry in kept}) > 1
    view = RunView(
        about=about or _begun(run),
        states=tuple(states.get(index, {}).get("state", record.IDLE) for index in range(len(board.chips))),
        notes=tuple(_note(states.get(index, {})) for index in range(len(board.chips))),
        taken=tuple(_taken(run, board)),
        moments=tuple(_moment(entry, places[_outermost(entry)], timed) for entry in kept[cut:]),
        earlier=cut + (history[0].get("earlier", 0) if history else 0),
        facts=_facts(run, len(kept) - cut),
        redacted=redact,
        reason="" if redact else _reason(run),
    )
    return Shown(view, tuple(_remarks(run, board, strangers)))


def text(value: Any) -> str:
    """A value as it is shown: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _begun(run: Run) -> str:
    started = run.get("startedAt")
    return f"A run, begun {started}" if started and isinstance(started, str) else "A run"


def _reason(run: Run) -> str:
    """Why the run stands still, in the engine's words; nothing when it does not. It may quote what came back."""
    stopped = run.get("stopped")
    last = stopped.get("directive", stopped) if isinstance(stopped, dict) else None
    reason = last.get("reason", "") if isinstance(last, dict) else ""
    return clip_text(reason) if isinstance(reason, str) else ""


def _states(run: Run, places: Mapping[str, int]) -> dict[int, dict[str, Any]]:
    """The last state of each chip's step, those of called workflows left out."""
    states: dict[int, dict[str, Any]] = {}
    for entry in run["trace"]:
        if "path" not in entry and (name := _outermost(entry)) in places:
            states.setdefault(places[name], entry)
    return states


def _strangers(run: Run, places: Mapping[str, int]) -> list[str]:
    """The steps of the run that the board does not have, each once, in the order they are met."""
    ids = [_outermost(entry) for entry in run["trace"] if "path" not in entry]
    return [name for name in dict.fromkeys((*ids, *map(_outermost, run["history"]))) if name not in places]


def _outermost(entry: Mapping[str, Any]) -> str:
    """The id of the workflow's own step that an entry is about: the calling one where it is of a called workflow."""
    return _drawn(entry["path"][0] if entry.get("path") else entry["stepId"])


def _drawn(name: Any) -> str:
    """An id or a port as a board has it: with U+FFFD for half a character."""
    return _SURROGATE.sub("\ufffd", str(name))


def _note(entry: Mapping[str, Any]) -> str:
    return str(entry.get("error") or entry.get("summary", ""))


def _moment(entry: Mapping[str, Any], chip: int, timed: bool) -> Moment:
    values = [text(entry[key]) if key in entry else None for key in ("input", "output", "item")]
    return Moment(
        chip,
        entry["state"],
        " › ".join(entry.get("path", ())[1:]),
        _HOUR.sub(" ", entry["at"]) if timed else "",
        entry.get("port", ""),
        entry.get("summary", ""),
        entry.get("error", ""),
        *values,
    )


def _taken(run: Run, board: Board) -> Iterator[int]:
    """The board's wires that the run took."""
    wires = [wire for wire in run["taken"] if "path" not in wire]
    taken = {(_drawn(wire["step"]), _drawn(wire["port"]), _drawn(wire["to"])) for wire in wires}
    for index, (source, port, target, _) in enumerate(board.wires):
        if (board.chips[source].id, port, board.chips[target].id) in taken:
            yield index


def _facts(run: Run, count: int) -> tuple[Fact, ...]:
    facts = [Fact("run", STATUSES.get(run["status"], run["status"]))]
    facts.append(Fact("moments", f"{count:,}"))
    if run["mode"] == record.TEST:
        facts.append(Fact("mode", "a test: nothing outside was changed"))
    return tuple(facts)


def _remarks(run: Run, board: Board, strangers: list[str]) -> Iterator[str]:
    """What there is to say where a run and a board do not quite belong together."""
    if board.id and run["workflowId"] != board.id:
        yield f"the run is of “{run['workflowId']}”, the workflow is “{board.id}”"
    if strangers:
        yield f"the run has {_named(strangers)}, which this workflow does not have: left out"


def _named(ids: list[str]) -> str:
    names = ", ".join(f"“{name}”" for name in ids[:NAMED])
    more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    return f"the step {names}" if len(ids) == 1 else f"the steps {names}{more}"


# --- checking ----------------------------------------------------------------------------------------------------

_TEXTS = {
    "history": ("stepId", "at", "state"),
    "trace": ("stepId", "state"),
    "taken": ("step", "port", "to"),
}
_OPTIONAL = ("port", "summary", "error")


def _check(run: Run) -> None:
    """Raises CircuitError for an entry that is not as a run's are, with its place."""
    for part, keys in _TEXTS.items():
        for number, entry in enumerate(run[part]):
            wrong = _wrong(entry, keys)
            if wrong:
                raise CircuitError("This is not a saved run", found=f"{part}/{number} {wrong}")


def _wrong(entry: Any, keys: tuple[str, ...]) -> str:
    """What is wrong with an entry, as the end of a sentence; nothing when all is well."""
    if not isinstance(entry, dict):
        return "is no object"
    for key in keys:
        if not isinstance(entry.get(key), str):
            return f"has no text in “{key}”"
    for key in _OPTIONAL:
        if not isinstance(entry.get(key, ""), str):
            return f"has no text in “{key}”"
    path = entry.get("path", [""])
    if not isinstance(path, list) or not path or not all(isinstance(step, str) for step in path):
        return "has no list of steps in “path”"
    if not isinstance(entry.get("earlier", 0), int):
        return "has no number in “earlier”"
    return ""
