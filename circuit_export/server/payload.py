"""A board as clients draw it, and the same in words for the model."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from circuit_export.board.text_clean import flat
from circuit_export.formats.json_text import write
from circuit_export.formats.likeness import plain
from circuit_export.formats.steps.catalog import CATALOG, ports
from circuit_export.formats.steps.connectors import by_plain, tool_of, writes
from circuit_export.formats.steps.guards import GATE
from circuit_export.formats.steps.summaries import summary
from circuit_export.formats.steps.words import step_name
from circuit_export.formats.wording import counted
from circuit_export.runs.directives import ASK
from circuit_export.runs.record import FAILED, IDLE, Run
from circuit_export.server.answers import label
from circuit_export.server.desk import Desk, Opened, loaded, places
from circuit_export.server.ready import Ready, ready
from circuit_export.server.view.drawing import digest_of

if TYPE_CHECKING:
    from circuit_export.definition import Definition
    from circuit_export.formats.steps.document import OnError, Step, StepsDocument
    from circuit_export.store.base import BoardHead, Schedule

DESIGN = "design"
RUN = "run"

AWAITED = ("stepId", "act", "turn", "note")
"""What clients are told of the step that a run waits at; the note says why it is asked once more."""

REMEMBERED = 500
"""Steps that a board may have for its payload to be remembered, as a run asks for it at every step."""

WHOLE = 20
"""Moments that a run may have for the answer to a report to hold them all."""

RECENT = 8
"""Moments that it holds of a longer run, the newest: all of them, at every step, would cost more than the step."""


def board_payload(
    desk: Desk,
    opened: Opened,
    run: Run | None = None,
    *,
    names: tuple[str, ...] | None = None,
    moments: int | None = None,
    **extra: Any,
) -> dict[str, Any]:
    """The payload of a board; `names` are the bound tools when they were checked, `extra` its phase and more.

    Of a long run so many of the newest `moments` are in it, all if that is None. `drawing` is the digest of what a
    view paints.
    """
    return {
        "workflow": workflow_payload(opened, names),
        "run": None if run is None else run_payload(run, moments),
        "storage": desk.store.kind,
        "drawing": digest_of(opened),
        **extra,
    }


def workflow_payload(opened: Opened, names: tuple[str, ...] | None) -> Ready:
    """A board as clients draw it, without a run of it; whoever gets it must not change it."""
    head, document = opened.board.head, opened.document
    callees = tuple(sorted((name, callee.definition) for name, callee in opened.called.items()))
    make = _workflow if len(document.steps) <= REMEMBERED else _workflow.__wrapped__
    return make(head, document.definition, callees, names)


@lru_cache(maxsize=16)
def _workflow(
    head: BoardHead, definition: Definition, callees: tuple[tuple[str, Definition], ...], names: tuple[str, ...] | None
) -> Ready:
    document, placed = loaded(definition), places(definition)
    called = {name: loaded(callee) for name, callee in callees}
    had = None if names is None else by_plain(names)
    return ready(
        {
            "id": head.id,
            "name": document.name,
            "description": document.description,
            "status": head.status,
            "entry": document.start.id,
            "inputs": inputs(document),
            "schedule": schedule_value(head.schedule),
            "lastRunAt": head.last_run_at or None,
            "version": head.version,
            "steps": [
                {
                    **_step(step, called, had),
                    "position": {"col": placed[step.index].col, "lane": placed[step.index].lane},
                }
                for step in document.steps
            ],
        }
    )


def inputs(document: StepsDocument) -> list[dict[str, Any]]:
    return [
        {"name": item.name, "description": item.description, "required": item.required}
        | ({"default": item.default} if item.has_default else {})
        for item in document.inputs
    ]


def schedule_value(schedule: Schedule | None) -> dict[str, Any] | None:
    """A schedule with the task that was confirmed for it, if one was."""
    if schedule is None:
        return None
    value: dict[str, Any] = {"cron": schedule.cron, "note": schedule.note}
    if schedule.task_id:
        value |= {"taskId": schedule.task_id, "confirmedAt": schedule.confirmed_at}
    return value


def _step(step: Step, called: Mapping[str, StepsDocument], had: Mapping[str, str] | None) -> dict[str, Any]:
    entry = CATALOG.get(step.type)
    tool = tool_of(step)
    return {
        "id": step.id,
        "type": step.type,
        "kind": entry.kind.value if entry else "step",
        "label": entry.verb if entry else "step",
        "actor": entry.actor.value if entry else "claude",
        "title": step_name(step),
        "summary": summary(step, called),
        "tool": tool or None,
        "toolKnown": None if not tool or had is None else plain(tool) in had,
        "ports": list(ports(step)),
        "next": [{"port": wire.port, "to": wire.to} for wire in step.next],
        "enabled": step.enabled,
        "onError": _policy(step.on_error),
        "writes": writes(step),
    }


def _policy(policy: OnError | None) -> dict[str, Any] | None:
    if policy is None:
        return None
    settings: dict[str, dict[str, Any]] = {"retry": {"attempts": policy.attempts}, "route": {"port": policy.port}}
    return {"do": policy.do, **settings.get(policy.do, {})}


def run_payload(run: Run, moments: int | None = None) -> dict[str, Any]:
    """A run as clients draw it; what it was handed and what came back is in it clipped.

    With `moments` only the newest of a long run are in it, and `earlierMoments` says how many are not.
    """
    history = run["history"]
    left_out = 0 if moments is None or len(history) <= WHOLE else len(history) - moments
    return {
        "id": run["id"],
        "workflowId": run["workflowId"],
        "status": run["status"],
        "mode": run["mode"],
        "startedAt": run["startedAt"],
        "endedAt": run.get("endedAt"),
        "trace": run["trace"],
        "awaiting": _awaited(run),
        "failedAt": run["failedAt"],
        "history": history[left_out:],
        **({"earlierMoments": left_out} if left_out else {}),
        "input": run["data"]["input"],
    }


def _awaited(run: Run) -> dict[str, Any] | None:
    awaiting = run["awaiting"]
    return None if not awaiting else {key: awaiting[key] for key in AWAITED if key in awaiting}


def awaited(opened: Opened, run: Run) -> dict[str, Any]:
    """The directive that a run waits with, for the payload of one that was only looked at; nothing when it does not."""
    if not run["awaiting"]:
        return {}
    present = opened.machine.advance(run, "")
    return {"directive": present} if present["act"] == run["awaiting"]["act"] else {}


def going_on(present: Mapping[str, Any]) -> str:
    """What `awaited` found, for the model."""
    if not present:
        return ""
    how = "a person answers it" if present["directive"]["act"] == ASK else "circuit_step reports its result"
    return f"To go on with this run ({how}):\n{json.dumps(present['directive'], ensure_ascii=False, indent=1)}"


def exported(opened: Opened) -> str:
    """A board's text as it leaves the store: the exact one, with the schedule that it was armed with if it lacks it."""
    schedule, document = opened.board.head.schedule, opened.document
    written = document.schedule
    if schedule is None or (written is not None and (written.cron, written.note) == (schedule.cron, schedule.note)):
        return opened.board.text
    return write({**document.value, "schedule": {"cron": schedule.cron, "note": schedule.note}})


def describe(opened: Opened, run: Run | None = None) -> str:
    """A board, and a run of it, in words."""
    head, document = opened.board.head, opened.document
    said = [
        f"{label(document.name)} ({label(head.id)}) — {head.status}, {counted(len(document.steps), 'step')}, "
        f"entry: {flat(document.start.id)}"
    ]
    if document.inputs:
        said.append("asks for " + ", ".join(label(item.name) for item in document.inputs))
    entries = {entry["stepId"]: entry for entry in reversed(run["trace"]) if "path" not in entry} if run else {}
    said += [_line(step, entries.get(step.id)) for step in document.steps]
    if run is not None:
        gates = {step.id for step in document.steps if step.type == GATE}
        said.append(_run_line(run, gates))
    return "\n".join(said)


def _line(step: Step, entry: Mapping[str, Any] | None) -> str:
    wires = flat(", ".join(wire.to if wire.port == "out" else f"{wire.port}→{wire.to}" for wire in step.next))
    line = f"  {flat(step.id)}  {label(step.type)}  “{label(step_name(step))}”" + (f"  → {wires}" if wires else "")
    if not step.enabled:
        line += "  (switched off)"
    if entry is None or entry["state"] == IDLE:
        return line
    detail = entry.get("error") or entry.get("summary") or ""
    return f"{line}  [{entry['state']}{': ' + label(detail) if detail else ''}]"


def _run_line(run: Run, gates: Collection[str]) -> str:
    line = f"run {run['id']} ({run['mode']}): {run['status']}"
    if run["awaiting"]:
        return f"{line}, waits at {flat(run['awaiting']['stepId'])}"
    if run["status"] == FAILED:
        over = "" if run["failedAt"] in gates else ", or steps over it with skip"
        return f"{line}, stopped at {flat(run['failedAt'])}; circuit_resume takes it up there{over}"
    return line
