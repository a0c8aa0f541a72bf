"""Proposes scenarios for a program: one in which all goes well, and those in which a call fails and that is handled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from circuit_export.formats.circuitry.branches import HANDLED
from circuit_export.formats.circuitry.dataflow import IN, OUT
from circuit_export.formats.circuitry.engine.answers import plain_value
from circuit_export.formats.circuitry.expressions import Reference
from circuit_export.formats.circuitry.patterns import Capture, Fields, Items, Pattern, Scalar, captures, omittable
from circuit_export.formats.circuitry.program import BYTES, JSONL, TEXT
from circuit_export.formats.circuitry.values import canonical
from circuit_export.formats.circuitry.words import Kind, kind, nested_path
from circuit_export.formats.wording import shown
from circuit_export.runs.directives import BLOCKED
from circuit_export.runs.outline import Branch, Way, reached
from circuit_export.runs.scenario import Reply, Scenario
from circuit_export.runs.targets import Target

if TYPE_CHECKING:
    from circuit_export.formats.circuitry.document import ProgramDocument
    from circuit_export.formats.circuitry.engine.played import PlayedProgram
    from circuit_export.formats.circuitry.program import Call
    from circuit_export.runs.scenario import Played

STEP: Final = "step"
WIRE: Final = "wire"
BRANCH: Final = "branch"
MOST_ANSWERS: Final = 2_000
"""Answers of a scenario at most."""
_LEAST: Final = "only what must be there is there"
There = bool | frozenset[str]
"""Of what may be missing all, nothing, or only these names."""
_STATUS: Final = {"status": 1, "signal": None, "stderr": "It did not work.", "stderrTruncated": False}

Idea = tuple[str, Callable[[], Scenario]]
"""A scenario that may be made, by its name."""


class ProgramProposer:
    """The proposer of one program."""

    def __init__(self, engine: PlayedProgram) -> None:
        self.document = engine.document
        self.called = engine.called
        self.flow = engine.flow
        self.outline = engine.outline()
        self.problem = ""
        self._tried: dict[str, frozenset[Target]] = {}
        self._trying = ""

    def targets(self) -> Sequence[Target]:
        """Wires, branches and calls, the later ones first."""
        place = {id: at for at, id in enumerate(self.outline.steps)}
        wires = sorted(self.outline.wires, key=lambda wire: -place[wire.to])
        return [
            *(Target(WIRE, wire) for wire in wires),
            *(Target(BRANCH, branch) for branch in sorted(self.outline.branches, key=lambda one: -place[one.step])),
            *(Target(STEP, step) for step in reversed(self.outline.steps)),
        ]

    def propose(self, target: Target) -> Iterator[Scenario]:
        """Scenarios for a target: a failure where its wire leaves an error, else one in which all goes well.

        What was tried for another target is not tried again when it did not reach this one.
        """
        for name, made in self._ideas(target):
            if target in self._tried.get(name, (target,)):
                self._trying = name
                yield made()

    def _ideas(self, target: Target) -> Iterator[Idea]:
        failing = self._failing_call(target)
        if failing is not None:
            yield from self._failing(failing)
        if isinstance(target.what, Branch):
            yield self._idea(_LEAST, optional=False)
            if failing is None:
                yield from self._every_failure()
        yield self._idea("all goes well")
        yield self._idea(_LEAST, optional=False)
        yield self._only_what_leads_to(target)
        yield from self._every_failure()

    def _only_what_leads_to(self, target: Target) -> Idea:
        """Of what may be missing only that is there which a target needs: so of several ways one alone is gone."""
        what = target.what
        step = what.step if isinstance(what, Way | Branch) else str(what)
        wanted = {what.port} if isinstance(what, Way) else set()
        waiting = [self.flow.ids.index(step)]
        while waiting:
            names = [name for name, optional in self.flow.needs[waiting.pop()].items() if not optional]
            for name in names:
                if name not in wanted and name in self.flow.binders:
                    waiting.append(self.flow.binders[name][0].step)
                wanted.add(name)
        return self._idea(f"only what leads to {shown(step)} is there", optional=frozenset(wanted))

    def _idea(
        self,
        name: str,
        answers: Mapping[str, tuple[Reply, ...]] | None = None,
        *,
        optional: There = True,
        broken: bool = False,
    ) -> Idea:
        return name, partial(self._scenario, name, answers, optional=optional, broken=broken)

    def _failing_call(self, target: Target) -> Call | None:
        """The call that has to fail for a target to be reached, None when none has."""
        what = target.what
        wanted = what.step if isinstance(what, Way) and what.port.startswith("error ") else None
        wanted = what.step if isinstance(what, Branch) and what.what == HANDLED else wanted
        return next((call for call in self.document.calls if call.name == wanted), None)

    def _every_failure(self) -> Iterator[Idea]:
        for call in self.document.calls:
            if call.error is not None:
                yield from self._failing(call)

    def _failing(self, call: Call) -> Iterator[Idea]:
        failure = Reply("error", _failure(call.error))
        if kind(call) is Kind.COMMAND:
            good = self._good.get(call.name)
            yield self._idea(f"{shown(call.name)} fails", {call.name: (failure,)})
            if good is not None:
                yield self._idea(f"{shown(call.name)} fails at first", {call.name: (failure, good)})
            return
        for inner, key in self._inside(call):
            yield self._idea(f"{shown(call.name)} fails in {shown(inner)}", {key: (failure,)})
        if kind(call) is Kind.GENERATED:
            wrong = self._answers(True, _values(self.document, True))
            mended = {key: (wrong[key], reply) for key, reply in self._good.items() if wrong[key] != reply}
            if mended:
                yield self._idea(f"{shown(call.name)} is given no program at first", mended)
            yield self._idea(f"{shown(call.name)} is given no program", broken=True)

    @cached_property
    def _good(self) -> dict[str, Reply]:
        return self._answers(True)

    def _inside(self, call: Call) -> Iterator[tuple[str, str]]:
        """The commands of the program that a call runs, with the keys of their answers."""
        path = nested_path(call, self.document)
        found = self.called.get(path) if path is not None else None
        if found is not None:
            for inner in found.calls:
                if kind(inner) is Kind.COMMAND:
                    yield inner.name, f"{call.name}/{inner.name}"

    def _scenario(
        self,
        name: str,
        answers: Mapping[str, tuple[Reply, ...]] | None = None,
        *,
        optional: There = True,
        broken: bool = False,
    ) -> Scenario:
        values = _values(self.document, broken)
        given = _sample(self.document.program.input, optional, values)
        good = self._answers(optional, values)
        all_answers: dict[str, tuple[Reply, ...]] = {key: (reply,) for key, reply in good.items()}
        all_answers |= answers or {}
        if isinstance(given, dict):
            return Scenario(0, name, input=given, answers=all_answers)
        return Scenario(0, name, trigger=given, answers=all_answers)

    def _answers(self, optional: There, values: Mapping[str, Any] | None = None) -> dict[str, Reply]:
        """A good answer for each command of the program and of those that it calls."""
        found: dict[str, Reply] = {}
        values = _values(self.document, False) if values is None else values
        self._collect(self.document, "", optional, values, found, frozenset())
        return found

    def _collect(
        self,
        document: ProgramDocument,
        prefix: str,
        optional: There,
        values: Mapping[str, Any],
        found: dict[str, Reply],
        above: frozenset[str],
    ) -> None:
        for call in document.calls:
            if len(found) >= MOST_ANSWERS:
                return  # programs that run each other often have more commands than anybody could answer for
            if kind(call) is Kind.COMMAND:
                more = {} if prefix else self._of_its_own(call)
                found[f"{prefix}{call.name}"] = Reply("result", _answer(call, optional, {**more, **values}))
                continue
            path = nested_path(call, document)
            if path is None or path in above:
                continue
            itself = path == self.document.definition.path
            inner = self.document if itself else self.called.get(path)
            if inner is not None:
                # A program that runs itself comes to an end by what is missing at last.
                there = optional and not itself
                self._collect(inner, f"{prefix}{call.name}/", there, _values(inner, False), found, above | {path})

    def _of_its_own(self, call: Call) -> dict[str, str]:
        """Values for the names that others bind, too: only one that is another is something new."""
        names = {capture.name for capture in captures(call.output)}
        shared = [name for name in names if len({port.step for port in self.flow.binders[name]}) > 1]
        return {name: f"some {name} of {call.name}" for name in shared}

    def keep(self, got: frozenset[Target]) -> None:
        """Nothing is learned from a scenario that is kept."""

    def learn(self, target: Target, played: Played) -> None:
        """Keeps why the run did not come far enough."""
        last = played.exchanges[-1].directive
        self.problem = played.refused or (str(last["reason"]) if last["act"] == BLOCKED else "")

    def reached(self, played: Played) -> frozenset[Target]:
        """What a run reached."""
        got = reached(played.run)
        found = frozenset(
            (
                *(Target(STEP, step) for step in got.steps),
                *(Target(WIRE, wire) for wire in got.wires),
                *(Target(BRANCH, branch) for branch in got.branches),
            )
        )
        self._tried[self._trying] = found
        return found

    def describe(self, target: Target) -> str:
        """How far a scenario for a target comes."""
        if isinstance(target.what, Branch):
            return f"the output {target.what.what}" if target.what.step == OUT else str(target.what)
        what = target.what.to if isinstance(target.what, Way) else str(target.what)
        return "to its end" if what in (IN, OUT) else f"as far as {shown(what)}"

    def why_not(self, target: Target) -> str:
        """Why a target is out of reach, in a sentence."""
        return f"The run stops before it. {self.problem}" if self.problem else "No run that was tried comes to it."


def _values(document: ProgramDocument, broken: bool) -> dict[str, Any]:
    """Values for names that not every text will do for.

    One that holds a generated program has one that gives what its call wants, one that is written as bytes has some.
    """
    found: dict[str, Any] = {}
    for call in document.calls:
        if call.input_codec == BYTES and isinstance(call.input, Reference):
            found[call.input.name] = plain_value(f"some {call.input.name}".encode())
    for call in document.calls:
        if call.generated and isinstance(call.source, Reference):
            wanted = _kdl(_sample(call.output, True, {}))
            found[call.source.name] = "out {" if broken else f"out {wanted}"
    return found


def _answer(call: Call, optional: There, values: Mapping[str, Any]) -> Any:
    sample = _sample(call.output, optional, values)
    if call.output_codec == JSONL:
        return [sample]
    return canonical(sample) if call.output_codec == TEXT and not isinstance(sample, str) else sample


def _sample(pattern: Pattern, optional: There, values: Mapping[str, Any]) -> Any:
    """A value that has the shape of a pattern, of what may be missing only with what is to be `there`."""
    if isinstance(pattern, Scalar):
        return pattern.value
    if isinstance(pattern, Capture):
        return values.get(pattern.name, f"some {pattern.name}")
    if isinstance(pattern, Items):
        return [_sample(item, optional, values) for item in pattern.items]
    found = {
        key: _sample(item, optional, values)
        for key, item in pattern.fields
        if not omittable(item) or _is_there(item, optional)
    }
    # An object of nothing but `$bytes` would be read as bytes; what a pattern does not name does not count.
    return {**found, "more": True} if found.keys() == {"$bytes"} else found


def _is_there(pattern: Pattern, optional: There) -> bool:
    return optional if isinstance(optional, bool) else any(one.name in optional for one in captures(pattern))


def _failure(pattern: Pattern | None) -> dict[str, Any]:
    """A failure that has the shape of an error pattern, as far as a pattern can say it."""
    failure: dict[str, Any] = {"code": "process.exit", "message": "It did not work.", "data": dict(_STATUS)}
    if isinstance(pattern, Fields):
        for key, item in pattern.fields:
            if isinstance(item, Scalar):
                failure[key] = item.value
            elif key == "data" and isinstance(item, Fields):
                wanted = {name: part.value for name, part in item.fields if isinstance(part, Scalar)}
                failure["data"] = {**_STATUS, **wanted}
    return failure


def _kdl(value: Any) -> str:
    """A sample as the body of an `out`."""
    if isinstance(value, dict):
        return "{ " + "; ".join(f"{_quoted(key)} {_kdl(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "{ " + "; ".join(f"- {_kdl(item)}" for item in value) + " }"
    if value is None or isinstance(value, bool):
        return {None: "#null", True: "#true", False: "#false"}[value]
    return _quoted(value) if isinstance(value, str) else canonical(value)


def _quoted(text: str) -> str:
    return canonical(text)
