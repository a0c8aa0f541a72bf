"""Every summary is plain English, whatever a board holds."""

from typing import Any

import pytest

from circuit_export.formats.steps.catalog import CATALOG
from circuit_export.formats.steps.document import Next, OnError, Step, load_value
from circuit_export.formats.steps.words import (
    condition,
    conditions,
    counted,
    filled,
    listed,
    path_words,
    policy,
    quoted,
    setting_text,
    shortened,
    summary,
    value_words,
)

CALLED = {"brief": load_value({"circuit": 1, "name": "Brief me", "steps": [{"id": "a", "type": "x", "title": "A"}]})}


def said(type: str, config: dict[str, Any], *wires: Next) -> str:
    return summary(Step(0, "s", type, "S", config, wires), CALLED)


@pytest.mark.parametrize(
    ("type", "config", "expected"),
    [
        ("trigger.ask", {}, "you start it from the chat"),
        ("trigger.schedule", {"cron": "0 8 * * 1", "note": "Mondays at eight"}, "Mondays at eight"),
        ("trigger.schedule", {"cron": "0 8 * * 1"}, "0 8 * * 1"),
        ("trigger.schedule", {}, "no time is set yet"),
        ("trigger.watch", {"tool": "Gmail:search_threads"}, "Gmail · search threads"),
        ("tool.call", {"tool": "Google_Calendar:list_events"}, "Google Calendar · list events"),
        ("tool.call", {"tool": "{{input.tool}}"}, "the tool that the given tool names"),
        ("tool.call", {"tool": "Gmail:{{input.verb}}"}, "Gmail · verb"),
        ("tool.call", {}, "no tool is chosen yet"),
        ("model.classify", {"labels": ["a", "b", "c"]}, "sorts into a, b or c"),
        ("model.classify", {"labels": list("abcdefgh")}, "sorts into a, b, c, d, e or 3 more"),
        ("model.classify", {"labels": {}}, "has no labels to sort into yet"),
        ("model.write", {"instructions": "x"}, "under 160 words"),
        ("model.write", {"voice": "{{input.voice}}", "maxWords": 1200}, "under 1,200 words, in the given voice"),
        ("model.write", {"voice": "{{input.tone}}"}, "under 160 words, voice: the given tone"),
        ("model.write", {"voice": "Mira", "maxWords": "{{input.n}}"}, "under the given n words, voice: Mira"),
        ("model.write", {"voice": 7, "maxWords": True}, "under ? words"),
        ("model.extract", {"fields": [{"name": "a"}, {"name": "b"}, 7]}, "pulls out a and b"),
        ("model.extract", {"fields": []}, "has nothing to pull out yet"),
        ("logic.filter", {}, "always: it has no conditions"),
        ("logic.filter", {"all": [{"field": "item.from", "op": "exists"}]}, "the item's from is there"),
        ("logic.branch", {"field": "steps.read.size", "cases": [{"port": "s"}]}, "on size from read: s or else"),
        ("logic.branch", {}, "on nothing yet: else"),
        ("logic.each", {"list": "trigger.x"}, "one at a time, up to 10"),
        ("logic.each", {"limit": "{{input.limit}}"}, "one at a time, up to the given limit"),
        ("flow.call", {"workflowId": "brief"}, "Brief me → all its results"),
        ("flow.call", {"workflowId": "brief", "returns": "{{steps.w.text}}"}, "Brief me → text from w"),
        ("flow.call", {"workflowId": "other"}, "other → all its results"),
        ("flow.call", {}, "no workflow is chosen yet"),
        ("gate.approve", {}, "Send this?"),
        ("gate.approve", {"question": "Pay {{steps.read.amount}}?"}, "Pay ‹amount›?"),
        ("gate.approve", {"question": " "}, "asks without a question"),
        ("note.say", {"template": "Done with {{trigger.items.length}}."}, "“Done with ‹number of items›.”"),
        ("note.say", {}, "has nothing to say yet"),
        ("magic.do", {"tool": 1}, "a kind of step that is not known here: magic.do"),
    ],
)
def test_summaries(type: str, config: dict[str, Any], expected: str) -> None:
    assert said(type, config) == expected


def test_branches_count_their_ways() -> None:
    wires = (Next("out", "a"), Next("out", "b"), Next("join", "c"))
    assert said("logic.branches", {"together": True}, *wires) == "2 at once, then carries on"
    assert said("logic.branches", {"together": "yes"}, *wires) == "2 in turn, then carries on"


@pytest.mark.parametrize("type", CATALOG)
@pytest.mark.parametrize(
    "value", [None, True, 0, -1.5, "", "x", "{{", "}}", "{{ }}", [], [None], [{}], {}, {"a": {}}], ids=repr
)
def test_no_setting_of_any_shape_breaks_a_summary_or_shows_json(type: str, value: Any) -> None:
    text = said(type, {key.name: value for key in CATALOG[type].keys})
    assert text
    assert not set('[]"\n') & set(text)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("trigger", "the trigger"),
        ("trigger.mail.daysOverdue", "mail days overdue from the trigger"),
        ("trigger.threads.length", "the number of threads from the trigger"),
        ("item", "the item"),
        ("item.customer_name", "the item's customer name"),
        ("item.length", "the number of entries from the item"),
        ("input.tone", "the given tone"),
        ("steps.read", "the result of read"),
        ("steps.read.items.0.name", "items 0 name from read"),
        ("{{ item.from }}", "the item's from"),
        ("steps", "steps"),
        ("input", "input"),
        ("elsewhere.x", "elsewhere.x"),
        ("", ""),
    ],
)
def test_paths(path: str, words: str) -> None:
    assert path_words(path) == words


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"field": "item.total", "op": "gt", "value": 20}, "the item's total is more than 20"),
        (
            {"field": "item.total", "op": "lt", "value": "{{input.most}}"},
            "the item's total is less than the given most",
        ),
        ({"field": "item.tags", "op": "contains", "value": "VIP"}, "the item's tags contains “VIP”"),
        ({"field": "item.a", "op": "equals", "value": None}, "the item's a is nothing"),
        ({"field": "item.a", "op": "matches", "value": "^x"}, "the item's a matches “^x”"),
        ({"field": "item.a", "op": "missing", "value": "ignored"}, "the item's a is missing"),
        ({"field": "item.a", "op": "resembles", "value": "x"}, "the item's a resembles “x”"),
        ({"op": "exists"}, "something unnamed is there"),
        (7, "something that is no condition"),
    ],
)
def test_conditions(item: Any, words: str) -> None:
    assert condition(item) == words


def test_conditions_together() -> None:
    a, b, c = ({"field": f"item.{name}", "op": "exists"} for name in "abc")
    assert conditions({"all": [a, b]}) == "the item's a is there and the item's b is there"
    assert conditions({"any": [a, b]}) == "the item's a is there or the item's b is there"
    both = conditions({"all": [a], "any": [b, c]})
    assert both == "the item's a is there, and either the item's b is there or the item's c is there"


def test_small_words() -> None:
    assert [listed(list("abc")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert (counted(1, "step"), counted(7, "step"), counted(2, "way", "ways")) == ("1 step", "7 steps", "2 ways")
    assert quoted("say “hi”") == "“say ‘hi’”"
    assert value_words(["a", 1, True, None]) == "“a”, 1, true or nothing"
    assert filled("{{a.b}} and {{ c }} and {{d") == "‹b› and ‹c› and {{d"


def test_long_texts_end_at_a_word() -> None:
    assert shortened("one two three", 10) == "one two…"
    assert shortened("x" * 20, 10) == "x" * 9 + "…"
    assert shortened("one\n  two", 10) == "one two"
    assert len(shortened("word " * 100_000)) <= 90


@pytest.mark.parametrize(
    ("on_error", "sentence"),
    [
        (OnError("stop"), "If it fails, the run stops."),
        (OnError("skip"), "If it fails, this way ends here and the run carries on."),
        (OnError("retry", 1), "If it fails, it is tried once before the run stops."),
        (OnError("retry", 2), "If it fails, it is tried twice in all before the run stops."),
        (OnError("retry", 5), "If it fails, it is tried 5 times in all before the run stops."),
        (OnError("route", 2, "oops"), "If it fails, the run goes on by the port “oops”."),
    ],
)
def test_error_policies(on_error: OnError, sentence: str) -> None:
    assert policy(on_error) == sentence


def test_settings_are_shown_as_they_are_or_as_json_on_one_line() -> None:
    assert setting_text("a\nb") == "a\nb"
    assert setting_text({"a": ["ü", 1, None]}) == '{"a": ["ü", 1, null]}'
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    assert setting_text(deep).count("[") == 5001
