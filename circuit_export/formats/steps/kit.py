"""The words the step kit is written in: kinds, values of settings, comparisons, and what a step type is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from circuit_export.board.model import Actor, Scope

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
