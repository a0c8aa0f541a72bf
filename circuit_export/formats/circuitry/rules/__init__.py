"""The rules of programs; each is a module here, and what they all look at is their survey."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from circuit_export.formats.circuitry.rules.survey import Survey

if TYPE_CHECKING:
    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.base import Rule, Surroundings
    from circuit_export.formats.circuitry.document import ProgramDocument

# In the order of their codes: what the compiler says, then what can be seen beyond it.
NAMES = (
    "kdl_syntax",
    "section_duplicate",
    "section_missing",
    "number_not_finite",
    "version_duplicate",
    "version_unsupported",
    "version_invalid",
    "call_tag",
    "call_source_missing",
    "call_property",
    "call_source_tag",
    "call_child",
    "call_boundary",
    "call_error_codec",
    "call_duplicate",
    "unknown_codec",
    "call_body",
    "pattern_interpolation",
    "pattern_section",
    "input_duplicate",
    "input_codec",
    "input_body",
    "output_wrong",
    "output_codec",
    "unbound_name",
    "unread_name",
    "never_ready",
    "unused_section",
    "optional_section_missing",
    "nested_missing",
    "nested_outside",
    "bound_together",
    "endless_loop",
)


@cache
def rule(name: str) -> Rule:
    """The rule in the file of that name."""
    found: Rule = import_module(f"{__name__}.{name}").RULE
    return found


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in the order of their codes."""
    return tuple(rule(name) for name in NAMES)


@cache
def references() -> dict[str, str]:
    """The language's own code for each of ours that has one, such as `program.call.child` for C814."""
    return {rule.code: rule.reference for rule in rules() if rule.reference}


def check(document: ProgramDocument, around: Surroundings | None = None) -> list[Diagnostic]:
    """What the rules say of a program, by place."""
    survey = Survey(document, around.ground if around else None)
    found: list[Diagnostic] = []
    for one in rules():
        if one.check is not None:
            found += one.check(survey)
    return sorted(found, key=lambda said: (said.start or (0, 0), said.code))
