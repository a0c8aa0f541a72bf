"""The conditions of a board's filters, each with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from circuit_export.formats.steps.document import Step
    from circuit_export.formats.steps.rules.survey import Survey


class Condition:
    """A condition as written, and where."""

    __slots__ = ("pointer", "step", "written")

    def __init__(self, step: Step, written: Mapping[str, Any], pointer: str) -> None:
        self.step = step
        self.written = written
        self.pointer = pointer

    @property
    def op(self) -> Any:
        return self.written.get("op")

    @property
    def is_filled_in(self) -> bool:
        """Whether its value is only known in a run."""
        value = self.written.get("value")
        return isinstance(value, str) and "{{" in value


def conditions(survey: Survey) -> Iterator[Condition]:
    """Every condition, in the order written."""
    for step in survey.steps:
        if step.type != "logic.filter":
            continue
        for key in ("all", "any"):
            items = step.config.get(key)
            for number, item in enumerate(items if isinstance(items, list) else ()):
                if isinstance(item, dict):
                    yield Condition(step, item, f"/steps/{step.index}/config/{key}/{number}")
