"""The rules for Circuit boards, one a file; a new one is added to NAMES."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from circuit_export.formats.base import Rule, Surroundings

if TYPE_CHECKING:
    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.steps.document import StepsDocument

# In the order of their codes, which is the order in which findings of one place are said.
NAMES = (
    "duplicate_member",
    "wrong_shape",
    "unknown_step_type",
    "unknown_key",
    "misplaced_key",
    "unknown_wire_target",
    "unknown_port",
    "duplicate_step_id",
    "unknown_entry",
    "entry_no_trigger",
    "several_triggers",
    "unreachable_step",
    "unwired_port",
    "cycle",
    "endless_cycle",
    "together_impossible",
    "unknown_workflow",
    "workflow_cycle",
    "workflow_too_deep",
    "missing_call_input",
    "loop_without_done",
    "shared_tail",
    "position_clash",
    "unknown_root",
    "unknown_step_read",
    "result_not_yet",
    "result_not_always",
    "item_outside_loop",
    "undeclared_input",
    "unused_input",
    "unknown_result_key",
    "step_without_result",
    "malformed_template",
    "malformed_path",
    "invalid_pattern",
    "number_comparison",
    "value_not_read",
    "label_clash",
    "muted_result",
    "template_not_read",
    "unknown_tool",
    "malformed_tool_name",
    "unguarded_write",
    "muted_gate",
    "blind_gate",
    "credential",
    "retried_write",
    "invalid_cron",
    "cron_never_fires",
    "note_contradicts_cron",
)


@cache
def rules() -> tuple[Rule, ...]:
    """All rules for boards, those that the loader finds (they have no `check`) among them."""
    found: list[Rule] = [import_module(f"{__name__}.{name}").RULE for name in NAMES]
    return tuple(found)


def check(board: StepsDocument, around: Surroundings | None = None) -> list[Diagnostic]:
    """What the rules find on a board, in the order of their codes, without places in the text; cheap to import."""
    from circuit_export.formats.steps.rules.survey import Survey

    survey = Survey(board, around or Surroundings())
    return [found for rule in rules() if rule.check is not None for found in rule.check(survey)]
