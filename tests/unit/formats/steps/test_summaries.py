"""Every summary is plain English, whatever a board holds."""

from typing import Any

import pytest

from circuit_export.formats.steps.catalog import CATALOG
from circuit_export.formats.steps.document import Next, Step, load_value
from circuit_export.formats.steps.summaries import summary

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
