"""How a run begins: refused, from the first node, or from where an earlier one failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.skills.engine.results import earlier_attempt
from circuit_export.formats.skills.engine.state import (
    CANCELLED,
    CYCLE,
    DAG,
    FAILED,
    IDLE,
    QUEUED,
    SKIPPED,
    TIMEOUT,
    end,
    set_state,
)
from circuit_export.formats.skills.rules.graph_cycle import spelled
from circuit_export.formats.skills.rules.survey import Profile
from circuit_export.formats.wording import names
from circuit_export.runs import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from circuit_export.formats.skills.document import SkillsDocument
    from circuit_export.formats.skills.engine.state import Options
    from circuit_export.formats.skills.plan import Plan
    from circuit_export.runs.record import Run

EMPTY: Final = "empty"
A_CYCLE: Final = "cycle"
INVALID: Final = "invalid-graph"


def new_run(document: SkillsDocument, run_id: str, now: str, mode: str, runs_in_rounds: bool) -> Run:
    """A run in which nothing has happened yet."""
    if mode not in (record.LIVE, record.TEST):
        raise CircuitError("There is no such mode", found=mode, expected=f"{record.LIVE} or {record.TEST}")
    return {
        "id": run_id,
        "workflowId": document.id,
        "status": record.RUNNING,
        "mode": mode,
        "startedAt": now,
        "data": {"steps": {}},
        "queue": [],
        "loops": [],
        "flowId": document.id,
        "calls": [],
        "awaiting": None,
        "attempts": 0,
        "failedAt": None,
        "trace": [{"stepId": node.id, "state": record.IDLE} for node in document.nodes],
        "history": [],
        "directives": 0,
        "since": 0,
        "taken": [],
        "seen": {},
        "stopped": None,
        "state": record.RUNNING,
        "nodeStates": {node.id: QUEUED for node in document.nodes},
        "runMode": CYCLE if runs_in_rounds else DAG,
        "iteration": 1 if runs_in_rounds else None,
        "rejected": None,
        "cancelling": False,
        "worst": None,
        "tails": {},
        "rerun": None,
    }


def rejection(document: SkillsDocument, plan: Plan, options: Options) -> tuple[str, str, str] | None:
    """Why a graph is not run: the reason's name, the node it is about, and a sentence; None when it is."""
    if not document.nodes:
        return EMPTY, "", "The graph has no node, so there is nothing to run."
    ids = [node.id for node in document.nodes]
    if plan.cycle and not options.allow_cycles:
        way = [ids[node] for node in plan.cycle]
        waiting = f"Nodes wait for each other in a circle: {spelled(way)}."
        return A_CYCLE, way[0], f'{waiting} To run in rounds, the graph says "x-circuit": {{"allowCycles": true}}.'
    if len(plan.roots) > 1 and options.profile is Profile.APP:
        first = [ids[root[0]] for root in plan.roots]
        return INVALID, first[1], f"The graph begins in {len(first):,} places: {names(first, 6)}."
    return None


def reject(run: Run, document: SkillsDocument, why: tuple[str, str, str], now: str) -> None:
    """Ends a run that is not started: every node skipped and the run failed; an empty graph stays as it is."""
    reason, node_id, sentence = why
    run["rejected"] = reason
    run["stopped"] = {"act": "blocked", "stepId": node_id, "reason": sentence}
    for node in document.nodes:
        set_state(run, node.index, node.id, SKIPPED)
    end(run, IDLE if reason == EMPTY else FAILED, now)


def first_to_repeat(previous: Run, order: Sequence[str]) -> str | None:
    """The first node of the order that failed, timed out or was cancelled in an earlier run."""
    states: Mapping[str, Any] = previous["nodeStates"]
    return next((id for id in order if states.get(id) in (FAILED, TIMEOUT, CANCELLED)), None)


def take_over(run: Run, document: SkillsDocument, previous: Run, order: Sequence[str], start: str) -> None:
    """Begins at a node: those before it are skipped, and what they put out in the earlier run is there again."""
    before = order[: list(order).index(start)]
    old = previous["data"]["steps"]
    for id in before:
        set_state(run, document.by_id[id], id, SKIPPED)
        if id in old:
            run["data"]["steps"][id] = old[id]
    run["queue"] = list(reversed(order[len(before) :]))
    run["rerun"] = earlier_attempt(previous, start)


def take_up(run: Run, fresh: Run) -> None:
    """Makes a run that stopped the fresh one that goes on from there; what happened so far stays on record."""
    kept = {key: run[key] for key in ("startedAt", "directives", "taken", "seen")}
    history = [*run["history"], *fresh["history"]]
    run.clear()
    run.update(fresh, **kept, history=history, since=kept["directives"])
