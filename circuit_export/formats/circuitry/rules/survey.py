"""What the rules of programs look at: the document, its dataflow, when calls can run first, and what is around it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Lines
from circuit_export.formats.circuitry.dataflow import Dataflow, dataflow
from circuit_export.formats.circuitry.patterns import captures
from circuit_export.formats.wording import Spelling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.base import Rule
    from circuit_export.formats.circuitry.document import ProgramDocument
    from circuit_export.formats.circuitry.program import Call, Extent, Said
    from circuit_export.formats.ground import Ground


class Survey:
    """A program surveyed; the dataflow is only looked at when nothing is wrong with its form."""

    def __init__(self, document: ProgramDocument, ground: Ground | None = None) -> None:
        self.document = document
        self.ground = ground
        self.spelling = Spelling()

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.document.definition.text)

    @cached_property
    def flow(self) -> Dataflow:
        return dataflow(self.document.program)

    @property
    def is_whole(self) -> bool:
        """Whether all of it could be compiled, so that what binds and needs a name is known."""
        return self.document.is_valid

    def said(self, reference: str) -> Iterator[Said]:
        """What the compiler says under one of its codes."""
        return (one for one in self.document.said if one.code == reference)

    def calls(self) -> Iterator[tuple[int, Call]]:
        """The calls with their steps in the dataflow."""
        return enumerate(self.document.calls, 1)

    def found(
        self, rule: Rule, message: str, extent: Extent | None, step: str | None = None, **more: Any
    ) -> Diagnostic:
        """A finding about a stretch of the KDL, None for the document."""
        if extent is None:
            return rule.found(message, "", step=step, **more)
        start, end = self.document.place(extent, self.lines)
        return rule.found(message, "", step=step, start=start, end=end, **more)

    def part(self, call: Call, name: str) -> Extent:
        """Where a part of a call stands; the call's name when it has none."""
        return dict(call.parts).get(name, call.name_extent)

    @cached_property
    def first(self) -> list[int | None]:
        """For each step the generation in which it can run first, None when it never can.

        A call runs when all that it needs is bound by calls of earlier generations, or by their failures.
        """
        flow = self.flow
        found: list[int | None] = [None] * len(flow.ids)
        lacking = [sum(not optional for optional in needs.values()) for needs in flow.needs]
        needers: dict[str, list[int]] = {}
        for step, needs in enumerate(flow.needs):
            for name, optional in needs.items():
                if not optional:
                    needers.setdefault(name, []).append(step)
        bound: set[str] = set()
        ready = [step for step, count in enumerate(lacking) if not count]
        generation = 0
        while ready:
            fresh: list[str] = []
            for step in ready:
                found[step] = generation
                fresh += [port.name for port in flow.ports[step] if port.name not in bound]
                bound.update(fresh)
            ready = []
            for name in dict.fromkeys(fresh):
                for step in needers.get(name, ()):
                    lacking[step] -= 1
                    if not lacking[step]:
                        ready.append(step)
            generation += 1
        return found

    @cached_property
    def always(self) -> list[frozenset[str]]:
        """For each step the names that it binds whenever it succeeds."""
        names = [frozenset[str]()]
        names += [
            frozenset(capture.name for capture in captures(call.output) if not capture.optional)
            for call in self.document.calls
        ]
        return [*names, frozenset()]
