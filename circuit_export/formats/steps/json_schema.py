"""The JSON Schema of a board, made from the step kit, so that an editor teaches what the kit knows."""

from __future__ import annotations

from typing import Any

from circuit_export.formats.steps.catalog import CATALOG, ERROR, OPS, OUT, PARTS, Key, Part, StepType, Value
from circuit_export.formats.steps.document import VERSION
from circuit_export.formats.steps.reading import ATTEMPTS, POLICIES

Schema = dict[str, Any]

_TEMPLATES = "May hold templates such as {{trigger.name}}."
_AS_WRITTEN = "Read as written, never as a template."
_PATH = "A dot path such as trigger.threads, steps.draft.text, input.voice or item.id."
_WHOLE_TEMPLATE = r"^\{\{[^{}]+\}\}$"
_WHOLE_TEXT = r"^\s*[0-9]+\s*$"
_POLICY_SAYS = {
    "stop": "The run stops and can be resumed at the step.",
    "skip": "This way ends; the others go on.",
    "retry": "The step is tried again, `attempts` times in all; then the run stops.",
    "route": "The run leaves by the port named in `port`, with what went wrong as the step's result.",
}


def schema() -> Schema:
    """The whole schema, as `schemas/steps.schema.json` holds it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "steps.schema.json",
        "title": "Circuit board",
        "description": "A workflow of steps and wires. Keys that are not described here are carried and do nothing.",
        "type": "object",
        "required": ["circuit", "name", "steps"],
        "properties": _board(),
        "$defs": {
            "input": _input(),
            "step": _step(),
            "wire": _wire(),
            "errorPolicy": _error_policy(),
            "position": _position(),
            "settings": _settings(),
            **{f"list.{value}": _list_of(value) for value in PARTS},
            **{f"config.{entry.type}": _config(entry) for entry in CATALOG.values()},
        },
    }


def _text(title: str, description: str, **more: Any) -> Schema:
    return {"title": title, "description": description, "type": "string", **more}


def _board() -> dict[str, Schema]:
    return {
        "$schema": _text("Schema", "Where this schema is, for editors."),
        "circuit": {"title": "Format version", "description": f"Always {VERSION}.", "const": VERSION},
        "id": _text("Id", "What a flow.call of another board names it by. The file's name without .json if absent."),
        "name": _text("Name", "What the board is called, as people say it."),
        "description": _text("Description", "What it does and for whom, in a sentence or two.", default=""),
        "entry": _text("Entry", "The id of the step where a run starts; the first trigger if absent."),
        "inputs": {
            "title": "Inputs",
            "description": "What a run needs to be told; steps read it as input.NAME.",
            "type": "array",
            "items": {"$ref": "#/$defs/input"},
            "default": [],
        },
        "steps": {
            "title": "Steps",
            "description": "The steps, in any order; the wires in their `next` say what follows what.",
            "type": "array",
            "minItems": 1,
            "items": {"$ref": "#/$defs/step"},
        },
        "schedule": {
            "title": "Schedule",
            "description": "The schedule that the board was armed with.",
            "type": "object",
            "required": ["cron"],
            "properties": {
                "cron": _text("Cron", "Minute, hour, day of the month, month and weekday, in UTC."),
                "note": _text("Note", "The same in plain words.", default=""),
            },
        },
        "x-circuit": {"$ref": "#/$defs/settings"},
    }


def _input() -> Schema:
    return {
        "title": "Input",
        "description": "Something the board asks for before it runs.",
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": _text("Name", "Steps read it as input.NAME.", minLength=1),
            "description": _text("Description", "What to give, for whoever is asked.", default=""),
            "required": {
                "title": "Required",
                "description": "Whether a run cannot start without it, unless there is a default.",
                "type": "boolean",
                "default": True,
            },
            "default": {"title": "Default", "description": "What it is when nobody gives it; any value."},
        },
    }


def _step() -> Schema:
    return {
        "title": "Step",
        "description": "One thing that is done, decided or asked.",
        "type": "object",
        "required": ["id", "type", "title"],
        "properties": {
            "id": _text("Id", "Its name for wires and for paths (steps.ID). Unique; best short, without full stops."),
            "type": {
                "title": "Type",
                "description": "What kind of step it is; its config, its ports and who acts follow from it.",
                "oneOf": [{"const": entry.type, "description": entry.about} for entry in CATALOG.values()],
            },
            "title": _text("Title", "What it does, as a person would say it in a few words."),
            "config": {"title": "Config", "description": "Its settings, by type.", "type": "object", "default": {}},
            "next": {
                "title": "Wires",
                "description": "Where it leads. Several wires of one port are taken one after another.",
                "type": "array",
                "items": {"$ref": "#/$defs/wire"},
                "default": [],
            },
            "enabled": {
                "title": "Enabled",
                "description": "Whether it does anything; one that is switched off is passed through.",
                "type": "boolean",
                "default": True,
            },
            "onError": {"$ref": "#/$defs/errorPolicy"},
            "position": {"$ref": "#/$defs/position"},
            "x-circuit": {"$ref": "#/$defs/settings"},
        },
        "allOf": [
            {
                "if": {"properties": {"type": {"const": entry.type}}, "required": ["type"]},
                "then": _then(entry),
            }
            for entry in CATALOG.values()
        ],
    }


def _then(entry: StepType) -> Schema:
    """What holds for the steps of a type: a config that asks for something cannot be left out."""
    found: Schema = {"properties": {"config": {"$ref": f"#/$defs/config.{entry.type}"}}}
    if any(key.required for key in entry.keys):
        found["required"] = ["config"]
    return found


def _wire() -> Schema:
    return {
        "title": "Wire",
        "description": "A way from a port of this step to another step.",
        "type": "object",
        "required": ["to"],
        "properties": {
            "port": _text(
                "Port",
                "The port it leaves by: out; a label or case; done of a loop; join of branches; the error port.",
                default=OUT,
            ),
            "to": _text("To", "The id of the step it leads to."),
        },
    }


def _error_policy() -> Schema:
    return {
        "title": "On error",
        "description": "What happens when the step fails; the run stops if absent.",
        "type": "object",
        "properties": {
            "do": {
                "title": "Do",
                "description": "What to do with the error.",
                "oneOf": [{"const": policy, "description": _POLICY_SAYS[policy]} for policy in POLICIES],
                "default": "stop",
            },
            "attempts": {
                "title": "Attempts",
                "description": "How often it is tried in all, with retry.",
                "type": "integer",
                "minimum": ATTEMPTS[0],
                "maximum": ATTEMPTS[1],
                "default": 2,
            },
            "port": _text("Port", f"The port that an error leaves by, with route. {_AS_WRITTEN}", default=ERROR),
        },
    }


def _position() -> Schema:
    cell = {"type": "integer", "description": "From 0 to 10,000."}
    return {
        "title": "Position",
        "description": "The cell of the picture; laid out if absent.",
        "type": "object",
        "required": ["col", "lane"],
        "properties": {"col": {"title": "Column", **cell}, "lane": {"title": "Lane", **cell}},
    }


def _settings() -> Schema:
    return {
        "title": "Settings of circuit-export",
        "description": "For this tool alone; no run reads it.",
        "type": "object",
        "properties": {
            "ignore": {
                "title": "Ignored findings",
                "description": "The code or name of a finding, and the reason why it is left as it is.",
                "type": "object",
                "examples": [{"C501": "The label is taken off again every night."}],
            }
        },
    }


def _config(entry: StepType) -> Schema:
    found: Schema = {
        "title": f"Settings of {entry.type}",
        "description": entry.about,
        "type": "object",
        "properties": {key.name: _setting(key) for key in entry.keys},
    }
    required = [key.name for key in entry.keys if key.required]
    return {**found, "required": required} if required else found


def _setting(key: Key) -> Schema:
    found = {"title": _title(key.name), "description": key.about, **_value(key)}
    if not key.required and not key.optional:
        found["default"] = key.default
    return found


def _title(name: str) -> str:
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
    return words[:1].upper() + words[1:]


def _value(key: Key) -> Schema:
    about = key.about.rstrip()
    match key.value:
        case Value.TEXT:
            return _said(about, _TEMPLATES) | _string(key)
        case Value.NAME:
            return _said(about, _AS_WRITTEN) | _string(key)
        case Value.TOOL | Value.CRON | Value.WORKFLOW:
            return _string(key)
        case Value.PATH:
            return _said(about, _PATH) | _string(key)
        case Value.PATHS:
            return _said(about, _PATH) | {"type": "array", "items": {"type": "string"}}
        case Value.NAMES:
            names = {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": key.least}
            return _said(about, _AS_WRITTEN) | names
        case Value.WHOLE:
            return {
                "anyOf": [
                    {"type": "integer", "minimum": key.least},
                    {"type": "string", "pattern": _WHOLE_TEMPLATE, "description": "A template that gives one."},
                    {"type": "string", "pattern": _WHOLE_TEXT, "description": "A text that spells one."},
                ]
            }
        case Value.YES_NO:
            return {"type": "boolean"}
        case Value.OBJECT:
            return {"type": "object"}
        case Value.FIELDS | Value.CASES | Value.CONDITIONS:
            listed: Schema = {"$ref": f"#/$defs/list.{key.value}"}
            return listed | ({"minItems": key.least} if key.least else {})


def _said(about: str, more: str) -> Schema:
    return {"description": f"{about} {more}"}


def _string(key: Key) -> Schema:
    return {"type": "string"} | ({"minLength": key.least} if key.least else {})


def _list_of(value: Value) -> Schema:
    parts = PARTS[value]
    return {
        "type": "array",
        "items": {
            "type": "object",
            "required": [part.name for part in parts if part.required],
            "properties": {part.name: _part(part) for part in parts},
        },
    }


def _part(part: Part) -> Schema:
    found: Schema = {"title": _title(part.name), "description": part.about}
    if part.name == "op":
        return found | {"oneOf": [{"const": op.name, "description": op.about} for op in OPS.values()]}
    if part.name == "value":
        return found  # numbers, yes or no, texts: whatever the field is compared with
    return found | {"type": "string"} | ({"minLength": 1} if part.name != "equals" and part.required else {})
