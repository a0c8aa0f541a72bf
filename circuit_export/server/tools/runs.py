"""Runs: started, moved on one directive at a time, taken up again, and looked at."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.likeness import nearest
from circuit_export.formats.steps.calls import CALL
from circuit_export.formats.steps.engine.state import missing_inputs, with_defaults
from circuit_export.formats.steps.guards import GATE
from circuit_export.formats.wording import shown as quoted
from circuit_export.runs.directives import ASK, CALL_MANY, Directive
from circuit_export.runs.record import ENDED, FAILED, LIVE, TEST, NotPlain, Run
from circuit_export.server.answers import Answer, Listed, instruct, label, lines
from circuit_export.server.arguments import Arguments
from circuit_export.server.desk import BOARD, Desk, Opened, board_of, open_board
from circuit_export.server.payload import RECENT, RUN, awaited, board_payload, describe
from circuit_export.server.running import Moved, board_of_run, moving, run_of
from circuit_export.server.running import move as moved_on
from circuit_export.server.saving import connectors, refuse_missing
from circuit_export.server.schemas import RUN_ID, STEP_ID, WORKFLOW, anything, choice, flag, objects, takes, text, whole
from circuit_export.server.tools.spec import EVERYBODY, Spec

if TYPE_CHECKING:
    from circuit_export.formats.steps.document import StepsDocument
    from circuit_export.runs.machine import Machine

TURN = whole("The turn of the directive that this answers; a late duplicate then changes nothing.")
MOST = 100
SAID = 5

_READ = re.compile(r"\binput\.([\w-]+)")


async def run(desk: Desk, given: Arguments) -> Answer:
    mode = given.choice("mode", (TEST, LIVE), LIVE)
    wanted = given.object("input", {})
    opened = await open_board(desk, given.text("workflowId"))
    needed = await connectors(desk, opened)
    refuse_missing(needed)
    _refuse_without_inputs(opened.document, wanted)
    machine, at = opened.machine, desk.stamp()
    while True:
        started = machine.start(desk.new_id("run"), at, mode, given.given.get("trigger"), wanted)
        directive = await moving(opened, partial(machine.advance, started, at))
        if await desk.store.add_run(desk.workspace, started, fired=mode == LIVE) is not None:
            break
    note = _unasked(opened, wanted)
    if needed.names is None and needed.needed:
        note.append("No binding is on file, so its tools were not checked; circuit_bind reports those you have.")
    return answer(desk, Moved(opened, started, directive), lines(*note))


def _unasked(opened: Opened, wanted: dict[str, Any]) -> list[str]:
    """A sentence for each input that nothing asks for or reads, those after the first few as their number."""
    asked = [item.name for item in opened.document.inputs]
    others = wanted.keys() - set(asked)
    if others:
        others -= set(_READ.findall(opened.board.text))
    unknown = [name for name in wanted if name in others]
    said = []
    for name in unknown[:SAID]:
        near = nearest(name, asked[:MOST])
        said.append(f"{quoted(name)} is no input of this workflow." + (f" {quoted(near)}?" if near else ""))
    return [*said, f"Nor are {len(unknown) - SAID:,} more."] if len(unknown) > SAID else said


def _refuse_without_inputs(document: StepsDocument, wanted: dict[str, Any]) -> None:
    try:
        missing = missing_inputs(document, with_defaults(document, wanted))
    except NotPlain:
        return  # the engine says which
    if missing:
        raise Listed(
            "Nothing was started: inputs are missing",
            (f"{label(item.name)} — {label(item.description)}" for item in document.inputs if item.name in missing),
            hint="ask the user for them, and pass them as “input”",
        )


def answer(desk: Desk, moved: Moved, note: str = "") -> Answer:
    """A run after a move, with the directive to obey."""
    late = "Somebody else was quicker, so this report was not applied; below is where the run is." if moved.late else ""
    said = lines(late, note, describe(moved.opened, moved.run))
    props = board_payload(desk, moved.opened, moved.run, moments=RECENT, phase=RUN, directive=moved.directive)
    if moved.late:
        props["late"] = True
    return Answer(instruct(said, moved.directive), props, opened=moved.opened, run=moved.run)


async def step(desk: Desk, given: Arguments) -> Answer:
    stored = await run_of(desk, given.text("runId"))
    step_id = given.text("stepId")
    turn = _turn(given, stored.run)
    awaiting = stored.run["awaiting"]
    if desk.rules.gate_answers == BOARD and awaiting and awaiting["act"] == ASK and awaiting["stepId"] == step_id:
        raise CircuitError(
            "Nothing was reported: a person answers this gate, on the board",
            hint="ask the user to approve or reject there, and wait",
        )
    results, errors = given.object("results", {}), given.object("errors", {})
    many = awaiting is not None and awaiting["act"] == CALL_MANY
    failed = _has_failed(given)
    if (results or errors) and awaiting and awaiting["stepId"] == step_id and (failed or not many):
        raise _mixed(step_id, many)

    def report(machine: Machine, run: Run, now: str) -> Directive:
        if failed:
            return machine.fail(run, now, step_id, given.given["error"], turn)
        if many and (given.has("results") or given.has("errors")):
            return machine.report_many(run, now, step_id, results, errors, turn)
        return machine.report(run, now, step_id, given.given.get("result", {}), turn)

    return answer(desk, await moved_on(desk, stored, report))


def _mixed(step_id: str, many: bool) -> CircuitError:
    """The error that a report answers for one thing and for several: read as one of them, a failure could pass for a
    success."""
    if many:
        said, hint = "“error” answers for all calls, “results” and “errors” for each", "give the one, or the others"
    else:
        said = f"{quoted(step_id)} is one thing, and “results” and “errors” answer several calls"
        hint = "report what came back as “result”, or what went wrong as “error”"
    return CircuitError(f"Nothing was reported: {said}", hint=hint)


def _has_failed(given: Arguments) -> bool:
    """Does a report say that something went wrong? A blank error beside what came back is none; alone it says nothing.

    Raises CircuitError.
    """
    error = given.given.get("error")
    if not isinstance(error, str) or error.strip():
        return error is not None
    if any(given.given.get(name) is not None for name in ("result", "results", "errors")):
        return False
    raise CircuitError(
        "Nothing was reported: “error” is blank", hint="say what went wrong, or report what came back as “result”"
    )


def _turn(given: Arguments, run: Run) -> int:
    """The turn that a report names; one that names none means what is awaited now."""
    return given.whole("turn", (run["awaiting"] or {}).get("turn", 0))


async def answer_gate(desk: Desk, given: Arguments) -> Answer:
    stored = await run_of(desk, given.text("runId"))
    decision = given.choice("decision", ("approve", "reject"))
    turn = _turn(given, stored.run)
    awaiting = stored.run["awaiting"]
    if not awaiting or awaiting["act"] != ASK:
        waits = f"it waits at {quoted(awaiting['stepId'])} for something else" if awaiting else "it waits on nothing"
        raise CircuitError(f"No gate of this run waits: it is {stored.run['status']}, and {waits}")
    edit = given.given.get("edit")
    if edit is not None:
        edit = given.text("edit")  # an empty one, too: the person may have meant that
    result = {"decision": decision, "edit": edit}
    return answer(
        desk,
        await moved_on(
            desk,
            stored,
            lambda machine, run, now: machine.report(run, now, awaiting["stepId"], result, turn),
        ),
    )


async def resume(desk: Desk, given: Arguments) -> Answer:
    stored = await run_of(desk, given.text("runId"))
    if stored.run["status"] != FAILED:
        status = stored.run["status"]
        ended = status in ENDED
        hint = "it has ended: circuit_run starts another" if ended else "circuit_open says what it waits for"
        raise CircuitError(f"This run did not stop: it is {status}", hint=hint)
    skip, more = given.flag("skip", False), given.object("input", {})
    if skip and desk.rules.gate_answers == BOARD:
        _refuse_past_a_gate(await board_of_run(desk, stored.run), stored.run)
    return answer(desk, await moved_on(desk, stored, lambda machine, run, now: machine.resume(run, now, skip, more)))


def _refuse_past_a_gate(opened: Opened, run: Run) -> None:
    """Raises CircuitError when to step over what failed is to step over a gate, which only a person may."""
    document = opened.called.get(run["flowId"], opened.document)
    step = next((step for step in document.steps if step.id == run["failedAt"]), None)
    inside = opened.called.values() if step is not None and step.type == CALL else ()
    gates = any(one.type == GATE for other in inside for one in other.steps)
    if step is not None and (step.type == GATE or gates):
        what = "is a gate" if step.type == GATE else "may ask a person"
        raise CircuitError(
            f"Nothing was done: {quoted(step.id)} {what}, and only on the board is a gate answered",
            hint="mend with circuit_patch what keeps it from being run, and resume without skip",
        )


async def runs(desk: Desk, given: Arguments) -> Answer:
    of = given.text("workflowId") if given.has("workflowId") else None
    limit = max(1, min(given.whole("limit", 10), MOST))
    heads = await desk.store.list_runs(desk.workspace, of, limit)
    if not heads:
        if of is not None:
            await board_of(desk, of)  # what was deleted may have runs; what never was is somebody's slip
        return Answer(f"There are no runs{f' of {quoted(of)}' if of else ''} yet. circuit_run starts one.")
    said = "\n".join(
        f"{head.id}  {head.status:18}  {head.mode:4}  {head.started_at}"
        + (f"  at {label(head.awaiting)}" if head.awaiting else "")
        for head in heads
    )
    newest = await desk.store.get_run(desk.workspace, heads[0].id)
    if newest is None:
        return Answer(said)
    try:
        opened = await board_of_run(desk, newest.run)
    except CircuitError:
        return Answer(said)
    props = board_payload(desk, opened, newest.run, phase=RUN, **awaited(opened, newest.run))
    return Answer(said, props, opened=opened, run=newest.run)


TOOLS = (
    Spec(
        "circuit_run",
        "Start a run",
        "Start a run and get its first directive. Obey one directive at a time and report each with circuit_step, "
        "until act is done. A test run shows writes instead of calling them.",
        run,
        takes(
            {"workflowId": WORKFLOW},
            mode=choice("live, or test.", [TEST, LIVE], default=LIVE),
            trigger=objects("What it starts with."),
            input=objects("The inputs it asks for, by name.", default={}),
        ),
        draws=True,
    ),
    Spec(
        "circuit_step",
        "Report a step and get the next one",
        "Report what the awaited step gave and get the next directive. Report a failure as “error”, never a "
        "plausible result. Answer call_many with “results” and “errors”, keyed by stepId.",
        step,
        takes(
            {"runId": RUN_ID, "stepId": STEP_ID},
            result=anything("What came back, whole."),
            error=text("What went wrong."),
            results=objects("Of call_many: what came back, by stepId."),
            errors=objects("Of call_many: what went wrong, by stepId."),
            turn=TURN,
        ),
        draws=True,
        often=True,
    ),
    Spec(
        "circuit_resume",
        "Pick up a failed run",
        "Goes on with a run that stopped: at the step where it did, or past it with skip. Everything done is kept.",
        resume,
        takes({"runId": RUN_ID}, skip=flag("Step over it."), input=objects("Inputs that were missing, by name.")),
        visible=EVERYBODY,
        draws=True,
        often=True,
    ),
    Spec(
        "circuit_runs",
        "Show recent runs",
        "The newest runs, of all workflows or of one.",
        runs,
        takes(workflowId=WORKFLOW, limit=whole("How many at most.", default=10, minimum=1, maximum=MOST)),
        reads=True,
        repeatable=True,
        draws=True,
    ),
    Spec(
        "circuit_answer",
        "Answer a held gate from the board",
        "A person's decision at a gate that waits, with an edit of what it shows if they made one.",
        answer_gate,
        takes(
            {"runId": RUN_ID, "decision": choice("What the person decided.", ["approve", "reject"])},
            edit=text("The text as the person changed it."),
            turn=TURN,
        ),
        visible=EVERYBODY,
        draws=True,
        often=True,
    ),
)
