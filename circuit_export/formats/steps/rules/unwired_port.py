"""C208: a port without a wire, where the step's other ports have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps import catalog
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import names, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import Step
    from circuit_export.formats.steps.rules.survey import Survey

_MAY_END = frozenset((catalog.DONE, catalog.JOIN))


def check(survey: Survey) -> Iterator[Diagnostic]:
    for step, ports in zip(survey.steps, survey.ports, strict=True):
        if len(ports) < 2 or not step.next:
            continue
        wired = {wire.port for wire in step.next}
        # A wire from a port that does not exist was probably meant for one that has none: that is the finding.
        if len(wired) >= len(ports) or survey.stands_for_all(step) or not wired.issubset(ports):
            continue
        same = {port.strip().casefold() for port in wired}
        for port in ports:
            # Of labels that cannot be told apart the second is never taken: that is the finding.
            if port not in wired and port.strip().casefold() not in same and not _may_be_open(step, port):
                yield _found(step, port, [port for port in ports if port in wired])


def _may_be_open(step: Step, port: str) -> bool:
    """Whether a board may well end there: behind a loop, or behind a step of which only the errors lead on."""
    entry = catalog.CATALOG.get(step.type)
    if entry is None or entry.dynamic:
        return entry is None
    return port in _MAY_END if entry.scope is not None else port == catalog.OUT


def _found(step: Step, port: str, wired: list[str]) -> Diagnostic:
    error = port == catalog.error_port(step)
    fallback = step.type == "logic.branch" and port == catalog.setting(step, "fallback")
    what = "the fallback" if fallback else "the error port" if error else "the port"
    ends = "an error stops the run there" if error else "a run that leaves by it ends there"
    return RULE.found(
        f"Step {shown(step.id)} has no wire from {what} {shown(port)}, though {names(wired)} "
        f"{'has one' if len(wired) == 1 else 'have one'}; {ends}",
        _pointer(step, port),
        step=step.id,
        severity=Severity.NOTE if fallback else Severity.WARNING,
        hint=f"wire {shown(port)} to a step, such as a note that says what happened",
    )


def _pointer(step: Step, port: str) -> str:
    """The place that names the port."""
    config = f"/steps/{step.index}/config"
    if port == catalog.error_port(step):
        return f"/steps/{step.index}/onError"
    if step.type == "model.classify":
        return f"{config}/labels/{step.config['labels'].index(port)}"
    if step.type == "logic.branch":
        for number, case in enumerate(step.config.get("cases", ())):
            if isinstance(case, dict) and case.get("port") == port:
                return f"{config}/cases/{number}/port"
        return f"{config}/fallback" if "fallback" in step.config else config
    return f"/steps/{step.index}/next"


RULE = Rule(
    "C208",
    "unwired-port",
    Severity.WARNING,
    "A label, case or error port leads nowhere, while other ports of the step are wired.",
    "A run that leaves by the port ends without a word. An open fallback is only noted, and the `done` of a loop "
    "or the `join` of branches may be open: they are often the end of a board.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "sort"}]},
 {"id": "sort", "type": "model.classify", "title": "Sort it", "config": {"labels": ["urgent", "later"]},
  "next": [{"port": "urgent", "to": "now"}]},
 {"id": "now", "type": "note.say", "title": "Say it is urgent", "config": {"template": "Look at this now."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "sort"}]},
 {"id": "sort", "type": "model.classify", "title": "Sort it", "config": {"labels": ["urgent", "later"]},
  "next": [{"port": "urgent", "to": "now"}, {"port": "later", "to": "wait"}]},
 {"id": "now", "type": "note.say", "title": "Say it is urgent", "config": {"template": "Look at this now."}},
 {"id": "wait", "type": "note.say", "title": "Say it can wait", "config": {"template": "This can wait."}}
"""),
    check=check,
)
