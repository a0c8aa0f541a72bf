"""Boards that run by the clock: armed, disarmed, tied to a task, and checked for whether they still run."""

from __future__ import annotations

from circuit_export.board.text_clean import flat
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.steps.document import StepsDocument
from circuit_export.formats.steps.engine.schedule import NoCron, State, firings, problem
from circuit_export.formats.steps.guards import unguarded_writes
from circuit_export.formats.wording import counted
from circuit_export.formats.wording import shown as quoted
from circuit_export.server.answers import Answer, Listed, label, lines
from circuit_export.server.arguments import Arguments
from circuit_export.server.desk import Desk, Edit, Opened, change, open_board, read_board
from circuit_export.server.payload import DESIGN, board_payload, describe
from circuit_export.server.saving import obstacles
from circuit_export.server.schemas import WORKFLOW, flag, takes, text
from circuit_export.server.tools.spec import Spec
from circuit_export.store.base import ARMED, DRAFT, Content, Schedule, StoredBoard
from circuit_export.store.shelf import Checkup, checkups

NEVER_CONFIRMED = "no scheduled task was ever reported back"


async def arm(desk: Desk, given: Arguments) -> Answer:
    force = given.flag("force", False)
    before: list[Schedule | None] = []

    async def armed(board: StoredBoard) -> Content:
        before[:] = [board.head.schedule]
        opened = await read_board(desk, board)
        if not force:
            _refuse_unguarded(opened)
        return board.content._replace(status=ARMED, schedule=_schedule(desk, opened))

    opened = await _changed(desk, given.text("workflowId"), armed)
    schedule, wrong = opened.board.head.schedule, await obstacles(desk, opened)
    if schedule is None:
        said = "Armed. It has no schedule, which circuit_health will say: it runs when somebody asks for it."
        return Answer(lines(said, describe(opened), wrong), _props(desk, opened), opened=opened)
    prompt = _prompt(opened)
    to_do, then = _task(schedule, before[0])
    when = f"{label(schedule.note or schedule.cron)} ({schedule.cron}, UTC)"
    said = f"Armed: {when}. It does not run by itself. {to_do}\n\n{prompt}\n\n{then}"
    return Answer(lines(said, wrong), {**_props(desk, opened), "schedulePrompt": prompt}, opened=opened)


def _task(schedule: Schedule, before: Schedule | None) -> tuple[str, str]:
    """What is to be done about the scheduled task, before its prompt is said, and after."""
    if not schedule.task_id:
        return (
            "Create a scheduled task with exactly this prompt:",
            "Then call circuit_scheduled with the task's id; until then circuit_health says that it never was "
            "confirmed.",
        )
    task, gone = quoted(schedule.task_id), "If it is gone, create one anew and call circuit_scheduled with its id."
    if before is not None and before.cron != schedule.cron:
        return f"Its task {task} was made for {before.cron}: change its time. Its prompt is exactly this:", gone
    return f"Its task {task} is on file, so it needs no other. Its prompt is exactly this:", gone


def _refuse_unguarded(opened: Opened) -> None:
    writes = unguarded_writes(opened.document, opened.called)
    if writes:
        raise Listed(
            "It was not armed: nobody approves what these steps change",
            (f"{write.step.id}: {label(str(write.step.config.get('tool')))}" for write in writes),
            hint="put a gate.approve before them with circuit_patch, or pass force when the user wants it so",
        )


def _schedule(desk: Desk, opened: Opened) -> Schedule | None:
    """The schedule of a board whose entry says one, with the task that was confirmed for it. Raises CircuitError."""
    kept = opened.board.head.schedule
    start = opened.document.start
    if start.type != "trigger.schedule":
        return None
    cron, note = start.config.get("cron"), start.config.get("note", "")
    if not isinstance(cron, str):
        raise CircuitError(f"It was not armed: {quoted(start.id)} has no cron line", hint="circuit_patch gives it one")
    wrong = problem(cron)
    if wrong is None and not _fires(cron, desk):
        wrong = "it never fires"
    if wrong is not None:
        raise CircuitError(f"It was not armed: its cron line cannot be used: {wrong}", found=cron)
    said = note if isinstance(note, str) else ""
    return Schedule(cron, said) if kept is None else kept._replace(cron=cron, note=said)


def _fires(cron: str, desk: Desk) -> bool:
    try:
        return next(firings(cron, desk.now()), None) is not None
    except NoCron:
        return False


def _prompt(opened: Opened) -> str:
    head = opened.board.head
    asked: StepsDocument = opened.document
    given = ", ".join(label(item.name) for item in asked.inputs if item.must_be_given)
    inputs = f" Pass its inputs ({given}) as agreed with the user." if given else ""
    return (
        f"Run the Circuit workflow “{label(asked.name)}”: call circuit_run with workflowId {head.id}.{inputs} Obey one "
        "directive at a time and report each with circuit_step until act is done. When act is ask, stop and wait for "
        "the user. Report a failure as a failure."
    )


async def disarm(desk: Desk, given: Arguments) -> Answer:
    async def disarmed(board: StoredBoard) -> Content:
        return board.content._replace(status=DRAFT)

    opened = await _changed(desk, given.text("workflowId"), disarmed)
    schedule = opened.board.head.schedule
    said = "It is a draft again." + (" Its schedule is kept." if schedule is not None else "")
    if schedule is not None and schedule.task_id:
        said += f" Delete the scheduled task {quoted(schedule.task_id)}, which would go on starting runs."
    return Answer(lines(said, describe(opened)), _props(desk, opened), opened=opened)


async def scheduled(desk: Desk, given: Arguments) -> Answer:
    task = given.text("taskId").strip()
    if not task:
        raise CircuitError("“taskId” is blank", expected="the id of the scheduled task that you created")

    async def confirmed(board: StoredBoard) -> Content:
        schedule = board.head.schedule
        if schedule is None:
            raise CircuitError(f"{quoted(board.head.id)} has no schedule", hint="arm it first: circuit_arm")
        return board.content._replace(schedule=schedule._replace(task_id=task, confirmed_at=desk.stamp()))

    opened = await _changed(desk, given.text("workflowId"), confirmed)
    draft = opened.board.head.status == DRAFT
    said = f"The task {quoted(task)} runs it." + (" It is a draft still: circuit_arm marks it live." if draft else "")
    return Answer(lines(said, describe(opened)), _props(desk, opened), opened=opened)


async def _changed(desk: Desk, board_id: str, edit: Edit) -> Opened:
    """A circuit board after a change of its standing. Raises CircuitError, before anything, for another format."""
    await open_board(desk, board_id)
    await change(desk, board_id, edit)
    return await open_board(desk, board_id)


def _props(desk: Desk, opened: Opened) -> dict[str, object]:
    return board_payload(desk, opened, phase=DESIGN)


async def health(desk: Desk, given: Arguments) -> Answer:
    found = await checkups(desk.store, desk.workspace, desk.now())
    if not found:
        return Answer("Nothing is armed, so nothing can have stopped.")
    ill = [one for one in found if not one.is_fine]
    head = f"{counted(len(ill), 'workflow needs', 'workflows need')} attention." if ill else "All that are armed fire."
    return Answer(lines(head, *map(_checkup, found)))


_NEXT = {
    State.NO_SCHEDULE: "circuit_patch gives its trigger a cron line, circuit_arm takes it over; circuit_disarm makes "
    "it a draft.",
    State.NEVER_CONFIRMED: "circuit_arm says the task's prompt, circuit_scheduled records the task.",
    State.NEVER_RUN: "circuit_run runs it.",
    State.OVERDUE: "circuit_runs says what its last runs did, circuit_scheduled records another task.",
}
"""What to call when it is not well."""


def _checkup(one: Checkup) -> str:
    detail, schedule = one.health.detail, one.head.schedule
    if one.health.state is State.NEVER_CONFIRMED:
        detail = f"It is armed, and {NEVER_CONFIRMED}. {detail}"
    elif schedule is not None and schedule.task_id:
        detail += f" Its task is {quoted(schedule.task_id)}."
    detail = " ".join((detail, _NEXT.get(one.health.state, ""))).strip()
    mark = "ok" if one.is_fine else "✕ "
    return f"{mark} {one.head.id}  {label(one.head.facts.name)}: {one.health.state.value}\n   {flat(detail)}"


TOOLS = (
    Spec(
        "circuit_arm",
        "Mark a workflow live",
        "Marks a workflow live. One with a schedule also needs a scheduled task, which you create with the prompt in "
        "the answer. Refused while something is changed that nobody approves, unless forced.",
        arm,
        takes({"workflowId": WORKFLOW}, force=flag("Arm it though nobody approves what it changes.")),
        destroys=True,
        repeatable=True,
        draws=True,
    ),
    Spec(
        "circuit_disarm",
        "Take a workflow off live",
        "Makes a workflow a draft again. Its schedule is kept.",
        disarm,
        takes({"workflowId": WORKFLOW}),
        repeatable=True,
        draws=True,
    ),
    Spec(
        "circuit_scheduled",
        "Record the scheduled task",
        "Records the scheduled task that runs an armed workflow.",
        scheduled,
        takes({"workflowId": WORKFLOW, "taskId": text("The id of the task.")}),
        repeatable=True,
        draws=True,
    ),
    Spec(
        "circuit_health",
        "Is anything quietly dead?",
        "How the armed workflows are: which ones should have run and did not. Call it unasked when something seems to "
        "have gone quiet.",
        health,
        reads=True,
        repeatable=True,
    ),
)
