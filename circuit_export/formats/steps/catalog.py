"""The step kit: every type of step with its verb, actor, ports and settings, the one place that knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from circuit_export.board.model import Actor, Scope
from circuit_export.formats.steps.kit import (
    DONE,
    ERROR,
    FALLBACK,
    JOIN,
    OPS,
    OUT,
    PARTS,
    ROUTE,
    Config,
    Key,
    Kind,
    Op,
    Part,
    StepType,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.formats.steps.document import Step

__all__ = [
    "CATALOG",
    "DONE",
    "ERROR",
    "FALLBACK",
    "JOIN",
    "OPS",
    "OUT",
    "PARTS",
    "ROUTE",
    "Config",
    "Key",
    "Kind",
    "Op",
    "Part",
    "StepType",
    "Value",
    "error_port",
    "leaving",
    "own_ports",
    "passing_port",
    "ports",
    "setting",
]


def _out(_config: Config) -> tuple[str, ...]:
    return (OUT,)


def _each(_config: Config) -> tuple[str, ...]:
    return (OUT, DONE)


def _branches(_config: Config) -> tuple[str, ...]:
    return (OUT, JOIN)


def _labels(config: Config) -> tuple[str, ...]:
    labels = config.get("labels")
    if not isinstance(labels, list):
        return (OUT,)
    return tuple(dict.fromkeys(label for label in labels if isinstance(label, str))) or (OUT,)


def _cases(config: Config) -> tuple[str, ...]:
    cases = config.get("cases")
    fallback = config.get("fallback", FALLBACK)
    named = [case.get("port") for case in cases if isinstance(case, dict)] if isinstance(cases, list) else []
    return tuple(dict.fromkeys(port for port in (*named, fallback) if isinstance(port, str))) or (OUT,)


def _by_out(_ports: tuple[str, ...]) -> str:
    return OUT


def _by_done(_ports: tuple[str, ...]) -> str:
    return DONE


def _by_join(_ports: tuple[str, ...]) -> str:
    return JOIN


def _by_last(ports: tuple[str, ...]) -> str:
    return ports[-1]


_TOOL_KEYS = (
    Key(
        "tool",
        Value.TOOL,
        "The connector's tool, as Service:action, such as Gmail:search_threads.",
        required=True,
        least=1,
    ),
    Key("arguments", Value.OBJECT, "What the tool is given; texts may hold templates such as {{item.id}}.", {}),
    Key(
        "writes",
        Value.YES_NO,
        "Whether the tool changes something outside; said here, it outweighs what the tool's name suggests.",
        optional=True,
    ),
)

_TYPES = (
    StepType(
        "trigger.ask",
        "when",
        Kind.TRIGGER,
        Actor.YOU,
        "Starts the board when somebody asks for it in the conversation.",
        "you start it from the chat",
        (),
        _out,
        _by_out,
        result=None,
    ),
    StepType(
        "trigger.schedule",
        "every",
        Kind.TRIGGER,
        Actor.YOU,
        "Starts the board by the clock.",
        "the note, else the cron",
        (
            Key(
                "cron",
                Value.CRON,
                "When it starts: minute, hour, day of the month, month and weekday, in UTC.",
                required=True,
                least=1,
            ),
            Key("note", Value.TEXT, "The same in plain words, such as every weekday at eight.", ""),
        ),
        _out,
        _by_out,
        result=None,
    ),
    StepType(
        "trigger.watch",
        "watch",
        Kind.TRIGGER,
        Actor.CLAUDE,
        "Starts the board by asking a connector for what is new; the answer becomes the trigger.",
        "the service and the action of the tool",
        _TOOL_KEYS,
        _out,
        _by_out,
        result=None,
    ),
    StepType(
        "tool.call",
        "do",
        Kind.TOOL,
        Actor.CLAUDE,
        "Calls one tool of a connector.",
        "the service and the action of the tool",
        _TOOL_KEYS,
        _out,
        _by_out,
        result=None,
    ),
    StepType(
        "model.classify",
        "decide",
        Kind.MODEL,
        Actor.CLAUDE,
        "Sorts what it reads under one of the labels and leaves by the port of that name.",
        "sorts into the labels",
        (
            Key("labels", Value.NAMES, "The labels to choose from; each is a port.", required=True, least=2),
            Key("input", Value.PATH, "What is read.", "trigger"),
            Key("instructions", Value.TEXT, "How to tell the labels apart.", ""),
        ),
        _labels,
        _by_last,
        dynamic=True,
        result=("label", "why"),
    ),
    StepType(
        "model.write",
        "write",
        Kind.MODEL,
        Actor.CLAUDE,
        "Writes a text from what it is given.",
        "in whose voice, under how many words",
        (
            Key("instructions", Value.TEXT, "What to write.", required=True, least=1),
            Key("voice", Value.TEXT, "Whose voice it should sound like.", ""),
            Key(
                "context",
                Value.PATHS,
                "What the writer gets to see; paths with nothing at them are left out.",
                ["trigger"],
            ),
            Key("maxWords", Value.WHOLE, "The most words it may have.", 160, least=1),
        ),
        _out,
        _by_out,
        result=("text",),
    ),
    StepType(
        "model.extract",
        "read",
        Kind.MODEL,
        Actor.CLAUDE,
        "Pulls named pieces of information out of what it reads.",
        "pulls out the fields",
        (
            Key("fields", Value.FIELDS, "What to pull out.", required=True, least=1),
            Key("input", Value.PATH, "What is read.", "trigger"),
        ),
        _out,
        _by_out,
        result=None,
    ),
    StepType(
        "logic.filter",
        "only if",
        Kind.LOGIC,
        Actor.CIRCUIT,
        "Goes on only if its conditions hold; else this way ends here.",
        "the conditions in plain English",
        (
            Key("all", Value.CONDITIONS, "Conditions that must all hold.", []),
            Key("any", Value.CONDITIONS, "Conditions of which one must hold, if there are some.", []),
        ),
        _out,
        _by_out,
    ),
    StepType(
        "logic.branch",
        "route",
        Kind.LOGIC,
        Actor.CIRCUIT,
        "Leaves by the port of the case that its field equals, else by the fallback.",
        "on the field: the cases' ports",
        (
            Key("field", Value.PATH, "What is looked at.", required=True, least=1),
            Key("cases", Value.CASES, "The cases, tried in order.", required=True, least=1),
            Key("fallback", Value.NAME, "The port when no case fits.", FALLBACK),
        ),
        _cases,
        _by_last,
        dynamic=True,
    ),
    StepType(
        "logic.each",
        "for each",
        Kind.LOGIC,
        Actor.CIRCUIT,
        "Walks what is wired to `out` once for every item of a list, with the item as `item`, then leaves by `done`.",
        "one at a time, up to the limit",
        (
            Key("list", Value.PATH, "The list to walk through.", required=True, least=1),
            Key("limit", Value.WHOLE, "The most items it takes.", 10, least=1),
        ),
        _each,
        _by_done,
        scope=Scope(OUT, DONE),
    ),
    StepType(
        "logic.branches",
        "all of",
        Kind.LOGIC,
        Actor.CIRCUIT,
        "Walks every wire of `out` to its end, one after another, then leaves by `join`.",
        "how many, in turn or at once, then carries on",
        (
            Key(
                "together",
                Value.YES_NO,
                "Whether the branches' calls go out at once; only when each branch is exactly one tool call.",
                False,
            ),
        ),
        _branches,
        _by_join,
        scope=Scope(OUT, JOIN),
        result=None,
    ),
    StepType(
        "flow.call",
        "run",
        Kind.LOGIC,
        Actor.CIRCUIT,
        "Runs another workflow inside this run and takes over its result.",
        "the workflow's name and what it returns",
        (
            Key("workflowId", Value.WORKFLOW, "The id of the workflow to run.", required=True, least=1),
            Key("input", Value.OBJECT, "The inputs it is given, by name.", {}),
            Key("trigger", Value.OBJECT, "What it is started with.", {}),
            Key("returns", Value.PATH, "The path in its own data that becomes the result; empty is all its steps.", ""),
        ),
        _out,
        _by_out,
        result=None,
    ),
    StepType(
        "gate.approve",
        "ask you",
        Kind.GATE,
        Actor.YOU,
        "Waits for a person to approve or reject; rejecting ends the run.",
        "the question",
        (
            Key("preview", Value.PATH, "What the person is shown, and may edit.", ""),
            Key("question", Value.TEXT, "What the person is asked.", "Send this?"),
        ),
        _out,
        _by_out,
        result=("decision", "edit"),
    ),
    StepType(
        "note.say",
        "report",
        Kind.NOTE,
        Actor.CLAUDE,
        "Says something in the conversation.",
        "the start of what it says",
        (Key("template", Value.TEXT, "What is said; templates in it are filled in.", required=True, least=1),),
        _out,
        _by_out,
        result=None,
    ),
)

CATALOG: Mapping[str, StepType] = {entry.type: entry for entry in _TYPES}
"""Every step type by its name, in the order in which people meet them."""


def own_ports(step: Step) -> tuple[str, ...]:
    """The ports that a step has by its type and config, without the error port.

    A step of an unknown type has the ports that its wires name, `out` when it has none.
    """
    entry = CATALOG.get(step.type)
    if entry is not None:
        return entry.ports(step.config)
    return tuple(dict.fromkeys(wire.port for wire in step.next)) or (OUT,)


def error_port(step: Step) -> str | None:
    """The port by which an error leaves the step, None when errors do not leave it."""
    policy = step.on_error
    return policy.port if policy is not None and policy.do == ROUTE else None


def ports(step: Step) -> tuple[str, ...]:
    """All ports of a step, each once, in the order they leave it; the error port comes last."""
    own = own_ports(step)
    extra = error_port(step)
    return own if extra is None or extra in own else (*own, extra)


def passing_port(step: Step) -> str:
    """The port by which a step is left when it is muted or passed over."""
    entry = CATALOG.get(step.type)
    return entry.passes(own_ports(step)) if entry is not None else OUT


def leaving(step: Step, port: str) -> tuple[int, ...]:
    """The indices in `step.next` of the wires taken when the step is left by `port`, in written order.

    When none is written for it and the step's ports follow from its config, a single wire that is plain `out`
    stands for all of them; the error port never falls back to it.
    """
    taken = tuple(index for index, wire in enumerate(step.next) if wire.port == port)
    if taken or port == error_port(step):
        return taken
    entry = CATALOG.get(step.type)
    single = entry is not None and entry.dynamic and len(step.next) == 1 and step.next[0].port == OUT
    return (0,) if single else ()


def setting(step: Step, name: str) -> Any:
    """What a setting holds: what is written, else its default; None when it has neither or is not known."""
    if name in step.config:
        return step.config[name]
    entry = CATALOG.get(step.type)
    key = entry.key(name) if entry is not None else None
    return None if key is None or key.required or key.optional else key.default
