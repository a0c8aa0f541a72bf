"""The rules for Circuit boards, one a file; a new one is added to ABOUT."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from circuit_export.formats.base import Rule, Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.steps.document import StepsDocument
    from circuit_export.formats.steps.rules.survey import Survey

_ANY = ("",)
_FILTER = ("logic.filter",)
_CALL = ("flow.call",)
_TOOLS = ("tool.call", "trigger.watch")
_WRITES = (*_TOOLS, *_CALL)
_PORTS = ("model.classify", "logic.branch")
_THE_LOADERS: tuple[str, ...] = ()

# What the steps must be of for a rule to have anything to say, as a type or the start of one: a rule that has not is
# not even imported, which is what a command that draws a small board would spend most of its time with.
# In the order of the codes, in which findings are said.
ABOUT: dict[str, tuple[str, ...]] = {
    "duplicate_member": _THE_LOADERS,
    "wrong_shape": _THE_LOADERS,
    "unknown_step_type": _THE_LOADERS,
    "unknown_key": _THE_LOADERS,
    "misplaced_key": _THE_LOADERS,
    "unknown_wire_target": _ANY,
    "unknown_port": _ANY,
    "duplicate_step_id": _THE_LOADERS,
    "unknown_entry": _THE_LOADERS,
    "entry_no_trigger": _ANY,
    "several_triggers": _ANY,
    "unreachable_step": _ANY,
    "unwired_port": _ANY,
    "cycle": _ANY,
    "endless_cycle": _ANY,
    "together_impossible": ("logic.branches",),
    "unknown_workflow": _CALL,
    "workflow_cycle": _CALL,
    "workflow_too_deep": _CALL,
    "missing_call_input": _CALL,
    "loop_without_done": ("logic.each",),
    "shared_tail": _ANY,
    "position_clash": _ANY,
    "unknown_root": _ANY,
    "unknown_step_read": _ANY,
    "result_not_yet": _ANY,
    "result_not_always": _ANY,
    "item_outside_loop": _ANY,
    "undeclared_input": _ANY,
    "unused_input": _ANY,
    "unknown_result_key": _ANY,
    "step_without_result": ("logic.",),
    "malformed_template": _ANY,
    "malformed_path": _ANY,
    "invalid_pattern": _FILTER,
    "number_comparison": _FILTER,
    "value_not_read": _FILTER,
    "label_clash": _PORTS,
    "muted_result": _ANY,
    "template_not_read": _ANY,
    "unknown_tool": _TOOLS,
    "malformed_tool_name": _TOOLS,
    "unguarded_write": _WRITES,
    "muted_gate": ("gate.approve",),
    "blind_gate": ("gate.approve",),
    "credential": _ANY,
    "retried_write": _TOOLS,
    "invalid_cron": _ANY,
    "cron_never_fires": _ANY,
    "note_contradicts_cron": _ANY,
}
_SCHEDULE = frozenset(("invalid_cron", "cron_never_fires", "note_contradicts_cron"))
_OFF = frozenset(("muted_result",))


@cache
def rule(name: str) -> Rule:
    """The rule in the file of that name."""
    found: Rule = import_module(f"{__name__}.{name}").RULE
    return found


@cache
def rules() -> tuple[Rule, ...]:
    """All rules for boards, those that the loader finds (they have no `check`) among them."""
    return tuple(rule(name) for name in ABOUT)


def check(board: StepsDocument, around: Surroundings | None = None) -> list[Diagnostic]:
    """What the rules find on a board, in the order of their codes, without places in the text; cheap to import."""
    from circuit_export.formats.steps.rules.survey import Survey

    survey = Survey(board, around or Surroundings())
    return [found for name in _that_apply(board) for found in _checked(name, survey)]


def _that_apply(board: StepsDocument) -> list[str]:
    """The names of the rules that can have something to say about a board with such steps."""
    types = {step.type for step in board.steps}
    skipped: set[str] = set()
    if board.schedule is None and "trigger.schedule" not in types:
        skipped |= _SCHEDULE
    if all(step.enabled for step in board.steps):
        skipped |= _OFF
    return [
        name
        for name, about in ABOUT.items()
        if name not in skipped and any(type_.startswith(start) for start in about for type_ in types)
    ]


def _checked(name: str, survey: Survey) -> Iterable[Diagnostic]:
    check = rule(name).check
    return check(survey) if check is not None else ()


def mended(board: StepsDocument, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings of a board, those of its loader with the fixes that there are for them."""
    from circuit_export.formats.steps.rules.survey.mending import mended

    return mended(board, found)
