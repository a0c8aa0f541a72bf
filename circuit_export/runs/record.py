"""The run record: plain JSON from start to end, what it holds, and how it is read back."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any, Final, NamedTuple

from circuit_export.diagnostics import CircuitError, Position
from circuit_export.runs.clipping import redact

Run = dict[str, Any]
"""A run. Its keys:

`id`, `workflowId`, `status`, `mode` (`live` or `test`), `startedAt`, `endedAt` (once it has ended),
`data` (`trigger`, `steps`, `input`, in a loop `item`), `queue` (ids of steps to come, the next one last),
`loops` (open loops and branches, the innermost last), `flowId` (whose steps these are), `calls` (the callers, with
what they left aside), `awaiting` (`stepId`, `act`, `turn`, `input`, and for a batch `batch`; or null), `attempts`
(tries of the awaited step), `failedAt` (a step's id or null), `trace` (a step's state, for every step), `history`
(moments, the oldest first), `directives` (how many were handed out), `taken` (wires, each once).

Beside these the engine keeps what makes each move cheap: `since` (directives handed out when the present allowance
began), `stopped` (why it stands still), `blocks` (where in `trace` a called workflow's steps begin) and `seen`
(which wires are in `taken` already). A run that holds shapes in place of values says so: `redacted`.
"""

RUNNING: Final = "running"
AWAITING: Final = "awaiting_approval"
SUCCEEDED: Final = "succeeded"
FAILED: Final = "failed"
CANCELLED: Final = "cancelled"
ENDED: Final = frozenset((SUCCEEDED, CANCELLED))

LIVE: Final = "live"
TEST: Final = "test"

IDLE: Final = "idle"
HELD: Final = "held"
SKIPPED: Final = "skipped"
RETRYING: Final = "retrying"
# A step is also "running", "failed" or "done".
STEP_DONE: Final = "done"

_KEYS: Final = {
    "id": str,
    "workflowId": str,
    "status": str,
    "mode": str,
    "data": dict,
    "queue": list,
    "loops": list,
    "calls": list,
    "trace": list,
    "history": list,
    "directives": int,
    "taken": list,
}
_KINDS = {str: "a text", dict: "an object", list: "a list", int: "a number"}

DEEPEST: Final = 200
"""How deep a reported value may be nested."""

_QUOTED = re.compile("“.*”", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_BRACKET = re.compile(r"[^\[\]{}]+")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


class Limits(NamedTuple):
    """What a run may use before it stops and asks: `directives` in all, `moves` between two of them."""

    directives: int = 10_000
    moves: int = 1_000_000


class NotPlain(ValueError):
    """A value that is no plain JSON; the message says why, as the end of a sentence."""


def plain(value: Any) -> Any:
    """A copy of a value as plain JSON, which nobody else holds. Raises NotPlain for what JSON cannot carry."""
    if value is None or isinstance(value, bool | str):
        return value
    try:
        text = json.dumps(value, allow_nan=False)
    except ValueError as error:
        raise NotPlain("it refers to itself" if "ircular" in str(error) else "it holds a number that is none") from None
    except TypeError as error:
        raise NotPlain(str(error)) from None
    except RecursionError:
        raise NotPlain("it is nested too deep") from None
    if text.count("[") + text.count("{") > DEEPEST and _depth(text) > DEEPEST:
        raise NotPlain(f"it is nested more than {DEEPEST} deep")
    return json.loads(text)


def _depth(text: str) -> int:
    """The deepest nesting of a JSON text."""
    brackets = _NO_BRACKET.sub("", _STRING.sub("", text))
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


def step_states(run: Run) -> dict[str, str]:
    """The states of the workflow's own steps by their ids, those of called workflows left out."""
    states: dict[str, str] = {}
    for entry in run["trace"]:
        if "path" not in entry:
            states.setdefault(entry["stepId"], entry["state"])
    return states


def redacted(run: Run) -> Run:
    """A run in which every value that came from outside is replaced by its shape: data, moments, errors, items.

    For showing, not for going on with: what the workflow decides by is gone. It says so itself, as `redacted`.
    """
    if is_redacted(run):
        return run
    awaiting = _redacted_keys(run["awaiting"] or {}, ("input", "note", "batch")) or None
    shown = {**run, "redacted": True, "data": redact(run["data"]), "awaiting": awaiting}
    shown["history"] = [_redacted_keys(moment, ("input", "output", "item", "error")) for moment in run["history"]]
    shown["trace"] = [_redacted_keys(entry, ("error",)) for entry in run["trace"]]
    shown["loops"] = [_redacted_keys(frame, ("items", "item")) for frame in run["loops"]]
    shown["calls"] = [
        {
            **_redacted_keys(call, ("data",)),
            "loops": [_redacted_keys(frame, ("items", "item")) for frame in call["loops"]],
        }
        for call in run["calls"]
    ]
    if run.get("stopped"):
        stopped = _redacted_keys(run["stopped"], ("batch", "reason"))
        if "directive" in stopped:
            stopped["directive"] = _redacted_keys(stopped["directive"], ("reason",))
        shown["stopped"] = stopped
    if "log" in run:
        shown["log"] = [_redacted_keys(entry, ("result", "error")) for entry in run["log"]]
    return shown


def is_redacted(run: Run) -> bool:
    """Does it hold shapes in place of values?"""
    return run.get("redacted") is True


def _redacted_keys(value: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    shown = {key: redact(item) if key in keys else item for key, item in value.items()}
    if "summary" in shown:  # it quotes what was said, such as a label that is none
        shown["summary"] = _QUOTED.sub("“…”", shown["summary"])
    return shown


def save(run: Run) -> str:
    """A run as the text of a file."""
    return file_text(run)


def file_text(value: Any) -> str:
    """A value as the text of a JSON file. Half a character, as a cut text ends in, stays an escape: UTF-8 has none."""
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n"


def load(text: str, file: str = "") -> Run:
    """A run from the text of a file. Raises CircuitError when it is none."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise CircuitError(
            "This is not a saved run: it is not JSON",
            file=file,
            position=Position(error.lineno, error.colno),
            found=error.msg,
            expected="what `circuit run --save` writes",
        ) from None
    except (RecursionError, ValueError) as error:
        raise CircuitError("This is not a saved run", file=file, found=str(error)) from None
    if not isinstance(value, dict):
        raise CircuitError("This is not a saved run", file=file, expected="a JSON object")
    for key, kind in _KEYS.items():
        if not isinstance(value.get(key), kind):
            found = f"no “{key}”" if key not in value else f"another value in “{key}”"
            raise CircuitError("This is not a saved run", file=file, found=found, expected=f"{_KINDS[kind]} in “{key}”")
    return value
