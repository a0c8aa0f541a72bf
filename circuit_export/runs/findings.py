"""What can be wrong about runs and scenarios: the codes, and the checks of a scenario that was played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from circuit_export.diagnostics import Diagnostic, Severity, escape_pointer
from circuit_export.runs.directives import ASK, BLOCKED, CALL_MANY, one_line
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.outline import Outline, reached
from circuit_export.runs.record import AWAITING, CANCELLED, FAILED, SUCCEEDED
from circuit_export.runs.scenario import Exchange, Played, Reply, Scenario


class RunRule(NamedTuple):
    """One thing that can be wrong about runs: its code, what it means, why it matters, and an example of each kind."""

    code: str
    name: str
    severity: Severity
    about: str
    why: str
    bad: str
    good: str

    def found(self, message: str, pointer: str = "", **more: Any) -> Diagnostic:
        """A finding; `more` are fields of Diagnostic."""
        return Diagnostic(self.code, self.name, self.severity, message, pointer, **more)


UNREADABLE = RunRule(
    "C901",
    "unreadable-scenarios",
    Severity.ERROR,
    "A scenarios file that is not JSON, or not of the form that scenarios have.",
    "None of its scenarios can be played, so nothing is checked.",
    '{"scenarios": [{"answers": {}}]}',
    '{"scenarios": [{"name": "all goes well"}]}',
)
UNKNOWN_ANSWER = RunRule(
    "C902",
    "answer-to-no-step",
    Severity.ERROR,
    "A scenario answers a step that the workflow does not have.",
    "The answer is never used: the step it was meant for is answered blandly instead.",
    '{"scenarios": [{"name": "a reply", "answers": {"draaft": {"result": {"text": "Hello."}}}}]}',
    '{"scenarios": [{"name": "a reply", "answers": {"draft": {"result": {"text": "Hello."}}}}]}',
)
UNASKED_ANSWER = RunRule(
    "C903",
    "answer-never-asked-for",
    Severity.WARNING,
    "A scenario answers a step that never asks for anything, or is not asked in this scenario.",
    "The answer is never used, and whoever reads the scenario believes that it is.",
    '{"scenarios": [{"name": "a reply", "answers": {"a-filter": {"result": true}}}]}',
    '{"scenarios": [{"name": "a reply", "answers": {"draft": {"result": {"text": "Hello."}}}}]}',
)
MISFIT = RunRule(
    "C904",
    "reply-of-the-wrong-shape",
    Severity.WARNING,
    "A reply that an assistant would not give: a label that is none, an extract that misses declared fields, a batch "
    "whose calls are not all answered, a write without text, a gate's answer that is no decision.",
    "The scenario then pins down what happens on a slip, not what happens when all goes as it should.",
    '{"scenarios": [{"name": "sales", "answers": {"intent": {"result": {"label": "slaes"}}}}]}',
    '{"scenarios": [{"name": "sales", "answers": {"intent": {"result": {"label": "sales"}}}}]}',
)
UNFINISHED = RunRule(
    "C905",
    "scenario-does-not-finish",
    Severity.ERROR,
    "The run of a scenario stops before its end, and the scenario does not say that it should.",
    "A run that stands still at a step has checked nothing after it.",
    '{"scenarios": [{"name": "the mail fails", "answers": {"send": {"error": "the mailbox is full"}}}]}',
    '{"scenarios": [{"name": "the mail fails", "answers": {"send": {"error": "the mailbox is full"}}, '
    '"expect": {"status": "failed"}}]}',
)
UNMET = RunRule(
    "C906",
    "expectation-not-met",
    Severity.ERROR,
    "The run of a scenario ends otherwise than `expect` says: another status, a step that it does not reach, or one "
    "that it should never reach.",
    "What the scenario is there to hold does not hold.",
    '{"scenarios": [{"name": "all goes well", "expect": {"never": ["send"]}}]}',
    '{"scenarios": [{"name": "all goes well", "expect": {"reaches": ["send"]}}]}',
)
DRIFT = RunRule(
    "C911",
    "trace-drift",
    Severity.ERROR,
    "A scenario's trace is not the one in its golden.",
    "The board's walk has changed. If that is meant, accept it; if not, the change that did it is at fault.",
    "# all goes well\ncall_tool fetch Mail:list\ndone",
    "# all goes well\ncall_tool fetch Mail:search\ndone",
)
NO_GOLDEN = RunRule(
    "C912",
    "missing-golden",
    Severity.ERROR,
    "A scenario without its trace in the golden.",
    "Nothing notices when its walk changes.",
    "",
    "# all goes well\ncall_tool fetch Mail:search\ndone",
)
STALE_GOLDEN = RunRule(
    "C913",
    "golden-without-scenario",
    Severity.ERROR,
    "A trace in a golden without its scenario.",
    "It looks like a check and is none: the scenario was renamed or removed.",
    "# all goes well\ndone\n\n# a scenario that was removed\ndone",
    "# all goes well\ndone",
)
NO_SCENARIOS = RunRule(
    "C914",
    "no-scenarios",
    Severity.ERROR,
    "A workflow without scenarios, where `require-scenarios` asks for them.",
    "Nobody has seen it run.",
    '{"scenarios": []}',
    '{"scenarios": [{"name": "all goes well"}]}',
)
NO_WORKFLOW = RunRule(
    "C915",
    "scenarios-without-workflow",
    Severity.ERROR,
    "A scenarios file that no workflow lies beside.",
    "None of its scenarios is ever played: the workflow was renamed or moved without it.",
    '{"scenarios": [{"name": "all goes well"}]}',
    '{"scenarios": [{"name": "all goes well"}]}',
)
UNREACHED_STEP = RunRule(
    "C921",
    "unreached-step",
    Severity.ERROR,
    "A step that no scenario reaches.",
    "Nobody has seen it work, in a board whose other steps are checked.",
    '{"scenarios": [{"name": "the first of two labels"}]}',
    '{"scenarios": [{"name": "the first of two labels"}, {"name": "the other one"}]}',
)
UNREACHED_WIRE = RunRule(
    "C922",
    "unreached-wire",
    Severity.WARNING,
    "A wire that no scenario takes.",
    "The step it leads to may be reached another way, with other data than this way brings.",
    '{"scenarios": [{"name": "the first of two labels"}]}',
    '{"scenarios": [{"name": "the first of two labels"}, {"name": "the other one"}]}',
)
UNREACHED_BRANCH = RunRule(
    "C923",
    "unreached-branch",
    Severity.WARNING,
    "A branch that no scenario comes by: a failure that is handled, or something optional that is not there.",
    "What the workflow does then was never seen, and a failure is when it matters.",
    '{"scenarios": [{"name": "all goes well"}]}',
    '{"scenarios": [{"name": "all goes well"}, {"name": "the agent fails"}]}',
)

RULES = (
    UNREADABLE,
    UNKNOWN_ANSWER,
    UNASKED_ANSWER,
    MISFIT,
    UNFINISHED,
    UNMET,
    DRIFT,
    NO_GOLDEN,
    STALE_GOLDEN,
    NO_SCENARIOS,
    NO_WORKFLOW,
    UNREACHED_STEP,
    UNREACHED_WIRE,
    UNREACHED_BRANCH,
)


def findings(outline: Outline, played: Played) -> tuple[Diagnostic, ...]:
    """What is to be said of a scenario and its run; pointers are into the scenarios file."""
    return (
        *_answers(outline, played),
        *_replies(played),
        *_end(played),
        *_expectations(outline, played),
    )


def pointer_of(scenario: Scenario, *more: object) -> str:
    """The JSON Pointer of something in a scenario."""
    return "/".join(("", "scenarios", str(scenario.place), *(escape_pointer(part) for part in more)))


def _answers(outline: Outline, played: Played) -> Iterator[Diagnostic]:
    """Answers to steps that are not there, or are never asked."""
    scenario = played.scenario
    used = {exchange.key for exchange in played.exchanges}
    for key in scenario.answers:
        pointer = pointer_of(scenario, "answers", key)
        asked, hint = _asked(outline, key)
        if asked is None:
            message = f"“{one_line(scenario.name)}” answers “{key}”, which is no step of this workflow"
            yield UNKNOWN_ANSWER.found(message, pointer, hint=hint, key=True)
        elif not asked:
            message = f"“{one_line(scenario.name)}” answers “{key}”, which never asks for anything"
            yield UNASKED_ANSWER.found(message, pointer, step=key, hint=hint, key=True)
        elif key not in used:
            message = f"“{one_line(scenario.name)}” answers “{key}”, which is not asked in its run"
            yield UNASKED_ANSWER.found(message, pointer, step=key, hint="take it out, or lead the run there", key=True)
        else:
            yield from _unasked_cases(played, key)


def _unasked_cases(played: Played, key: str) -> Iterator[Diagnostic]:
    """Replies for one input that the step is never given."""
    scenario = played.scenario
    used = {id(exchange.reply) for exchange in played.exchanges}
    for at, reply in enumerate(scenario.answers[key]):
        if reply.given is not MISSING and id(reply) not in used:
            message = f"“{one_line(scenario.name)}” answers “{key}” for an input that it is not given in its run"
            more = (at,) if len(scenario.answers[key]) > 1 else ()
            pointer = pointer_of(scenario, "answers", key, *more, "given")
            yield UNASKED_ANSWER.found(message, pointer, step=key, hint="compare it with what `circuit run` shows")


def _asked(outline: Outline, key: str) -> tuple[bool | None, str]:
    """Does the step that a key of `answers` means ask for something? None when there is no such step."""
    if key in outline.steps:
        return key in outline.asks, "" if key in outline.asks else "take it out"
    found = _asked_inside(outline, key, {})
    if found is None:
        batch = ", ".join(outline.steps[:12])
        return None, f"its steps are {batch}{', …' if len(outline.steps) > 12 else ''}"
    return found, ""


def _asked_inside(outline: Outline, key: str, known: dict[tuple[int, str], bool | None]) -> bool | None:
    """The same for the workflows that one calls, which may call each other often: each is asked once."""
    place = (id(outline), key)
    if place not in known:
        known[place] = None
        found: bool | None = None
        for call, called in outline.calls.items():
            if called is None:
                if key.startswith(f"{call}/"):
                    found = True
                    break
                continue
            rest = key.removeprefix(f"{call}/")
            inner = rest in called.asks if rest in called.steps else _asked_inside(called, rest, known)
            found = inner if found is None else found or bool(inner)
        known[place] = found
    return known[place]


def _replies(played: Played) -> Iterator[Diagnostic]:
    """Replies of a shape that the step does not ask for, each said once."""
    said = set()
    for exchange in played.exchanges:
        if not exchange.key or exchange.reply is None:
            continue
        problem = _misfit(exchange, exchange.reply)
        if problem and (exchange.key, problem) not in said:
            said.add((exchange.key, problem))
            pointer = pointer_of(played.scenario, "answers", exchange.key)
            message = f"“{one_line(played.scenario.name)}”: the reply to “{exchange.key}” {problem}"
            yield MISFIT.found(message, pointer, step=exchange.key)


def _misfit(exchange: Exchange, reply: Reply) -> str:
    """What is wrong with a reply's shape, as the end of a sentence; "" when it fits."""
    directive = exchange.directive
    act = directive["act"]
    if act == CALL_MANY:
        return _batch_misfit(directive, reply)
    if reply.kind == "results":
        return "gives results by step, and one result is asked for"
    if reply.kind == "error":
        return ""
    value = reply.value
    if "labels" in directive:
        label = value.get("label") if isinstance(value, dict) else value
        if label not in directive["labels"]:
            known = ", ".join(directive["labels"])
            return f"has the label “{label}”, which is none of {known}" if isinstance(label, str) else "has no label"
    elif "fields" in directive:
        if not isinstance(value, dict):
            return "is no object with the declared fields"
        missing = [field["name"] for field in directive["fields"] if field["name"] not in value]
        if missing:
            return f"misses the declared field{'s' if len(missing) > 1 else ''} {', '.join(missing)}"
    elif directive.get("task") == "write":
        if not isinstance(value, dict) or not isinstance(value.get("text"), str):
            return "has no text"
    elif act == ASK:
        word = value.get("decision") if isinstance(value, dict) else value
        if not isinstance(word, str) or word.strip().lower() not in ("approve", "reject"):
            return "is neither approve nor reject"
    return ""


def _batch_misfit(directive: dict[str, Any], reply: Reply) -> str:
    heads = [call["stepId"] for call in directive["calls"]]
    if reply.kind == "result":
        return f"gives one result, and results by step are asked for: {', '.join(heads)}"
    if reply.kind == "error":
        return ""
    named = {*reply.value, *reply.errors}
    if missing := [head for head in heads if head not in named]:
        return f"leaves out {', '.join(missing)}"
    return ""


def _end(played: Played) -> Iterator[Diagnostic]:
    """A run that does not come to its end, where that is not expected."""
    scenario = played.scenario
    pointer = pointer_of(scenario, "name")
    if played.refused:
        message = f"“{one_line(scenario.name)}” does not finish: an answer was not taken. {played.refused}"
        yield UNFINISHED.found(message, pointer)
        return
    last = played.exchanges[-1].directive
    if last["act"] == BLOCKED and scenario.expect.status != FAILED:
        message = f"“{one_line(scenario.name)}” does not finish: it stops at “{last['stepId']}”. {last['reason']}"
        hint = 'expect it: "expect": {"status": "failed"}'
        yield UNFINISHED.found(message, pointer, step=last["stepId"], hint=hint)


def _expectations(outline: Outline, played: Played) -> Iterator[Diagnostic]:
    """What `expect` says and the run does not do."""
    scenario, expect = played.scenario, played.scenario.expect
    name = one_line(scenario.name)
    status = played.status
    stopped_unexpectedly = status == FAILED and expect.status in (SUCCEEDED, CANCELLED, None)
    if expect.status and expect.status != status and not stopped_unexpectedly and status != AWAITING:
        pointer = pointer_of(scenario, "expect", "status")
        yield UNMET.found(f"“{name}” expects the status {expect.status}, and it was {status}", pointer)
    states = reached(played.run).steps
    for kind, wanted in (("reaches", True), ("never", False)):
        for at, step_id in enumerate(getattr(expect, kind)):
            pointer = pointer_of(scenario, "expect", kind, at)
            if step_id not in outline.steps:
                yield UNMET.found(f"“{name}” expects “{step_id}”, which is no step of this workflow", pointer)
            elif (step_id in states) is not wanted:
                what = "to reach" if wanted else "never to reach"
                did = "does not" if wanted else "does"
                yield UNMET.found(f"“{name}” expects {what} “{step_id}”, and it {did}", pointer, step=step_id)
