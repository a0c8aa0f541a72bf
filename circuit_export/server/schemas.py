"""The input schemas of the tools, put together from a few words; the arguments themselves are read by `Arguments`."""

from __future__ import annotations

from typing import Any

from circuit_export.formats.steps.catalog import CATALOG

Schema = dict[str, Any]


def text(about: str, **more: Any) -> Schema:
    return {"type": "string", "description": about, **more}


def flag(about: str, default: bool | None = False) -> Schema:
    """A flag, which has to be given when `default` is None."""
    return {"type": "boolean", "description": about, **({} if default is None else {"default": default})}


def whole(about: str, **more: Any) -> Schema:
    return {"type": "integer", "description": about, **more}


def choice(about: str, words: list[str], **more: Any) -> Schema:
    return {"type": "string", "enum": words, "description": about, **more}


def objects(about: str, **more: Any) -> Schema:
    return {"type": "object", "description": about, "additionalProperties": True, **more}


def anything(about: str) -> Schema:
    return {"description": about}


def some(item: Schema, about: str, **more: Any) -> Schema:
    return {"type": "array", "items": item, "description": about, **more}


def takes(required: dict[str, Schema] | None = None, /, **optional: Schema) -> Schema:
    """A tool's arguments: the required ones, then the others."""
    needed = required or {}
    schema: Schema = {"type": "object", "properties": {**needed, **optional}}
    return {**schema, "required": list(needed)} if needed else schema


def nested(required: dict[str, Schema], /, **optional: Schema) -> Schema:
    """An object inside the arguments; what else it holds is carried."""
    return {**takes(required, **optional), "additionalProperties": True}


WORKFLOW = text("The id of the workflow.")
STEP_ID = text("The id of the step.")
RUN_ID = text("The id of the run.")
PORT = text("The port that the wire leaves by.", default="out")

STEP = nested(
    {
        "id": text("Its id, unique on the board."),
        "type": choice("Its type; circuit_catalog says what each does.", list(CATALOG)),
        "title": text("What it does, in a few plain words."),
    },
    config=objects("Its settings, as circuit_catalog lists them for its type."),
    next=some(
        nested({"to": text("The id of the step that the wire leads to.")}, port=PORT),
        "The wires that leave it.",
    ),
    onError=nested(
        {"do": choice("What happens when it fails.", ["stop", "retry", "skip", "route"])},
        attempts=whole("All tries of a retry.", minimum=1, maximum=5),
        port=text("The port that a route leaves by."),
    ),
    enabled=flag("Whether it does anything; a muted step is passed through.", True),
    position=nested({"col": whole("The column, from 0."), "lane": whole("The lane, from 0.")}),
)

INPUT = nested(
    {"name": text("Read as {{input.NAME}}.")},
    description=text("What to ask for."),
    required=flag("Whether a run needs it.", True),
    default=anything("What it is when nobody says."),
)

PATCH = {
    "oneOf": [
        nested(
            {"op": {"const": "add_step"}, "step": STEP},
            after=text("The step that leads to it."),
            port=PORT,
        ),
        nested({"op": {"const": "remove_step"}, "stepId": STEP_ID}),
        nested(
            {"op": {"const": "update_step"}, "stepId": STEP_ID},
            title=text("Its new title."),
            config=objects("Settings to change; null takes one away."),
        ),
        nested({"op": {"const": "connect"}, "from": STEP_ID, "to": STEP_ID}, port=PORT),
        nested({"op": {"const": "disconnect"}, "from": STEP_ID, "to": STEP_ID}, port=text("Every port unless given.")),
    ]
}
