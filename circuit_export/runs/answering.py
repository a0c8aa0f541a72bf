"""A person plays the assistant: what a directive asks, in words, and the reply that a typed line means."""

from __future__ import annotations

import json
from typing import Any

from circuit_export.runs.directives import ASK, CALL_MANY, CALL_TOOL, PREVIEW, SAY, THINK, Directive
from circuit_export.runs.scenario import Reply

FAILURE = "!"
"""What a typed line begins with when it says that the step failed."""


ONE_LINE = 88
"""Characters of JSON that are shown on one line at most."""
LABEL = 6
"""Columns of what stands before a text."""


class Unclear(ValueError):
    """A typed line that is no reply to what was asked; the message says what is."""


def question(directive: Directive) -> str:
    """What a directive asks, in lines for a terminal: what it is, what it is given, and what can be typed."""
    act = directive["act"]
    lines = [f"{act} {directive['stepId']}", *_head(directive)]
    if act == CALL_MANY:
        lines += [_labelled(call["stepId"], _call(call)) for call in directive["calls"]]
    elif act in (CALL_TOOL, PREVIEW):
        lines.append(_labelled("shows" if act == PREVIEW else "calls", _call(directive)))
    else:
        if act != THINK and "task" in directive:
            lines.append(_labelled("does", str(directive["task"])))
        if "input" in directive:
            lines.append(_labelled("given", _json(directive["input"])))
    return "\n".join([*lines, _labelled("type", howto(directive))])


def _head(directive: Directive) -> list[str]:
    texts = {
        "title": directive.get("title"),
        "asks": directive.get("question"),
        "shows": directive.get("preview") if directive["act"] == ASK else None,
        "says": directive.get("text") if directive["act"] == SAY else None,
        "do": directive.get("instruction"),
    }
    return [_labelled(label, text) for label, text in texts.items() if text]


def _labelled(label: str, text: str) -> str:
    """A label and a text; the lines of a longer text stand under its first one."""
    first, *more = str(text).split("\n")
    return "\n".join([f"  {label + ':':<{LABEL}} {first}", *(f"  {'':<{LABEL}} {line}" for line in more)])


def _call(call: dict[str, Any]) -> str:
    shown = (
        "   (a test run: show it, do not call it)" if call.get("preview") is True or call.get("act") == PREVIEW else ""
    )
    return f"{call['tool']} {_json(call['arguments'])}{shown}"


def _json(value: Any) -> str:
    """JSON on one line where it is short, else on as many as it needs."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= ONE_LINE else json.dumps(value, ensure_ascii=False, indent=1)


def howto(directive: Directive) -> str:
    """What can be typed, in one line."""
    return f"{_wanted(directive)}; {FAILURE} and what went wrong, if it did"


def _wanted(directive: Directive) -> str:
    act = directive["act"]
    if act == ASK:
        return "approve, or approve and the edited text behind it; reject"
    if "labels" in directive:
        return f"one of {', '.join(directive['labels'])}"
    if "fields" in directive:
        return f"JSON with {', '.join(field['name'] for field in directive['fields'])}"
    if act == THINK:
        return "the text"
    if act == CALL_MANY:
        return 'JSON such as {"results": {…}, "errors": {…}}, by step'
    if act == SAY:
        return "nothing, once it was said"
    return "the result, as JSON or text; nothing for {}"


def reply_of(directive: Directive, line: str) -> Reply:
    """The reply that a typed line means. Raises Unclear for one that is none."""
    text = line.strip()
    if text.startswith(FAILURE):
        return Reply("error", text.removeprefix(FAILURE).strip() or "no reason was given")
    act = directive["act"]
    if act == ASK:
        return _decision(text)
    if "labels" in directive:
        return _label(directive, text)
    if act == CALL_MANY:
        return _results(text)
    if "fields" in directive:
        value = _parsed(text)
        if not isinstance(value, dict):
            raise Unclear(howto(directive))
        return Reply("result", value)
    if act == THINK:
        value = _parsed(text)
        if not text:
            raise Unclear(howto(directive))
        return Reply("result", value if isinstance(value, dict) and "text" in value else {"text": text})
    return Reply("result", _parsed(text) if text else {})


def _decision(text: str) -> Reply:
    word, _space, rest = text.partition(" ")
    if word.lower() not in ("approve", "reject") or (rest.strip() and word.lower() == "reject"):
        raise Unclear("approve or reject, whole words: nothing else counts")
    decision: dict[str, Any] = {"decision": word.lower()}
    if rest.strip():
        decision["edit"] = rest.strip()
    return Reply("result", decision)


def _label(directive: Directive, text: str) -> Reply:
    known = next((label for label in directive["labels"] if label.strip().casefold() == text.casefold()), None)
    if known is None:
        raise Unclear(howto(directive))
    return Reply("result", {"label": known})


def _results(text: str) -> Reply:
    value = _parsed(text)
    if not isinstance(value, dict) or not value or not set(value) <= {"results", "errors"}:
        raise Unclear('an object with "results", "errors" or both, each by step')
    results, errors = value.get("results", {}), value.get("errors", {})
    if not isinstance(results, dict) or not isinstance(errors, dict):
        raise Unclear("results and errors by step, as objects")
    return Reply("results", results, errors)


def _parsed(text: str) -> Any:
    """JSON where the text is JSON, else the text."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text


def _no_constant(name: str) -> Any:
    raise ValueError(name)
