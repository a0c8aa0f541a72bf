"""What the rules of programs look at: the document, its dataflow, when calls can run first, and what is around it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Lines, Position
from circuit_export.formats.circuitry.branches import always_bound
from circuit_export.formats.circuitry.dataflow import Dataflow, dataflow
from circuit_export.formats.circuitry.expressions import is_nothing
from circuit_export.formats.circuitry.ignoring import comments
from circuit_export.formats.circuitry.patterns import certain
from circuit_export.formats.circuitry.program import Extent
from circuit_export.formats.wording import Spelling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.base import Rule
    from circuit_export.formats.circuitry.dataflow import Port
    from circuit_export.formats.circuitry.document import ProgramDocument
    from circuit_export.formats.circuitry.program import Call, Said
    from circuit_export.formats.circuitry.sections import Section
    from circuit_export.formats.ground import Ground

_NAMED = re.compile(r"(?:\?\$?|\$)([A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*)")
_SECTION = re.compile(r"\?@([A-Za-z0-9 _./:-]+)")
_MOST_CONDITIONS = 32
"""Names that a step may be told to wait for; beyond that it is told that it waits for itself, which no name says."""
_READING = ("source", "arguments", "in")


class Survey:
    """A program surveyed; the dataflow is only looked at when nothing is wrong with its form."""

    def __init__(self, document: ProgramDocument, ground: Ground | None = None) -> None:
        self.document = document
        self.ground = ground
        self.spelling = Spelling()
        self._named: dict[Extent, dict[str, Extent]] = {}

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

    def heading(self, section: Section) -> tuple[Position, Position]:
        """Where the heading of a section starts and ends in the whole text."""
        source = self.document.source
        line = self.lines.position(source.markdown_start).line + section.line
        return Position(line, 1), Position(line, len(self.lines.line(line)) + 1)

    def part(self, call: Call, name: str) -> Extent:
        """Where a part of a call stands; the call's name when it has none."""
        return dict(call.parts).get(name, call.name_extent)

    def reading(self, call: Call | None, name: str) -> Extent | None:
        """Where a call first reads a name; where the program's out does when there is no call."""
        if call is None:
            output = self.document.program.output_extent
            return None if output is None else self.named(output, name) or output
        parts = dict(call.parts)
        found = (self.named(parts[part], name) for part in _READING if part in parts)
        return next(filter(None, found), call.name_extent)

    def named(self, extent: Extent, name: str) -> Extent | None:
        """Where a name stands first in a stretch of the KDL, as `$name` or `?name`, as far as that can be seen."""
        found = self._named.get(extent)
        if found is None:
            found = self._named[extent] = {}
            for match in self._outside_comments(_NAMED, extent):
                found.setdefault(match[1], Extent(*match.span()))
        return found.get(name)

    @cached_property
    def missing_sections(self) -> dict[str, Extent]:
        """Where names of sections that may be missing stand first, as far as that can be seen."""
        found: dict[str, Extent] = {}
        for match in self._outside_comments(_SECTION, Extent(0, len(self.document.source.kdl))):
            found.setdefault(match[1], Extent(*match.span()))
        return found

    def _outside_comments(self, wanted: re.Pattern[str], extent: Extent) -> Iterator[re.Match[str]]:
        kdl = self.document.source.kdl
        comment, following = Extent(0, 0), comments(kdl, extent)
        for match in wanted.finditer(kdl, *extent):
            while comment.end <= match.start():
                comment = next(following, Extent(extent.end, extent.end + 1))
            if match.start() < comment.start:
                yield match

    def left_out(self, call: Call | None) -> str:
        """Which part of a call is nothing but the text of a section that is not there, "" when none is."""
        if call is None:
            return "value" if is_nothing(self.document.program.output) else ""
        if is_nothing(call.source):
            return "source"
        return "in" if is_nothing(call.input) else ""

    @cached_property
    def first(self) -> list[int | None]:
        """For each step the generation in which it can run first, None when it never can; 0 is that of the input.

        A call runs when all that it needs is bound by calls of earlier generations, or by their failures.
        """
        lacking, needers = self._lacking()
        found: list[int | None] = [None] * len(lacking)
        bound: set[str] = set()
        ready, generation = [0], 0
        while ready:
            fresh = {port.name: None for step in ready for port in self.flow.ports[step] if port.name not in bound}
            bound.update(fresh)
            for step in ready:
                found[step] = generation
            freed = [step for name in fresh for step in needers.get(name, ())]
            freed += () if generation else range(1, len(lacking))
            ready = []
            for step in freed:
                lacking[step] -= 1
                if not lacking[step]:
                    ready.append(step)
            generation += 1
        return found

    def _lacking(self) -> tuple[list[int], dict[str, list[int]]]:
        """How much each step waits for, the beginning included, and by name the steps that wait for it."""
        needers: dict[str, list[int]] = {}
        lacking = [int(step > 0) for step in range(len(self.flow.ids))]
        for step, needs in enumerate(self.flow.needs):
            for name, optional in needs.items():
                if not optional:
                    lacking[step] += 1
                    needers.setdefault(name, []).append(step)
        for step, call in [*self.calls(), (len(lacking) - 1, None)]:
            lacking[step] += bool(self.left_out(call))
        return lacking, needers

    @cached_property
    def conditions(self) -> list[frozenset[str]]:
        """For each step that can run the names that it waits for and that may never be bound, though nothing fails.

        What such a name waits for is not told: that it is there says all of it.
        """
        flow, first = self.flow, self.first
        found: list[frozenset[str]] = [frozenset()] * len(flow.ids)
        known: dict[str, frozenset[str]] = {}
        order = sorted((generation, step) for step, generation in enumerate(first) if generation is not None)
        for generation, step in order:
            needs = [name for name, optional in flow.needs[step].items() if not optional]
            for name in needs:
                if name not in known:
                    known[name] = self._condition(name, generation, found)
            waits = frozenset[str]().union(*(known[name] for name in needs))
            found[step] = waits if len(waits) <= _MOST_CONDITIONS else frozenset((f"that {step} runs",))
        return found

    def _condition(self, name: str, generation: int, found: list[frozenset[str]]) -> frozenset[str]:
        """What a name waits for that a step of a generation needs; itself if that is not told by one earlier call."""
        ports = self.flow.binders[name]
        sure = [found[port.step] for port in ports if self._binds_before(port, generation)]
        if not all(sure):
            return frozenset()
        return sure[0] if sure and len({port.step for port in ports}) == 1 else frozenset((name,))

    def _binds_before(self, port: Port, generation: int) -> bool:
        first = self.first[port.step]
        return port.name in self.always[port.step] and first is not None and first < generation

    @cached_property
    def timely(self) -> list[bool]:
        """For each step whether it runs in its first generation if at all: nothing that it needs can come later."""
        found = [True, *(False for _ in self.flow.ids[1:])]
        order = sorted((generation, step) for step, generation in enumerate(self.first) if generation is not None)
        known: dict[str, bool] = {}
        for generation, step in order[1:]:
            needs = [name for name, optional in self.flow.needs[step].items() if not optional]
            for name in needs:
                if name not in known:
                    known[name] = self._comes_in_time(name, generation, found)
            found[step] = all(known[name] for name in needs)
        return found

    def _comes_in_time(self, name: str, generation: int, found: list[bool]) -> bool:
        """Whether a name that a step of a generation needs is there before that for certain, or never."""
        ports = [port for port in self.flow.binders[name] if self.first[port.step] is not None]
        earlier = [port for port in ports if found[port.step]]
        if any(self._binds_before(port, generation) and not self.conditions[port.step] for port in earlier):
            return True
        return len(earlier) == len(ports) and all(
            (self.first[port.step] or 0) < generation and (self.once[port.step] or name in self.always[port.step])
            for port in ports
        )

    @cached_property
    def once(self) -> list[bool]:
        """For each step whether it runs no more than once: nothing that it reads can change after that."""
        found = [True, *(False for _ in self.flow.ids[1:])]
        order = sorted((generation, step) for step, generation in enumerate(self.first) if generation is not None)
        for generation, step in order[1:]:
            binders = (self.flow.binders.get(name, ()) for name in self.flow.needs[step])
            found[step] = all(
                len(ports) <= 1
                and all(found[port.step] and (self.first[port.step] or 0) < generation for port in ports)
                for ports in binders
            )
        return found

    @cached_property
    def always(self) -> list[frozenset[str]]:
        """For each step the names that it binds whenever it runs and does not end the run."""
        return [certain(self.document.program.input), *map(always_bound, self.document.calls), frozenset()]
