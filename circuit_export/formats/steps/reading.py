"""Reads the parsed JSON of a board: refuses what cannot be drawn, and says of the rest what is odd."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from circuit_export.board.model import Place
from circuit_export.diagnostics import CircuitError, Position, escape_pointer, locate
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.likeness import nearest
from circuit_export.formats.steps.catalog import CATALOG, ERROR, OUT
from circuit_export.formats.steps.document import VERSION, Input, Next, OnError, Schedule, Step, StepsDocument, is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.definition import Definition
    from circuit_export.formats.steps.notes import Notes

POLICIES = ("stop", "skip", "retry", "route")
ATTEMPTS = (1, 5)

DOCUMENT_KEYS = frozenset(
    ("circuit", "name", "description", "entry", "inputs", "steps", "id", "schedule", "$schema", "x-circuit")
)
STEP_KEYS = frozenset(("id", "type", "title", "config", "next", "enabled", "onError", "position", "x-circuit"))
NEXT_KEYS = frozenset(("port", "to"))
ON_ERROR_KEYS = frozenset(("do", "attempts", "port"))
POSITION_KEYS = frozenset(("col", "lane"))
INPUT_KEYS = frozenset(("name", "description", "required", "default"))
SCHEDULE_KEYS = frozenset(("cron", "note"))
_USUAL_KEYS = frozenset(("id", "type", "title", "config", "next"))


class Reader:
    """Reads the parsed JSON of one definition. A class, so that every refusal knows the text it is about."""

    def __init__(self, definition: Definition, notes: Notes) -> None:
        self.definition = definition
        self.notes = notes

    def refuse(self, message: str, pointer: str, *, found: str, expected: str, hint: str = "") -> NoReturn:
        """Raises the error about the value at `pointer`."""
        text = self.definition.text
        raise CircuitError(
            message,
            file=self.definition.path,
            position=Position.at(text, locate(text, pointer)[0]),
            found=found,
            expected=expected,
            hint=hint,
        )

    def read(self, value: Any) -> StepsDocument:
        notes = self.notes
        self.check_head(value)
        notes.unknown_keys(value, DOCUMENT_KEYS, "", "the board")
        steps = self.read_steps(value["steps"])
        by_id: dict[str, int] = {}
        for step in steps:
            if by_id.setdefault(step.id, step.index) != step.index:
                notes.duplicate_id(step, by_id[step.id])
        stem = self.definition.stem
        name = notes.text(value, "name", "", "the board", "", required=True)
        return StepsDocument(
            definition=self.definition,
            value=value,
            id=notes.text(value, "id", "", "the board", "") or stem,
            name=name or stem or "Untitled board",
            description=notes.text(value, "description", "", "the board", ""),
            entry=self.read_entry(value, steps, by_id),
            inputs=self.read_inputs(value),
            steps=steps,
            schedule=self.read_schedule(value),
            by_id=by_id,
            notes=notes.finish(),
        )

    def check_head(self, value: Any) -> None:
        """Refuses what is no board of a version that is known, or has no steps."""
        if not isinstance(value, dict):
            self.refuse("This is not a Circuit board", "", found=kind_of(value), expected="a JSON object")
        if "circuit" not in value:
            self.refuse(
                "This is not a Circuit board",
                "",
                found="an object without “circuit”",
                expected='"circuit": 1',
                hint='add "circuit": 1 as its first member, if it is meant to be a board',
            )
        version = value["circuit"]
        if not is_whole(version) or version != VERSION:
            self.refuse(
                "This version of the board format is not supported",
                "/circuit",
                found=kind_of(version),
                expected=f"the number {VERSION}, the only version that is supported",
                hint="write 1, or get a newer release of this tool" if is_whole(version) else '"circuit": 1',
            )
        if "steps" not in value:
            self.refuse_missing(
                "The board has no “steps”", value, "steps", "", DOCUMENT_KEYS, "a list with at least one step"
            )
        steps = value["steps"]
        if not isinstance(steps, list):
            message = "The board's “steps” is no list"
            self.refuse(message, "/steps", found=kind_of(steps), expected="a list with at least one step")
        if not steps:
            self.refuse("The board has no steps", "/steps", found="an empty list", expected="at least one step")

    def refuse_missing(
        self, message: str, item: dict[str, Any], key: str, pointer: str, known: frozenset[str], expected: str
    ) -> NoReturn:
        """Raises the error about a key that is not there, or not under its name."""
        meant = next((name for name in item if name not in known and nearest(name, known) == key), None)
        if meant is None:
            self.refuse(message, pointer, found=f"no “{key}”", expected=f"“{key}”: {expected}")
        text = self.definition.text
        raise CircuitError(
            message,
            file=self.definition.path,
            position=Position.at(text, locate(text, f"{pointer}/{escape_pointer(meant)}", key=True)[0]),
            found=f"“{meant}”",
            expected=f"“{key}”: {expected}",
            hint=f"did you mean “{key}”?",
        )

    def read_steps(self, items: list[Any]) -> tuple[Step, ...]:
        return tuple([self.read_step(index, item) for index, item in enumerate(items)])

    def read_step(self, index: int, item: Any) -> Step:
        if type(item) is not dict:
            self.refuse(f"Step {index + 1} is no step", f"/steps/{index}", found=kind_of(item), expected="an object")
        id = item.get("id")
        type_ = item.get("type")
        if type(id) is not str or type(type_) is not str:
            self.refuse_step(index, item, "id" if type(id) is not str else "type")
        notes = self.notes
        title = item.get("title")
        if type(title) is not str:
            title = notes.text(item, "title", f"/steps/{index}", f"step “{id}”", id, required=True)
        config = item.get("config")
        if type(config) is not dict:
            if "config" in item:
                notes.unread(f"/steps/{index}/config", f"step “{id}”: its “config”", config, "an object", id)
            config = {}
        on_error = position = None
        enabled = True
        if not item.keys() <= _USUAL_KEYS:
            notes.step_keys(index, item, STEP_KEYS)
            if "enabled" in item:
                enabled = self.read_enabled(index, item)
            if "onError" in item:
                on_error = self.read_policy(index, item)
            if "position" in item:
                position = self.read_position(index, item)
        entry = CATALOG.get(type_)
        if entry is None:
            notes.unknown_type(index, id, type_)
        elif config:
            notes.config(index, id, entry, config)
        wires = item.get("next")
        next = self.read_wires(index, id, wires) if wires or (wires is not None and wires != []) else ()
        if wires is None and "next" in item:
            self.refuse_wires(index, id, wires)
        return Step(index, id, type_, title, config, next, enabled, on_error, position)

    def refuse_step(self, index: int, item: dict[str, Any], key: str) -> NoReturn:
        name = f"Step {index + 1}" + (f" (“{item['id']}”)" if isinstance(item.get("id"), str) else "")
        if key not in item:
            self.refuse_missing(f"{name} has no “{key}”", item, key, f"/steps/{index}", STEP_KEYS, "a text")
        hint = f'put it in quotes: "{item[key]}"' if isinstance(item[key], int) and item[key] is not True else ""
        self.refuse(
            f"{name}: its “{key}” is no text",
            f"/steps/{index}/{key}",
            found=kind_of(item[key]),
            expected="a text",
            hint=hint,
        )

    def refuse_wires(self, index: int, id: str, wires: Any) -> NoReturn:
        self.refuse(
            f"Step “{id}”: its “next” is no list of wires",
            f"/steps/{index}/next",
            found=kind_of(wires),
            expected='a list such as [{"port": "out", "to": "another-step"}]',
        )

    def read_wires(self, index: int, id: str, wires: Any) -> tuple[Next, ...]:
        if type(wires) is not list:
            self.refuse_wires(index, id, wires)
        made = []
        for number, wire in enumerate(wires):
            if type(wire) is not dict:
                self.refuse_wire(index, id, number, wire, "")
            to = wire.get("to")
            port = wire.get("port", OUT)
            if type(to) is not str:
                self.refuse_wire(index, id, number, wire, "to")
            if type(port) is not str:
                self.refuse_wire(index, id, number, wire, "port")
            if len(wire) > 1 + ("port" in wire):
                self.notes.unknown_keys(wire, NEXT_KEYS, f"/steps/{index}/next/{number}", "a wire", id)
            made.append(Next(port, to))
        return tuple(made)

    def refuse_wire(self, index: int, id: str, number: int, wire: Any, key: str) -> NoReturn:
        pointer = f"/steps/{index}/next/{number}"
        which = f"Step “{id}”, wire {number + 1}"
        if not key:
            self.refuse(
                f"{which} is no wire",
                pointer,
                found=kind_of(wire),
                expected='an object such as {"port": "out", "to": "another-step"}',
                hint=f'write {{"to": "{wire}"}}' if isinstance(wire, str) else "",
            )
        if key not in wire:
            self.refuse_missing(
                f"{which} leads nowhere", wire, "to", pointer, NEXT_KEYS, "the id of the step that it leads to"
            )
        self.refuse(f"{which}: its “{key}” is no text", f"{pointer}/{key}", found=kind_of(wire[key]), expected="a text")

    def read_enabled(self, index: int, item: dict[str, Any]) -> bool:
        enabled = item["enabled"]
        if isinstance(enabled, bool):
            return enabled
        id = item["id"]
        self.notes.unread(f"/steps/{index}/enabled", f"step “{id}”: its “enabled”", enabled, "true or false", id)
        return True

    def read_policy(self, index: int, item: dict[str, Any]) -> OnError | None:
        id, policy, pointer = item["id"], item["onError"], f"/steps/{index}/onError"
        if not isinstance(policy, dict):
            self.notes.unread(pointer, f"step “{id}”: its “onError”", policy, "an object", id)
            return None
        self.notes.unknown_keys(policy, ON_ERROR_KEYS, pointer, "an error policy", id)
        do, attempts, port = policy.get("do", "stop"), policy.get("attempts", 2), policy.get("port", ERROR)
        if do not in POLICIES or not isinstance(do, str):
            self.notes.unread(f"{pointer}/do", f"step “{id}”: its “onError.do”", do, "stop, skip, retry or route", id)
            return None
        if not is_whole(attempts) or not ATTEMPTS[0] <= attempts <= ATTEMPTS[1]:
            what = f"step “{id}”: its “onError.attempts”"
            self.notes.unread(f"{pointer}/attempts", what, attempts, "a whole number from 1 to 5", id)
            attempts = 2
        if not isinstance(port, str):
            self.notes.unread(f"{pointer}/port", f"step “{id}”: its “onError.port”", port, "a text", id)
            port = ERROR
        return OnError(do, int(attempts), port)

    def read_position(self, index: int, item: dict[str, Any]) -> Place | None:
        id, place, pointer = item["id"], item["position"], f"/steps/{index}/position"
        if isinstance(place, dict):
            self.notes.unknown_keys(place, POSITION_KEYS, pointer, "a position", id)
            col, lane = place.get("col"), place.get("lane")
            if is_whole(col) and is_whole(lane):
                return Place(int(col), int(lane))  # type: ignore[arg-type]
        self.notes.unread(pointer, f"step “{id}”: its “position”", place, "two whole numbers, “col” and “lane”", id)
        return None

    def read_entry(self, value: dict[str, Any], steps: tuple[Step, ...], by_id: Mapping[str, int]) -> int:
        usual = next((step.index for step in steps if step.type.startswith("trigger.")), 0)
        entry = value.get("entry")
        if isinstance(entry, str) and entry in by_id:
            return by_id[entry]
        if isinstance(entry, str):
            self.notes.unknown_entry(entry, steps[usual].id, list(by_id))
        elif "entry" in value:
            self.notes.unread("/entry", "the board: its “entry”", entry, "the id of a step")
        return usual

    def read_inputs(self, value: dict[str, Any]) -> tuple[Input, ...]:
        items = value.get("inputs", [])
        if not isinstance(items, list):
            self.notes.unread("/inputs", "the board: its “inputs”", items, "a list")
            return ()
        return tuple(made for index, item in enumerate(items) if (made := self.read_input(index, item)))

    def read_input(self, index: int, item: Any) -> Input | None:
        notes, pointer = self.notes, f"/inputs/{index}"
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            found = item if not isinstance(item, dict) else item.get("name")
            notes.unread(pointer, f"input {index + 1}", found, "an object with a text as “name”")
            return None
        name = item["name"]
        notes.unknown_keys(item, INPUT_KEYS, pointer, "an input")
        required = item.get("required", True)
        if not isinstance(required, bool):
            notes.unread(f"{pointer}/required", f"input “{name}”: its “required”", required, "true or false")
            required = True
        description = notes.text(item, "description", pointer, f"input “{name}”", "")
        return Input(name, description, required, item.get("default"), "default" in item)

    def read_schedule(self, value: dict[str, Any]) -> Schedule | None:
        schedule = value.get("schedule")
        if isinstance(schedule, dict) and isinstance(schedule.get("cron"), str):
            self.notes.unknown_keys(schedule, SCHEDULE_KEYS, "/schedule", "a schedule")
            return Schedule(schedule["cron"], self.notes.text(schedule, "note", "/schedule", "the schedule", ""))
        if "schedule" in value:
            self.notes.unread("/schedule", "the board: its “schedule”", schedule, "an object with a text as “cron”")
        return None
