"""The run as the engine works on it: the states of nodes and of the run, in the format's words and in the shared ones.

A run of a skill graph has the keys that every run has (see the run record), and beside them those of this format:

`state` (idle, running, success, failed, cancelled or timeout), `nodeStates` (by node id), `runMode` (`dag` or
`cycle`), `iteration` (the round of a loop, from 1; null outside one), `rejected` (why it was not started, or null),
`cancelling` (whether to end before the next node), `worst` (the last node that did not succeed), `tails` (the end of
what nodes printed) and `rerun` (what an earlier run left for its first node). Results are in `data.steps`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from circuit_export.formats.skills.document import RUNNABLE
from circuit_export.formats.skills.rules.survey import Profile
from circuit_export.runs import record

if TYPE_CHECKING:
    from circuit_export.runs.record import Run

QUEUED: Final = "queued"
RUNNING: Final = "running"
WAITING: Final = "waiting_input"
SUCCESS: Final = "success"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
CANCELLED: Final = "cancelled"
TIMEOUT: Final = "timeout"
IDLE: Final = "idle"

RESULTS: Final = (SUCCESS, FAILED, CANCELLED, TIMEOUT)
"""What a node, or a whole run, can end with."""

DAG: Final = "dag"
CYCLE: Final = "cycle"

# A node that is queued or skipped has not happened, so in the shared words it stays idle.
_SHARED_STATES: Final = {
    RUNNING: record.RUNNING,
    WAITING: record.HELD,
    SUCCESS: record.STEP_DONE,
    FAILED: record.FAILED,
    TIMEOUT: record.FAILED,
    CANCELLED: record.FAILED,
}
_SHARED_STATUSES: Final = {
    IDLE: record.FAILED,
    RUNNING: record.RUNNING,
    SUCCESS: record.SUCCEEDED,
    FAILED: record.FAILED,
    TIMEOUT: record.FAILED,
    CANCELLED: record.CANCELLED,
}


class Options(NamedTuple):
    """On which terms graphs are run.

    `allow_cycles` lets a graph with a cycle run in rounds, at most `rounds` of them and `directives` in all.
    `profile` APP refuses what the public application refuses. `allowed` are the providers that a run may use,
    `executors` those that somebody executes. `timeout_ms` is what a node has that does not say.
    """

    allow_cycles: bool = False
    profile: Profile = Profile.DEFAULT
    rounds: int = 100
    directives: int = 10_000
    allowed: tuple[str, ...] = RUNNABLE
    executors: tuple[str, ...] = RUNNABLE
    timeout_ms: int = 300_000


def set_state(run: Run, index: int, node_id: str, state: str, *, summary: str = "", error: str = "") -> None:
    """Sets a node's state, in the format's words and in the shared ones.

    In those a node that ran in an earlier round of a loop keeps what it ended with while it waits for the next one.
    """
    run["nodeStates"][node_id] = state
    if state in (QUEUED, SKIPPED):
        return
    entry: dict[str, Any] = {"stepId": node_id, "state": shared(state)}
    if summary:
        entry["summary"] = summary
    if error:
        entry["error"] = error
    run["trace"][_place(run, index, node_id)] = entry


def has_run(run: Run, index: int, node_id: str) -> bool:
    """Has a node happened in this run, in whichever round?"""
    found: bool = run["trace"][_place(run, index, node_id)]["state"] != record.IDLE
    return found


def _place(run: Run, index: int, node_id: str) -> int:
    """Where a node stands in the trace: at its own place, unless the graph was edited since the run began."""
    trace = run["trace"]
    if index < len(trace) and trace[index]["stepId"] == node_id:
        return index
    at = next((at for at, entry in enumerate(trace) if entry["stepId"] == node_id), len(trace))
    if at == len(trace):
        trace.append({"stepId": node_id, "state": record.IDLE})
    return at


def shared(state: str) -> str:
    """A node's state in the words that all formats share."""
    return _SHARED_STATES.get(state, record.IDLE)


def end(run: Run, state: str, now: str) -> None:
    """Ends a run."""
    run["state"] = state
    run["status"] = _SHARED_STATUSES[state]
    run["endedAt"] = now
    run["awaiting"] = None
    run["queue"] = []


def run_state(run: Run) -> dict[str, Any]:
    """The run as the format documents it (`RunState` in the schema): a new object that shares nothing."""
    found = {
        "runId": run["id"],
        "workflowId": run["workflowId"],
        "status": run["state"],
        "runMode": run["runMode"],
        "nodeStates": dict(run["nodeStates"]),
        "activeNodeId": run["awaiting"]["stepId"] if run["awaiting"] else None,
        "iteration": run["iteration"],
        "startedAt": run["startedAt"],
    }
    if "endedAt" in run:
        found["finishedAt"] = run["endedAt"]
    return found
