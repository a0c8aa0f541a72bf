"""Which call binds a state name and which needs it: the wires of a program.

A port is a name that a call binds, in its `out` or, as `error NAME`, in its `error`. The program's own `in` and `out`
are at the two ends, under names that no call can have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from circuit_export.formats.circuitry.expressions import Reference, references
from circuit_export.formats.circuitry.patterns import captures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from circuit_export.formats.circuitry.expressions import Expression
    from circuit_export.formats.circuitry.patterns import Pattern
    from circuit_export.formats.circuitry.program import Call, Program

IN: Final = "in"
OUT: Final = "out"
MOST_PAIRS: Final = 2_000
"""Pairs of a binder and a needer of one name that are all wires; of more, only the nearest ones are."""


class Port(NamedTuple):
    """A name that a step binds; `failing` when it is bound by a failure."""

    step: int
    name: str
    failing: bool

    @property
    def label(self) -> str:
        return f"error {self.name}" if self.failing else self.name


class Flow(NamedTuple):
    """A wire: the step at `source` binds a name that the one at `target` needs, or takes if it is there."""

    port: Port
    target: int
    optional: bool


class Dataflow(NamedTuple):
    """The steps of a program by id, its `in` first and its `out` last, with what they bind and need."""

    ids: tuple[str, ...]
    ports: tuple[tuple[Port, ...], ...]
    needs: tuple[Mapping[str, bool], ...]
    """For each step the names that it needs, and whether it does without."""
    binders: Mapping[str, tuple[Port, ...]]

    def flows(self) -> Iterator[Flow]:
        """All wires, in the order of the steps that need and of the names in them."""
        needers: dict[str, int] = {}
        for needs in self.needs:
            for name in needs:
                needers[name] = needers.get(name, 0) + 1
        for target, needs in enumerate(self.needs):
            for name, optional in needs.items():
                binders = self.binders.get(name, ())
                if len(binders) * needers[name] > MOST_PAIRS:
                    binders = _nearest(binders, target)
                yield from (Flow(port, target, optional) for port in binders)


def _nearest(binders: tuple[Port, ...], target: int) -> tuple[Port, ...]:
    from bisect import bisect_left

    at = bisect_left([port.step for port in binders], target)
    return (binders[max(at - 1, 0)],)


def dataflow(program: Program) -> Dataflow:
    """The dataflow of a program; a program without an input of its own binds nothing at its beginning."""
    ports = [tuple(_ports(0, program.input, None))]
    needs: list[Mapping[str, bool]] = [{}]
    for at, call in enumerate(program.calls, 1):
        ports.append(tuple(_ports(at, call.output, call.error)))
        needs.append(needed(call))
    ports.append(())
    needs.append(_names(_whole(program.output)))
    binders: dict[str, list[Port]] = {}
    for step in ports:
        for port in step:
            binders.setdefault(port.name, []).append(port)
    ids = (IN, *(call.name for call in program.calls), OUT)
    return Dataflow(ids, tuple(ports), tuple(needs), {name: tuple(found) for name, found in binders.items()})


def needed(call: Call) -> dict[str, bool]:
    """The names that a call needs, and whether it does without."""
    found = _whole(call.source)
    found += [reference for argument in call.arguments for reference in references(argument)]
    return _names(found if call.input is None else [*found, *_whole(call.input)])


def _whole(expression: Expression) -> list[Reference]:
    """The references of an expression of which something must be left: a name that is all of it may not be missing."""
    if isinstance(expression, Reference):
        return [Reference(expression.name, optional=False)]
    return list(references(expression))


def _names(found: Iterable[Reference]) -> dict[str, bool]:
    names: dict[str, bool] = {}
    for reference in found:
        names[reference.name] = names.get(reference.name, True) and reference.optional
    return names


def _ports(step: int, output: Pattern, error: Pattern | None) -> Iterator[Port]:
    for name in dict.fromkeys(capture.name for capture in captures(output)):
        yield Port(step, name, False)
    if error is not None:
        for name in dict.fromkeys(capture.name for capture in captures(error)):
            yield Port(step, name, True)
