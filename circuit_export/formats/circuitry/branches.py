"""The branches of a program: failures that are handled, and names that may be missing where something takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from circuit_export.formats.circuitry.patterns import certain
from circuit_export.runs.outline import Branch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from circuit_export.formats.circuitry.dataflow import Dataflow, Port
    from circuit_export.formats.circuitry.program import Call, Program

HANDLED: Final = "failing, which is handled"
"""What is said of a call whose failure its own `error` takes."""
_PASSES: Final = 3
_MOST: Final = 200_000
"""Names that are kept for all calls together: what goes beyond is not told any more."""

Names = frozenset[str]


def without(name: str) -> str:
    """What is said of a step that takes a name when it is there, and for once it is not."""
    return f"without {name}"


def branches(program: Program, flow: Dataflow) -> tuple[Branch, ...]:
    """The branches, in written order. A name that is always there has none."""
    there = _Certainty(program, flow)
    found: list[Branch] = []
    for at, step in enumerate(flow.ids):
        known = there.at_end() if at == len(flow.ids) - 1 else there.at(at)
        for name, optional in flow.needs[at].items():
            if optional and name in flow.binders and name not in known:
                found.append(Branch(step, without(name)))
        if 0 < at <= len(program.calls) and program.calls[at - 1].error is not None:
            found.append(Branch(step, HANDLED))
    return tuple(found)


class _Certainty:
    """Which names are there for certain, as far as that is easily told; a name once bound stays."""

    def __init__(self, program: Program, flow: Dataflow) -> None:
        self._program = program
        self._flow = flow
        self._optional = frozenset(name for needs in flow.needs for name, optional in needs.items() if optional)
        self._start = certain(program.input)
        self._known: list[Names] = [self._start & self._optional] * len(flow.ids)
        for _ in range(_PASSES):
            if not self._pass():
                break

    def at(self, step: int) -> Names:
        """What is there whenever a call runs."""
        return self._known[step]

    def at_end(self) -> Names:
        """What is there whenever the output is asked for: all that can run has run then, and none has failed."""
        calls = self._program.calls
        lacking = [set(_required(needs)) for needs in self._flow.needs[1:-1]]
        waiting: dict[str, list[int]] = {}
        for at, names in enumerate(lacking):
            for name in names:
                waiting.setdefault(name, []).append(at)
        known: set[str] = set()
        fresh = [*self._start]
        ready = [at for at, names in enumerate(lacking) if not names]
        while fresh or ready:
            for name in fresh:
                known.add(name)
                for at in waiting.pop(name, ()):
                    lacking[at].discard(name)
                    if not lacking[at]:
                        ready.append(at)
            fresh = [name for at in ready for name in always_bound(calls[at]) if name not in known]
            ready = []
        return frozenset(known)

    def _pass(self) -> bool:
        """Looks once at every call; whether more is known than before."""
        before = size = sum(map(len, self._known))
        for step in range(1, len(self._flow.ids)):
            found = set(self._known[step])
            for name in _required(self._flow.needs[step]):
                ways = [self._along(port) for port in self._flow.binders.get(name, ())]
                found |= frozenset.intersection(*ways) if ways else frozenset()
            size += len(found) - len(self._known[step])
            if size > _MOST:
                return False
            self._known[step] = frozenset(found)
        return before < size

    def _along(self, port: Port) -> Names:
        """What is there once a port has bound its name."""
        if not port.step:
            return self._known[0]
        call = self._program.calls[port.step - 1]
        pattern = call.error if port.failing and call.error is not None else call.output
        return (certain(pattern) & self._optional) | self._known[port.step]


def always_bound(call: Call) -> Names:
    """What a call binds whether it succeeds or its failure is handled."""
    names = certain(call.output)
    return names if call.error is None else names & certain(call.error)


def _required(needs: Mapping[str, bool]) -> Iterator[str]:
    return (name for name, optional in needs.items() if not optional)
