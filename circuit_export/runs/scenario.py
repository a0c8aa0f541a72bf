"""Scenarios: fixed answers that make a run's trace deterministic, and the driver that plays them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, cast

from circuit_export.runs.directives import ASK, BLOCKED, CALL_MANY, DONE, LAST, THINK, Directive, trace_line
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.outline import Outline
from circuit_export.runs.record import LIVE, Run

START = "2000-01-01T00:00:00Z"
"""The time of every moment of a scenario's run: it happens at no time in particular."""


class Reply(NamedTuple):
    """One answer: `kind` is "result", "error" or "results"; `value` what is reported, `errors` the failed calls.

    `given` is what the step must be given for it to be the answer; MISSING is whatever it is given.
    """

    kind: str
    value: Any
    errors: Mapping[str, Any] = {}
    given: Any = MISSING


class Expect(NamedTuple):
    """What a scenario says of its run: the status it ends with, steps that it reaches and steps that it never does."""

    status: str | None = None
    reaches: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


class Scenario(NamedTuple):
    """Fixed answers by step id, or by `call/step` for a step of a called workflow.

    Several replies are used in order, the last one again and again; those for one input come first where they fit,
    whenever that is. `place` is where it stands in the file, from 0.
    """

    place: int
    name: str
    input: Mapping[str, Any] = {}
    trigger: Any = None
    mode: str = LIVE
    answers: Mapping[str, tuple[Reply, ...]] = {}
    expect: Expect = Expect()


class Engine(Protocol):
    """All that the driver needs of an engine; one is bound to a workflow and to what it calls."""

    def start(self, run_id: str, now: str, mode: str, trigger: Any, input: Mapping[str, Any]) -> Run:
        """A new run."""

    def advance(self, run: Run, now: str) -> Directive:
        """The next directive."""

    def report(self, run: Run, now: str, step_id: str, result: Any, turn: int) -> Directive:
        """Takes a result; returns the next directive."""

    def report_many(
        self, run: Run, now: str, step_id: str, results: Mapping[str, Any], errors: Mapping[str, Any], turn: int
    ) -> Directive:
        """Takes the results of a batch; returns the next directive."""

    def fail(self, run: Run, now: str, step_id: str, error: Any, turn: int) -> Directive:
        """Takes a failure; returns the next directive."""

    def path(self, run: Run) -> tuple[str, ...]:
        """The ids of the calling steps that lead to where the run is, the outermost first."""

    def outline(self) -> Outline:
        """The workflow's steps and wires, and what each step asks for."""


class Telling(Protocol):
    """An engine whose directives come in an order that means nothing, and that tells what happened without it."""

    def told(self, run: Run) -> tuple[str, ...]:
        """What happened, in lines that are the same whenever the same things happened. None begins with `#`."""


class Exchange(NamedTuple):
    """A directive, the reply it got (None for the last one), and the key of `answers` it came from ("" if bland)."""

    directive: Directive
    path: tuple[str, ...] = ()
    reply: Reply | None = None
    key: str = ""


class Played(NamedTuple):
    """A scenario played: its run, and what was asked and answered.

    `refused` is the reason when the engine would not take an answer, which ends the play. `told` is how the engine
    tells what happened, where the order of its directives says too much; None is that they are the story.
    """

    scenario: Scenario
    run: Run
    exchanges: tuple[Exchange, ...]
    refused: str = ""
    told: tuple[str, ...] | None = None

    @property
    def directives(self) -> tuple[Directive, ...]:
        """What was handed out, in order."""
        return tuple(exchange.directive for exchange in self.exchanges)

    @property
    def lines(self) -> tuple[str, ...]:
        """The directives, a line each."""
        return tuple(trace_line(exchange.directive) for exchange in self.exchanges)

    @property
    def trace(self) -> tuple[str, ...]:
        """What a golden holds of it."""
        return self.lines if self.told is None else self.told

    @property
    def status(self) -> str:
        """The status the run ended with."""
        return str(self.run["status"])


def play(engine: Engine, scenario: Scenario, *, run_id: str = "scenario", now: str = START) -> Played:
    """Plays a scenario to its end: the run is done, stands still, or refuses an answer."""
    run = engine.start(run_id, now, scenario.mode, scenario.trigger, scenario.input)
    answers = Answers(scenario.answers)
    exchanges: list[Exchange] = []
    directive = engine.advance(run, now)
    while directive["act"] not in LAST:
        path = engine.path(run)
        key, reply = answers.reply(path, directive)
        exchanges.append(Exchange(directive, path, reply, key))
        handed_out = run["directives"]
        directive = give(engine, run, now, directive, reply)
        if directive["act"] == BLOCKED and run["directives"] == handed_out:
            return Played(scenario, run, tuple(exchanges), directive["reason"], _told(engine, run))
    exchanges.append(Exchange(directive, engine.path(run)))
    return Played(scenario, run, tuple(exchanges), told=_told(engine, run))


def _told(engine: Engine, run: Run) -> tuple[str, ...] | None:
    """What an engine tells of a run, if it has a way of its own (it is then a `Telling`)."""
    return cast("Telling", engine).told(run) if hasattr(engine, "told") else None


def give(engine: Engine, run: Run, now: str, directive: Directive, reply: Reply) -> Directive:
    """Gives the engine the reply to a directive; the next directive."""
    step_id, turn = directive["stepId"], directive["turn"]
    if reply.kind == "error":
        return engine.fail(run, now, step_id, reply.value, turn)
    if reply.kind == "results":
        return engine.report_many(run, now, step_id, reply.value, reply.errors, turn)
    return engine.report(run, now, step_id, reply.value, turn)


class Answers:
    """A scenario's answers, and how many of each were used."""

    def __init__(self, answers: Mapping[str, tuple[Reply, ...]]) -> None:
        self.answers = answers
        self.used: dict[str, int] = {}

    def reply(self, path: tuple[str, ...], directive: Directive) -> tuple[str, Reply]:
        """The reply to a directive and the key it was found by; a bland one when there is none."""
        step_id = directive["stepId"]
        # `call/step` wins over `step`; of calls within calls, the more of the way is named the better.
        for start in range(len(path) + 1):
            key = "/".join((*path[start:], step_id))
            replies = self.answers.get(key, ())
            fitting = next((one for one in replies if one.given is not MISSING and _fits(one.given, directive)), None)
            if fitting is not None:
                return key, fitting
            replies = tuple(one for one in replies if one.given is MISSING)
            if replies:
                at = self.used.get(key, 0)
                self.used[key] = at + 1
                return key, replies[min(at, len(replies) - 1)]
        return "", bland(directive)


def _fits(given: Any, directive: Directive) -> bool:
    """Is a step given this? What a directive has no arguments for is told by its own members."""
    return _holds(directive.get("arguments", directive), given)


def _holds(value: Any, wanted: Any) -> bool:
    """Is a value the one that is wanted, or an object with at least its members?"""
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        return all(key in value and _holds(value[key], item) for key, item in wanted.items())
    if isinstance(wanted, bool) or isinstance(value, bool):
        return value is wanted
    if isinstance(wanted, list) and isinstance(value, list):
        return len(value) == len(wanted) and all(map(_holds, value, wanted))
    return bool(value == wanted)


def bland(directive: Directive) -> Reply:
    """The answer to a directive that a scenario does not answer: nothing fails, nothing stands out."""
    act = directive["act"]
    if act == CALL_MANY:
        return Reply("results", {call["stepId"]: {"ok": True} for call in directive["calls"]})
    if act == ASK:
        return Reply("result", {"decision": "approve"})
    if act == THINK:
        return Reply("result", _thought(directive))
    return Reply("result", {"ok": True})


def _thought(directive: Directive) -> dict[str, Any]:
    if "labels" in directive:
        return {"label": directive["labels"][0]}
    if "fields" in directive:
        return {field["name"]: f"some {field['name']}" for field in directive["fields"]}
    return {"text": "Short and plain."}


def finished(played: Played) -> bool:
    """Did the run come to its end, well or by a person's rejection?"""
    return bool(played.exchanges) and played.exchanges[-1].directive["act"] == DONE
