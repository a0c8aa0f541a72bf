"""The step kit: every type of step with its verb, actor, ports and settings, the one place that knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.board.model import Actor, Scope

if TYPE_CHECKING:
    from circuit_export.formats.steps.document import Step

OUT = "out"
DONE = "done"
JOIN = "join"
ERROR = "error"
ROUTE = "route"
FALLBACK = "else"

Config = Mapping[str, Any]


class Kind(StrEnum):
    """The family of a step type."""

    TRIGGER = "trigger"
    TOOL = "tool"
    MODEL = "model"
    LOGIC = "logic"
    GATE = "gate"
    NOTE = "note"


class Value(StrEnum):
    """What a setting holds."""

    TEXT = "text"
    """A string; templates in it are filled in."""
    NAME = "name"
    """A string that is read as written, never as a template."""
    TOOL = "tool"
    """A connector's tool, `Service:action`."""
    PATH = "path"
    """A dot path into the run's data."""
    PATHS = "paths"
    """A list of dot paths."""
    NAMES = "names"
    """A list of strings that are read as written."""
    WHOLE = "whole"
    """A whole number, or a template that gives one."""
    YES_NO = "yes-no"
    """true or false."""
    CRON = "cron"
    """A cron expression of five fields, in UTC."""
    OBJECT = "object"
    """An object of values; templates in its strings are filled in, its keys are read as written."""
    FIELDS = "fields"
    """A list of `{name, description}`."""
    CASES = "cases"
    """A list of `{equals, port}`."""
    CONDITIONS = "conditions"
    """A list of `{field, op, value?}`."""
    WORKFLOW = "workflow"
    """The id of another workflow."""


class Op(NamedTuple):
    """A comparison of a condition: whether it reads `value`, and how it is said."""

    name: str
    takes_value: bool
    says: str
    about: str


class Part(NamedTuple):
    """A member of the objects in a list setting (of a field, a case, a condition)."""

    name: str
    value: Value
    required: bool
    about: str


class Key(NamedTuple):
    """One setting of a step type.

    `default` counts only when `required` is false and `optional` is false: an optional setting simply may be absent.
    `least` is the smallest number, the fewest items of a list or, for a required text, the fewest characters.
    """

    name: str
    value: Value
    about: str
    default: Any = None
    required: bool = False
    optional: bool = False
    least: int = 0


class StepType(NamedTuple):
    """One type of step.

    `ports` gives the ways out for a config, without the error port. `dynamic` says that they follow from the config,
    so that a single plain `out` wire stands for all of them. `passes` picks the port by which a muted step is left.
    `result` lists the keys that are known of what it leaves under `steps.<id>`: None when that is not known, an
    empty tuple when it leaves nothing there.
    """

    type: str
    verb: str
    kind: Kind
    actor: Actor
    about: str
    summary: str
    keys: tuple[Key, ...]
    ports: Callable[[Config], tuple[str, ...]]
    passes: Callable[[tuple[str, ...]], str]
    dynamic: bool = False
    scope: Scope | None = None
    result: tuple[str, ...] | None = ()

    def key(self, name: str) -> Key | None:
        """The setting called `name`."""
        return next((key for key in self.keys if key.name == name), None)

    @property
    def path_keys(self) -> tuple[str, ...]:
        """The settings that hold dot paths, in which a whole template `{{p}}` means the path p."""
        return tuple(key.name for key in self.keys if key.value in (Value.PATH, Value.PATHS))


OPS: Mapping[str, Op] = {
    op.name: op
    for op in (
        Op("equals", True, "is", "The two are the same; texts are compared without regard to case."),
        Op("contains", True, "contains", "The text holds the value, or the list has it as a member."),
        Op("matches", True, "matches", "The regular expression (RE2) is found in the text, in any case."),
        Op("exists", False, "is there", "There is something: neither null nor an empty text."),
        Op("missing", False, "is missing", "There is nothing: null or an empty text."),
        Op("gt", True, "is more than", "The number is greater; a text that spells a number counts."),
        Op("lt", True, "is less than", "The number is smaller; a text that spells a number counts."),
    )
}

PARTS: Mapping[Value, tuple[Part, ...]] = {
    Value.FIELDS: (
        Part("name", Value.NAME, True, "What the field is called in the result."),
        Part("description", Value.TEXT, True, "What to look for, in a few words."),
    ),
    Value.CASES: (
        Part("equals", Value.TEXT, True, "The text that chooses this case, in any case of letters."),
        Part("port", Value.NAME, True, "The port that the step is then left by."),
    ),
    Value.CONDITIONS: (
        Part("field", Value.PATH, True, "The dot path whose value is looked at."),
        Part("op", Value.NAME, True, "How it is compared: " + ", ".join(OPS) + "."),
        Part("value", Value.TEXT, False, "What it is compared with; `exists` and `missing` need none."),
    ),
}


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
