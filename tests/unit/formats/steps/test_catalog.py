"""The step kit says of every type what the format's page says."""

from typing import Any

import pytest

from circuit_export.board.model import Actor, Scope
from circuit_export.formats.steps.catalog import (
    CATALOG,
    OPS,
    PARTS,
    Value,
    leaving,
    own_ports,
    passing_port,
    ports,
    setting,
)
from circuit_export.formats.steps.document import Next, OnError, Step

REQUIRED = object()
OPTIONAL = object()

# type, verb, kind, actor, settings with their defaults
KIT: list[tuple[str, str, str, str, dict[str, Any]]] = [
    ("trigger.ask", "when", "trigger", "you", {}),
    ("trigger.schedule", "every", "trigger", "you", {"cron": REQUIRED, "note": ""}),
    ("trigger.watch", "watch", "trigger", "claude", {"tool": REQUIRED, "arguments": {}, "writes": OPTIONAL}),
    ("tool.call", "do", "tool", "claude", {"tool": REQUIRED, "arguments": {}, "writes": OPTIONAL}),
    ("model.classify", "decide", "model", "claude", {"labels": REQUIRED, "input": "trigger", "instructions": ""}),
    (
        "model.write",
        "write",
        "model",
        "claude",
        {"instructions": REQUIRED, "voice": "", "context": ["trigger"], "maxWords": 160},
    ),
    ("model.extract", "read", "model", "claude", {"fields": REQUIRED, "input": "trigger"}),
    ("logic.filter", "only if", "logic", "circuit", {"all": [], "any": []}),
    ("logic.branch", "route", "logic", "circuit", {"field": REQUIRED, "cases": REQUIRED, "fallback": "else"}),
    ("logic.each", "for each", "logic", "circuit", {"list": REQUIRED, "limit": 10}),
    ("logic.branches", "all of", "logic", "circuit", {"together": False}),
    ("flow.call", "run", "logic", "circuit", {"workflowId": REQUIRED, "input": {}, "trigger": {}, "returns": ""}),
    ("gate.approve", "ask you", "gate", "you", {"preview": "", "question": "Send this?"}),
    ("note.say", "report", "note", "claude", {"template": REQUIRED}),
]


def a_step(type: str, config: dict[str, Any] | None = None, **more: Any) -> Step:
    return Step(0, "s", type, "S", config or {}, **more)


def test_the_kit_is_these_types_in_this_order() -> None:
    assert list(CATALOG) == [row[0] for row in KIT]


@pytest.mark.parametrize(("type", "verb", "kind", "actor", "settings"), KIT, ids=[row[0] for row in KIT])
def test_a_type_is_as_the_format_says(type: str, verb: str, kind: str, actor: str, settings: dict[str, Any]) -> None:
    entry = CATALOG[type]
    assert (entry.verb, entry.kind, entry.actor) == (verb, kind, Actor(actor))
    said = {k.name: REQUIRED if k.required else OPTIONAL if k.optional else k.default for k in entry.keys}
    assert said == settings


@pytest.mark.parametrize("entry", CATALOG.values(), ids=list(CATALOG))
def test_everything_is_described_in_whole_sentences(entry: Any) -> None:
    for about in (entry.about, *(key.about for key in entry.keys)):
        assert about[0].isupper() or about.startswith("The")
        assert about.endswith(".")


def test_path_settings() -> None:
    assert {name: entry.path_keys for name, entry in CATALOG.items() if entry.path_keys} == {
        "model.classify": ("input",),
        "model.write": ("context",),
        "model.extract": ("input",),
        "logic.branch": ("field",),
        "logic.each": ("list",),
        "flow.call": ("returns",),
        "gate.approve": ("preview",),
    }


def test_comparisons() -> None:
    assert list(OPS) == ["equals", "contains", "matches", "exists", "missing", "gt", "lt"]
    assert [op.name for op in OPS.values() if not op.takes_value] == ["exists", "missing"]
    assert [part.name for part in PARTS[Value.CASES]] == ["equals", "port"]


@pytest.mark.parametrize(
    ("type", "config", "expected"),
    [
        ("tool.call", {}, ("out",)),
        ("logic.each", {}, ("out", "done")),
        ("logic.branches", {}, ("out", "join")),
        ("model.classify", {"labels": ["b", "a", "b"]}, ("b", "a")),
        ("model.classify", {"labels": ["a", 1, None]}, ("a",)),
        ("model.classify", {"labels": "a, b"}, ("out",)),
        ("model.classify", {"labels": ["{{input.a}}", "b"]}, ("{{input.a}}", "b")),
        (
            "logic.branch",
            {"cases": [{"equals": "1", "port": "one"}, {"equals": "2", "port": "two"}]},
            ("one", "two", "else"),
        ),
        ("logic.branch", {"cases": [{"equals": "1", "port": "x"}], "fallback": "x"}, ("x",)),
        ("logic.branch", {"cases": [{"equals": "1"}, 7], "fallback": ""}, ("",)),
        ("logic.branch", {"cases": None, "fallback": None}, ("out",)),
    ],
)
def test_ports_follow_from_the_config(type: str, config: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert ports(a_step(type, config)) == expected


def test_the_error_port_comes_last_and_once() -> None:
    assert ports(a_step("tool.call", on_error=OnError("route", 2, "oops"))) == ("out", "oops")
    assert ports(a_step("tool.call", on_error=OnError("route", 2, "out"))) == ("out",)
    assert ports(a_step("tool.call", on_error=OnError("skip"))) == ("out",)
    assert own_ports(a_step("logic.each", on_error=OnError("route"))) == ("out", "done")


def test_an_unknown_type_has_the_ports_that_its_wires_name() -> None:
    step = a_step("magic.do", next=(Next("b", "x"), Next("a", "y"), Next("b", "z")))
    assert ports(step) == ("b", "a")
    assert ports(a_step("magic.do")) == ("out",)


@pytest.mark.parametrize(
    ("type", "config", "port"),
    [
        ("tool.call", {}, "out"),
        ("logic.each", {}, "done"),
        ("logic.branches", {}, "join"),
        ("model.classify", {"labels": ["a", "b"]}, "b"),
        ("logic.branch", {"cases": [{"equals": "x", "port": "p"}]}, "else"),
        ("gate.approve", {}, "out"),
    ],
)
def test_a_muted_step_is_left_by(type: str, config: dict[str, Any], port: str) -> None:
    assert passing_port(a_step(type, config, on_error=OnError("route"))) == port


def test_scopes() -> None:
    assert {name: entry.scope for name, entry in CATALOG.items() if entry.scope} == {
        "logic.each": Scope("out", "done"),
        "logic.branches": Scope("out", "join"),
    }


def test_wires_taken_by_a_port() -> None:
    wires = (Next("out", "a"), Next("done", "b"), Next("out", "c"))
    assert leaving(a_step("logic.each", next=wires), "out") == (0, 2)
    assert leaving(a_step("logic.each", next=wires), "join") == ()


def test_a_single_plain_wire_stands_for_all_labels_but_never_for_done_or_an_error() -> None:
    single = (Next("out", "a"),)
    assert leaving(a_step("model.classify", {"labels": ["x", "y"]}, next=single), "y") == (0,)
    assert leaving(a_step("logic.branch", {"cases": []}, next=single), "else") == (0,)
    assert leaving(a_step("logic.each", next=single), "done") == ()
    assert leaving(a_step("logic.branches", next=single), "join") == ()
    routed = a_step("model.classify", {"labels": ["x", "y"]}, next=single, on_error=OnError("route"))
    assert leaving(routed, "error") == ()
    two = (Next("out", "a"), Next("out", "b"))
    assert leaving(a_step("model.classify", {"labels": ["x", "y"]}, next=two), "x") == ()


def test_settings_fall_back_to_their_defaults() -> None:
    assert setting(a_step("logic.each"), "limit") == 10
    assert setting(a_step("logic.each", {"limit": "{{input.n}}"}), "limit") == "{{input.n}}"
    assert setting(a_step("logic.each"), "list") is None
    assert setting(a_step("tool.call"), "writes") is None
    assert setting(a_step("magic.do"), "limit") is None
