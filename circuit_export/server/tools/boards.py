"""Boards designed, listed, opened and imported."""

from __future__ import annotations

from itertools import islice
from typing import Any

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.likeness import nearest
from circuit_export.formats.steps.document import FORMAT_NAME, VERSION
from circuit_export.formats.wording import counted
from circuit_export.formats.wording import shown as quoted
from circuit_export.server.answers import Answer, label, lines
from circuit_export.server.arguments import SAID, Arguments
from circuit_export.server.desk import ATTEMPTS, Desk, open_board, read_board, steps_of
from circuit_export.server.payload import DESIGN, RUN, awaited, board_payload, describe, going_on
from circuit_export.server.saving import check, connectors, out_of_step, read_value, remarks
from circuit_export.server.schemas import INPUT, STEP, WORKFLOW, some, takes, text
from circuit_export.server.tools.spec import Spec
from circuit_export.store.base import NEW, Content, StoredBoard, check_names
from circuit_export.store.shelf import facts_of


async def list_all(desk: Desk, given: Arguments) -> Answer:
    heads = await desk.store.list_boards(desk.workspace)
    if not heads:
        return Answer("There are no workflows yet. circuit_design makes one.")
    width = max(len(head.id) for head in heads)
    said = [
        f"{head.id:{width}}  {head.status:5}  {label(head.facts.name)}  {counted(head.facts.steps, 'step')}"
        for head in heads
    ]
    return Answer("\n".join(said))


async def design(desk: Desk, given: Arguments) -> Answer:
    given.text("name")
    given.items("steps")
    wanted = given.text("workflowId", "").strip()
    unread = [
        f"{quoted(key)} was not read: “workflowId” names the workflow to replace, or a new one."
        for key, value in islice(given.given.items(), SAID * len(given.known))
        if value not in (None, wanted) and (key == "id" or (key not in given.known and nearest(key, ("workflowId",))))
    ]
    for _ in range(ATTEMPTS):
        board_id = wanted or desk.new_id("wf")
        check_names(board_id)
        kept = await desk.store.get_board(desk.workspace, board_id)
        if kept is not None and kept.head.format != FORMAT_NAME:
            steps_of(kept)  # says that boards alone are replaced
        document = read_value(_value(given, board_id, kept), board_id)
        found = await check(desk, document)
        content = Content(document.definition.text, FORMAT_NAME, facts_of(document))
        if kept is not None:
            content = content._replace(status=kept.head.status, schedule=kept.head.schedule)
        expected = kept.head.revision if kept is not None else NEW
        head = await desk.store.put_board(desk.workspace, board_id, content, expected=expected, at=desk.stamp())
        if head is not None:
            return await shown(desk, StoredBoard(head, content.text), lines(*unread, "Saved."), remarks(found))
    raise CircuitError(f"“{wanted}” is being changed by somebody else all the time", hint="try again in a moment")


def _value(given: Arguments, board_id: str, kept: StoredBoard | None) -> dict[str, Any]:
    """The board as it was given, whatever else it holds; a board that is replaced keeps its inputs unless told."""
    rest = {key: value for key, value in given.given.items() if key not in ("workflowId", "circuit", "id")}
    if not given.given.get("inputs"):
        before = steps_of(kept).value.get("inputs") if kept is not None else None
        rest["inputs"] = before if before is not None else []
    for optional in ("entry", "description"):
        if rest.get(optional) in (None, ""):
            rest.pop(optional, None)
    return {"circuit": VERSION, "id": board_id, "name": rest.pop("name"), "description": "", **rest}


async def shown(desk: Desk, board: StoredBoard, *said: str) -> Answer:
    """A board that was saved: what was done, the board, its connectors, and what is wrong with it."""
    opened = await read_board(desk, board)
    wanted = await connectors(desk, opened)
    text = lines(said[0], describe(opened), wanted.said, *said[1:], out_of_step(opened))
    props = board_payload(desk, opened, names=wanted.names, phase=DESIGN, tools=wanted.value)
    return Answer(text, props, opened=opened)


async def open_one(desk: Desk, given: Arguments) -> Answer:
    opened = await open_board(desk, given.text("workflowId"))
    runs = await desk.store.list_runs(desk.workspace, opened.board.head.id, limit=1)
    stored = await desk.store.get_run(desk.workspace, runs[0].id) if runs else None
    run = stored.run if stored else None
    if run is None:
        return Answer(describe(opened), board_payload(desk, opened, phase=DESIGN), opened=opened)
    present = awaited(opened, run)
    text = lines(describe(opened, run), going_on(present))
    return Answer(text, board_payload(desk, opened, run, phase=RUN, **present), opened=opened, run=run)


TOOLS = (
    Spec(
        "circuit_list",
        "List workflows",
        "Every saved workflow: its id, status, name and number of steps.",
        list_all,
        reads=True,
        repeatable=True,
    ),
    Spec(
        "circuit_design",
        "Design a workflow",
        "Save a whole workflow in one call: all steps with their wires. Use exact tool names, only those that you "
        "reported with circuit_bind; say so when nothing fits. Put a gate.approve before whatever is sent. Ask for "
        "what changes from run to run with inputs. With the id of a workflow it replaces that one, whose schedule, "
        "last run and inputs stay.",
        design,
        takes(
            {"name": text("What it is called."), "steps": some(STEP, "All its steps.", minItems=1)},
            workflowId=text("A workflow to replace; a new one unless given."),
            description=text("What it does and for whom, in a sentence or two.", default=""),
            entry=text("The step where a run starts; the first trigger unless given."),
            inputs=some(INPUT, "What a run asks for.", default=[]),
        ),
        destroys=True,
        draws=True,
    ),
    Spec(
        "circuit_open",
        "Open a workflow",
        "A workflow with its newest run.",
        open_one,
        takes({"workflowId": WORKFLOW}),
        reads=True,
        repeatable=True,
        draws=True,
    ),
)
