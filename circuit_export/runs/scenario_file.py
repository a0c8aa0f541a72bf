"""Reads `NAME.scenarios.json`, the scenarios beside a workflow; what is wrong in it is said with its place."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn

from circuit_export.diagnostics import CircuitError, Lines, Position, escape_pointer, locate
from circuit_export.runs.directives import one_line
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.record import LIVE, TEST, NotPlain, file_text, plain
from circuit_export.runs.scenario import Expect, Reply, Scenario

SUFFIX = ".scenarios.json"
STATUSES = ("running", "awaiting_approval", "succeeded", "failed", "cancelled")
KEYS = frozenset(("name", "input", "trigger", "mode", "answers", "expect"))
EXPECT_KEYS = frozenset(("status", "reaches", "never"))


class ScenarioError(CircuitError):
    """A scenarios file that cannot be read; `pointer` is the value that is wrong in it."""

    def __init__(self, message: str, pointer: str, *, found: str = "", expected: str = "") -> None:
        super().__init__(message, found=found, expected=expected)
        self.pointer = pointer


def load(text: str, file: str = "") -> tuple[Scenario, ...]:
    """The scenarios of a file's text. Raises CircuitError with the line and column of what is wrong in it."""
    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_members, parse_constant=_no_constant)
        return read(value)
    except json.JSONDecodeError as error:
        place = Position(error.lineno, error.colno)
        raise CircuitError("The scenarios are not JSON", file=file, position=place, found=error.msg) from None
    except ScenarioError as error:
        error.position = Lines(text).position(locate(text, error.pointer)[0])
        raise error.located(file) from None
    except (RecursionError, ValueError) as error:
        raise CircuitError("The scenarios cannot be read", file=file, found=str(error)) from None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose members have names of their own: of two answers to one step, one would be lost."""
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _value in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"an object with two members “{twice}”")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name}, which is not JSON")


def read(value: Any) -> tuple[Scenario, ...]:
    """The scenarios of a parsed file, `{"scenarios": […]}`.

    Raises ScenarioError with the pointer of what is wrong; a caller that has the text turns it into a position.
    """
    if not isinstance(value, dict) or not isinstance(value.get("scenarios"), list):
        _refuse("These are no scenarios", "", _kind(value), 'an object {"scenarios": […]}')
    found = [_scenario(item, at, f"/scenarios/{at}") for at, item in enumerate(value["scenarios"])]
    names: dict[str, int] = {}
    for scenario in found:
        # As a golden heads them: of two that look alike there, neither could be told from the other.
        if names.setdefault(one_line(scenario.name), scenario.place) != scenario.place:
            pointer = f"/scenarios/{scenario.place}/name"
            _refuse("Two scenarios have one name", pointer, f"“{scenario.name}” again", "a name for each")
    return tuple(found)


def _scenario(item: Any, place: int, pointer: str) -> Scenario:
    what = f"Scenario {place + 1}"
    _object(item, pointer, what)
    _known(item, KEYS, pointer, what)
    name = item.get("name")
    if not isinstance(name, str) or not one_line(name):
        _refuse(f"{what} has no name", f"{pointer}/name" if "name" in item else pointer, _kind(name), "a text")
    mode = item.get("mode", LIVE)
    if mode not in (LIVE, TEST):
        _refuse(f"{what}: its mode is none", f"{pointer}/mode", _kind(mode), f"“{LIVE}” or “{TEST}”")
    answers = _object(item.get("answers", {}), f"{pointer}/answers", f"{what}: its answers")
    return Scenario(
        place=place,
        name=name,
        input=plain(_object(item.get("input", {}), f"{pointer}/input", f"{what}: its input")),
        trigger=_value(item.get("trigger"), f"{pointer}/trigger"),
        mode=mode,
        answers={key: _replies(reply, f"{pointer}/answers/{escape_pointer(key)}") for key, reply in answers.items()},
        expect=_expect(item.get("expect", {}), f"{pointer}/expect", what),
    )


def _replies(item: Any, pointer: str) -> tuple[Reply, ...]:
    if not isinstance(item, list):
        return (_reply(item, pointer),)
    if not item:
        _refuse("An answer has no reply", pointer, "an empty list", "at least one reply")
    return tuple(_reply(reply, f"{pointer}/{at}") for at, reply in enumerate(item))


def _reply(item: Any, pointer: str) -> Reply:
    expected = "{result}, {error} or {results, errors?}, each with given? beside it"
    if not isinstance(item, dict):
        _refuse("A reply is no object", pointer, _kind(item), expected)
    keys = set(item) - {"given"}
    given = _value(item["given"], f"{pointer}/given") if "given" in item else MISSING
    if keys == {"result"}:
        return Reply("result", _value(item["result"], pointer), given=given)
    if keys == {"error"}:
        return Reply("error", _value(item["error"], pointer), given=given)
    if keys in ({"results"}, {"results", "errors"}, {"errors"}):
        results = _object(item.get("results", {}), f"{pointer}/results", "“results”")
        errors = _object(item.get("errors", {}), f"{pointer}/errors", "“errors”")
        return Reply("results", plain(results), plain(errors), given)
    found = f"an object with {', '.join(sorted(keys))}" if keys else "an empty object"
    return _refuse("A reply is of no known kind", pointer, found, expected)


def _expect(item: Any, pointer: str, what: str) -> Expect:
    _object(item, pointer, f"{what}: what it expects")
    _known(item, EXPECT_KEYS, pointer, f"{what}, expect")
    status = item.get("status")
    if status is not None and status not in STATUSES:
        _refuse(f"{what} expects a status that is none", f"{pointer}/status", _kind(status), ", ".join(STATUSES))
    steps = {}
    for key in ("reaches", "never"):
        ids = item.get(key, [])
        if not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
            _refuse(f"{what}: its “{key}” is no list of step ids", f"{pointer}/{key}", _kind(ids), "a list of step ids")
        steps[key] = tuple(ids)
    return Expect(status, steps["reaches"], steps["never"])


def _object(item: Any, pointer: str, what: str) -> dict[str, Any]:
    if not isinstance(item, dict):
        _refuse(f"{what} is no object", pointer, _kind(item), "an object")
    return item


def _known(item: dict[str, Any], keys: frozenset[str], pointer: str, what: str) -> None:
    for key in item:
        if key not in keys:
            _refuse(
                f"{what} has a key that is none",
                f"{pointer}/{escape_pointer(key)}",
                f"“{key}”",
                ", ".join(sorted(keys)),
            )


def _value(value: Any, pointer: str) -> Any:
    try:
        return plain(value)
    except NotPlain as error:
        _refuse("A value cannot be used", pointer, str(error), "plain JSON")


def _kind(value: Any) -> str:
    kinds = {type(None): "nothing", bool: "true or false", dict: "an object", list: "a list", str: "a text"}
    return f"“{value}”" if isinstance(value, str) and len(value) <= 40 else kinds.get(type(value), "a number")


def _refuse(message: str, pointer: str, found: str, expected: str) -> NoReturn:
    raise ScenarioError(message, pointer, found=found, expected=expected)


def written(scenario: Scenario) -> dict[str, Any]:
    """A scenario as its file holds it, without what is as it would be anyway."""
    item: dict[str, Any] = {"name": scenario.name}
    if scenario.input:
        item["input"] = dict(scenario.input)
    if scenario.trigger is not None:
        item["trigger"] = scenario.trigger
    if scenario.mode != LIVE:
        item["mode"] = scenario.mode
    if scenario.answers:
        item["answers"] = {key: _written_replies(replies) for key, replies in scenario.answers.items()}
    expect = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in zip(Expect._fields, scenario.expect, strict=True)
        if value
    }
    if expect:
        item["expect"] = expect
    return item


def _written_replies(replies: tuple[Reply, ...]) -> Any:
    items = [_written(reply) for reply in replies]
    return items[0] if len(items) == 1 else items


def _written(reply: Reply) -> dict[str, Any]:
    item: dict[str, Any] = {} if reply.given is MISSING else {"given": reply.given}
    if reply.kind != "results":
        return {**item, reply.kind: reply.value}
    item["results"] = dict(reply.value)
    if reply.errors:
        item["errors"] = dict(reply.errors)
    return item


def dump(scenarios: Iterable[Scenario]) -> str:
    """The text of a scenarios file."""
    items = [written(scenario) for scenario in scenarios]
    return file_text({"scenarios": items})
