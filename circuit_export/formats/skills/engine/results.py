"""What is reported: a result in full or a bare output, what a loop's last word is, and what a node printed last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from circuit_export.formats.skills.engine.state import FAILED, RESULTS, SUCCESS
from circuit_export.formats.skills.words import limit_words

if TYPE_CHECKING:
    from circuit_export.formats.skills.document import Node
    from circuit_export.runs.record import Run

Result = dict[str, Any]
"""A node's result as plain JSON: `status`, and whatever of `output`, `summary`, `exitCode` … was reported."""

COMPLETE: Final = "CIRCUIT_LOOP_COMPLETE"
TAIL: Final = 4096
"""Characters of what a node printed that its next attempt is shown."""

STREAMS: Final = ("stdout", "stderr")
_DIGITS: Final = 9  # more rounds than any loop can run


def read(value: Any) -> Result:
    """A reported value as a result: an object with a status that is one, else the output of a success."""
    if isinstance(value, dict) and value.get("status") in RESULTS:
        return value
    return {"status": SUCCESS, "output": value}


def is_complete(result: Result) -> bool:
    """Does a success say that the loop is done?"""
    output = result.get("output")
    return result.get("summary") == COMPLETE or (isinstance(output, dict) and output.get("loopComplete") is True)


def limited(node: Node, iteration: int) -> Result:
    """The result of a loop limiter in the given round, from 1."""
    word = limit_words(node)
    most = int(word) if word.isdecimal() and word.isascii() and len(word) <= _DIGITS else 0
    if most < 1:
        found = f"found “{word}”" if word else "there are none"
        summary = f"its “arguments” begin with the number of rounds, 1 or more; {found}"
        return {"status": FAILED, "summary": summary}
    exceeded = iteration > most
    return {
        "status": FAILED if exceeded else SUCCESS,
        "output": {"iteration": iteration, "maxIterations": most, "exceeded": exceeded},
        "summary": f"round {iteration:,} of {most:,}" if not exceeded else f"the loop has had its {most:,} rounds",
    }


def said(result: Result) -> str:
    """What a result says of itself, in one text; "" when it says nothing."""
    summary = result.get("summary")
    if isinstance(summary, str) and summary.strip():
        return summary.strip()
    code = result.get("exitCode")
    return f"exit code {code}" if isinstance(code, int) and not isinstance(code, bool) and code else ""


# --- what it printed ---------------------------------------------------------------------------------------------


def add_text(tails: dict[str, Any], event: Mapping[str, Any]) -> None:
    """Keeps the end of what an event says was printed."""
    stream, text = event.get("type"), event.get("text")
    if stream in STREAMS and isinstance(text, str):
        whole = tails.get(stream, "") + text
        tails[stream] = whole[-TAIL:]
        if len(whole) > TAIL:
            tails[f"{stream}Truncated"] = True


def earlier_attempt(run: Run, node_id: str) -> dict[str, Any]:
    """What the next attempt at a node is told of the one in `run`."""
    result: Result = run["data"]["steps"].get(node_id, {})
    tails: dict[str, Any] = dict(run["tails"].get(node_id, {}))
    logs = result.get("logs")
    if not tails and isinstance(logs, list):
        for event in logs:
            if isinstance(event, dict):
                add_text(tails, event)
    attempt: dict[str, Any] = {
        "nodeId": node_id,
        "previousAttempt": {"runId": run["id"], "status": run["nodeStates"].get(node_id)},
    }
    if "exitCode" in result:
        attempt["previousAttempt"]["exitCode"] = result["exitCode"]
    worst = run["worst"]
    error = said(result) or (worst["why"] if worst and worst["stepId"] == node_id else "")
    if error:
        attempt["lastError"] = error
    for stream in STREAMS:
        attempt[f"{stream}Tail"] = tails.get(stream, "")
        attempt[f"{stream}Truncated"] = tails.get(f"{stream}Truncated", False)
    return attempt
