"""Boards edited: patches, and the single changes that a person makes on a board."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from circuit_export.board.layout import FURTHEST
from circuit_export.diagnostics import CircuitError, Diagnostic
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.likeness import nearest
from circuit_export.formats.steps.document import FORMAT_NAME
from circuit_export.formats.wording import shown as quoted
from circuit_export.server.answers import Answer, lines
from circuit_export.server.arguments import Arguments
from circuit_export.server.desk import Desk, change, laid_out, steps_of
from circuit_export.server.saving import check, read_value, remarks
from circuit_export.server.schemas import PATCH, PORT, STEP, STEP_ID, WORKFLOW, flag, some, takes, text, whole
from circuit_export.server.tools.boards import shown
from circuit_export.server.tools.spec import APP_ONLY, EVERYBODY, Spec
from circuit_export.store.base import Content, StoredBoard
from circuit_export.store.shelf import definition_of, facts_of

Value = dict[str, Any]


async def edited(
    desk: Desk,
    board_id: str,
    edit: Callable[[Value], None],
    *,
    checked: bool = True,
    minor: bool = False,
    unread: Sequence[str] = (),
) -> Answer:
    """Applies an edit to a board's JSON and saves it; nothing is saved when it fails or, if `checked`, when the
    board could not be drawn or run any more. `unread` is what the edit says it did not understand."""
    found: list[Diagnostic] = []

    async def content(board: StoredBoard) -> Content:
        value = copy.deepcopy(steps_of(board).value)
        edit(value)
        _find_entry(value)
        document = read_value(value, board_id)
        found[:] = await check(desk, document) if checked else []
        kept = board.content
        return Content(document.definition.text, FORMAT_NAME, facts_of(document), kept.status, kept.schedule)

    head, before = await change(desk, board_id, content, minor=minor)
    board = await desk.store.get_board(desk.workspace, board_id)
    if board is None:
        raise CircuitError(f"{quoted(board_id)} was saved as version {head.version}, and deleted by somebody else")
    same = board.text == before.text
    if minor:
        unread = laid_out(definition_of(board)).findings
    said = f"Nothing changed: it is version {head.version}." if same else f"Saved as version {board.head.version}."
    return await shown(desk, board, lines(*unread, said), remarks(found))


def _find_entry(value: Value) -> None:
    """Lets the entry be the first trigger, else the first step, when the step that it named is gone."""
    steps = value["steps"]
    ids = [step.get("id") for step in steps]
    if "entry" in value and value["entry"] not in ids and steps:
        triggers = (step["id"] for step in steps if str(step.get("type")).startswith("trigger."))
        value["entry"] = next(triggers, ids[0])


def step_in(value: Value, step_id: str) -> Value:
    """A step of a board's JSON. Raises CircuitError, with the one that was probably meant, when there is none."""
    for step in value["steps"]:
        if step["id"] == step_id:
            found: Value = step
            return found
    near = nearest(step_id, [step["id"] for step in value["steps"]])
    raise CircuitError(
        f"There is no step {quoted(step_id)} on this board", hint=f"did you mean {quoted(near)}?" if near else ""
    )


# --- wires -------------------------------------------------------------------------------------------------------


def connect(value: Value, source: str, target: str, port: str) -> None:
    """Adds a wire, unless it is there."""
    if source == target:
        raise CircuitError(f"{quoted(source)} cannot be wired to itself")
    step_in(value, target)
    wires = step_in(value, source).setdefault("next", [])
    if not any(wire["to"] == target and wire.get("port", "out") == port for wire in wires):
        wires.append({"port": port, "to": target})


def disconnect(value: Value, source: str, target: str, port: str | None) -> None:
    """Cuts the wires between two steps, those of one port or all. Raises CircuitError when there is none."""
    step = step_in(value, source)
    wires = step.get("next", [])
    kept = [wire for wire in wires if wire["to"] != target or port not in (None, wire.get("port", "out"))]
    if len(kept) == len(wires):
        there = ", ".join(f"{wire.get('port', 'out')} → {wire['to']}" for wire in wires) or "no wire at all"
        raise CircuitError(f"There is no such wire from {quoted(source)} to {quoted(target)}", found=there)
    step["next"] = kept


# --- patches -----------------------------------------------------------------------------------------------------


async def patch(desk: Desk, given: Arguments) -> Answer:
    ops = given.items("ops")
    unread: list[str] = []

    def apply(value: Value) -> None:
        unread.clear()
        for place, op in enumerate(ops, 1):
            try:
                unread.extend(f"Operation {place}: {said}" for said in _apply(value, op))
            except CircuitError as error:
                raise CircuitError(
                    f"Operation {place} cannot be done, so nothing was saved: {error.message}",
                    found=error.found,
                    expected=error.expected,
                    hint=error.hint,
                ) from None

    return await edited(desk, given.text("workflowId"), apply, unread=unread)


def _apply(value: Value, op: Any) -> list[str]:
    """Does one operation; a sentence for each thing in it that was not read."""
    if not isinstance(op, dict):
        raise CircuitError("it is no object", found=kind_of(op), expected='{"op": …}')
    name = Arguments(op).choice("op", list(_OPS))
    given = Arguments(op, _KEYS[name])
    _OPS[name](value, given)
    unread = given.unread()
    if name == "update_step" and any(key in STEP["properties"] and key not in given.known for key in op):
        unread.append(_BEYOND)
    return unread


def _add_step(value: Value, given: Arguments) -> None:
    step = copy.deepcopy(given.object("step"))
    read_value({**value, "steps": [step]}, "added")  # what comes after it counts on its shape
    if any(other["id"] == step["id"] for other in value["steps"]):
        raise CircuitError(f"there is a step {quoted(step['id'])} already", hint="give it another id")
    value["steps"].append(step)
    if given.has("after"):
        after = step_in(value, given.text("after"))
        after.setdefault("next", []).append({"port": given.text("port", "out"), "to": step["id"]})


def _remove_step(value: Value, given: Arguments) -> None:
    gone = step_in(value, given.text("stepId"))
    value["steps"] = [step for step in value["steps"] if step is not gone]
    for step in value["steps"]:
        if any(wire["to"] == gone["id"] for wire in step.get("next", [])):
            step["next"] = [wire for wire in step["next"] if wire["to"] != gone["id"]]


def _update_step(value: Value, given: Arguments) -> None:
    step = step_in(value, given.text("stepId"))
    if given.has("title"):
        step["title"] = given.text("title")
    for key, setting in given.object("config", {}).items():
        config = step.setdefault("config", {})
        if not isinstance(config, dict):
            raise CircuitError(f"the “config” of {quoted(step['id'])} is no object", found=kind_of(config))
        if setting is None:
            config.pop(key, None)
        else:
            config[key] = copy.deepcopy(setting)


def _connect(value: Value, given: Arguments) -> None:
    connect(value, given.text("from"), given.text("to"), given.text("port", "out"))


def _disconnect(value: Value, given: Arguments) -> None:
    port = given.text("port") if given.has("port") else None
    disconnect(value, given.text("from"), given.text("to"), port)


_OPS: dict[str, Callable[[Value, Arguments], None]] = {
    "add_step": _add_step,
    "remove_step": _remove_step,
    "update_step": _update_step,
    "connect": _connect,
    "disconnect": _disconnect,
}

_KEYS: dict[str, list[str]] = {
    shape["properties"]["op"]["const"]: list(shape["properties"]) for shape in PATCH["oneOf"]
}

_BEYOND = (
    "update_step changes the title and the config of a step. circuit_set_enabled switches one off, connect and "
    "disconnect change its wires; to change anything else of it, remove it and add it anew."
)

# --- by hand -----------------------------------------------------------------------------------------------------


async def move(desk: Desk, given: Arguments) -> Answer:
    step_id, col, lane = given.text("stepId"), given.whole("col"), given.whole("lane")
    if not 0 <= min(col, lane) <= max(col, lane) <= FURTHEST:
        raise CircuitError("There is no such place", found=f"column {col}, lane {lane}", expected=f"0 to {FURTHEST:,}")

    def moved(value: Value) -> None:
        step_in(value, step_id)["position"] = {"col": col, "lane": lane}

    return await edited(desk, given.text("workflowId"), moved, checked=False, minor=True)


async def set_enabled(desk: Desk, given: Arguments) -> Answer:
    step_id, enabled = given.text("stepId"), given.flag("enabled")

    def switched(value: Value) -> None:
        step = step_in(value, step_id)
        if enabled:
            step.pop("enabled", None)
        else:
            step["enabled"] = False

    return await edited(desk, given.text("workflowId"), switched)


async def wire(desk: Desk, given: Arguments) -> Answer:
    return await edited(desk, given.text("workflowId"), lambda value: _connect(value, given))


async def unwire(desk: Desk, given: Arguments) -> Answer:
    return await edited(desk, given.text("workflowId"), lambda value: _disconnect(value, given))


async def rename(desk: Desk, given: Arguments) -> Answer:
    name = given.text("name")
    if not name.strip():
        raise CircuitError("“name” is blank", expected="what the workflow is to be called")

    def renamed(value: Value) -> None:
        value["name"] = name

    return await edited(desk, given.text("workflowId"), renamed, checked=False)


_ENDS = {"workflowId": WORKFLOW, "from": STEP_ID, "to": STEP_ID}

TOOLS = (
    Spec(
        "circuit_patch",
        "Edit a workflow",
        "Change parts of a saved workflow; better than designing it again. The operations are done in order, all or "
        "none: add_step, remove_step, update_step, connect, disconnect.",
        patch,
        takes({"workflowId": WORKFLOW, "ops": some(PATCH, "What to do, in order.", minItems=1)}),
        destroys=True,
        draws=True,
    ),
    Spec(
        "circuit_move",
        "Move a chip",
        "Puts a chip into another cell of the board's grid.",
        move,
        takes(
            {
                "workflowId": WORKFLOW,
                "stepId": STEP_ID,
                "col": whole("The column, from 0.", minimum=0, maximum=FURTHEST),
                "lane": whole("The lane, from 0.", minimum=0, maximum=FURTHEST),
            }
        ),
        visible=APP_ONLY,
        repeatable=True,
        draws=True,
    ),
    Spec(
        "circuit_set_enabled",
        "Mute or unmute a chip",
        "Switches a step off, so that runs pass through it, or on again. A muted gate asks nobody.",
        set_enabled,
        takes({"workflowId": WORKFLOW, "stepId": STEP_ID, "enabled": flag("Off is false.", None)}),
        visible=EVERYBODY,
        repeatable=True,
        draws=True,
    ),
    Spec(
        "circuit_wire",
        "Connect two chips",
        "Wires a port of one step to another step.",
        wire,
        takes(_ENDS, port=PORT),
        visible=EVERYBODY,
        repeatable=True,
        draws=True,
    ),
    Spec(
        "circuit_unwire",
        "Cut a wire",
        "Cuts the wire between two steps: that of a port, or every one.",
        unwire,
        takes(_ENDS, port=text("Every port unless given.")),
        visible=EVERYBODY,
        destroys=True,
        draws=True,
    ),
    Spec(
        "circuit_rename",
        "Rename a workflow",
        "Gives a workflow another name.",
        rename,
        takes({"workflowId": WORKFLOW, "name": text("Its new name.")}),
        visible=EVERYBODY,
        repeatable=True,
        draws=True,
    ),
)
