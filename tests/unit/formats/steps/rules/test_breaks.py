"""For each rule: a clean board, broken in exactly that way, has exactly that finding at exactly that place."""

import copy
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from circuit_export.definition import Definition
from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Surroundings
from circuit_export.formats.steps import document, rules

Board = dict[str, Any]

CLEAN: Board = {
    "circuit": 1,
    "name": "Clean",
    "id": "clean",
    "entry": "start",
    "inputs": [{"name": "voice", "description": "Whose voice"}, {"name": "channel", "default": "#general"}],
    "schedule": {"cron": "0 8 * * 1", "note": "Mondays at eight"},
    "steps": [
        {
            "id": "start",
            "type": "trigger.schedule",
            "title": "Every Monday",
            "config": {"cron": "0 8 * * 1", "note": "Mondays at eight"},
            "position": {"col": 0, "lane": 0},
            "next": [{"port": "out", "to": "each"}],
        },
        {
            "id": "each",
            "type": "logic.each",
            "title": "For each",
            "config": {"list": "trigger.threads"},
            "position": {"col": 1, "lane": 0},
            "next": [{"port": "out", "to": "only"}, {"port": "done", "to": "gather"}],
        },
        {
            "id": "only",
            "type": "logic.filter",
            "title": "Only some",
            "config": {
                "all": [
                    {"field": "item.size", "op": "gt", "value": 3},
                    {"field": "item.from", "op": "exists"},
                    {"field": "item.subject", "op": "matches", "value": "^OPS"},
                ]
            },
            "next": [{"port": "out", "to": "sort"}],
        },
        {
            "id": "sort",
            "type": "model.classify",
            "title": "Sort",
            "config": {"labels": ["sales", "other"], "input": "item"},
            "next": [{"port": "sales", "to": "draft"}, {"port": "other", "to": "route"}],
        },
        {
            "id": "draft",
            "type": "model.write",
            "title": "Draft",
            "config": {"instructions": "Answer {{item.from}}.", "voice": "{{input.voice}}", "context": ["item"]},
            "next": [{"port": "out", "to": "gate"}],
        },
        {
            "id": "gate",
            "type": "gate.approve",
            "title": "Look at it",
            "config": {"preview": "steps.draft.text"},
            "next": [{"port": "out", "to": "send"}],
        },
        {
            "id": "send",
            "type": "tool.call",
            "title": "Send",
            "config": {
                "tool": "Slack:send_message",
                "arguments": {"text": "{{steps.draft.text}}", "to": "{{input.channel}}"},
            },
            "onError": {"do": "route"},
            "next": [{"port": "error", "to": "sorry"}],
        },
        {"id": "sorry", "type": "note.say", "title": "Say sorry", "config": {"template": "{{steps.send.error}}"}},
        {
            "id": "route",
            "type": "logic.branch",
            "title": "Route",
            "config": {"field": "steps.sort.label", "cases": [{"equals": "x", "port": "x"}], "fallback": "rest"},
            "next": [{"port": "x", "to": "read"}, {"port": "rest", "to": "child"}],
        },
        {
            "id": "read",
            "type": "model.extract",
            "title": "Read",
            "config": {"input": "item", "fields": [{"name": "email", "description": "The address"}]},
            "next": [{"port": "out", "to": "tell"}],
        },
        {"id": "tell", "type": "note.say", "title": "Tell", "config": {"template": "From {{steps.read.email}}."}},
        {
            "id": "child",
            "type": "flow.call",
            "title": "Call",
            "config": {"workflowId": "child", "input": {"who": "{{item.from}}"}, "returns": "steps.say"},
        },
        {
            "id": "gather",
            "type": "logic.branches",
            "title": "Gather",
            "config": {"together": True},
            "next": [
                {"port": "out", "to": "mail"},
                {"port": "out", "to": "meetings"},
                {"port": "join", "to": "recap"},
            ],
        },
        {"id": "mail", "type": "tool.call", "title": "Mail", "config": {"tool": "Gmail:search_threads"}},
        {"id": "meetings", "type": "tool.call", "title": "Meetings", "config": {"tool": "Google_Calendar:list_events"}},
        {
            "id": "recap",
            "type": "note.say",
            "title": "Recap",
            "config": {"template": "{{steps.mail.threads.length}} threads, {{steps.meetings}}."},
        },
    ],
}
PLACES = {step["id"]: index for index, step in enumerate(CLEAN["steps"])}
CHILD = {
    "circuit": 1,
    "name": "Child",
    "id": "child",
    "inputs": [{"name": "who"}],
    "steps": [
        {"id": "ask", "type": "trigger.ask", "title": "Go", "next": [{"to": "say"}]},
        {"id": "say", "type": "note.say", "title": "Say", "config": {"template": "{{input.who}}"}},
    ],
}
TOOLS = ("slack send message", "Gmail:search_threads", "Google Calendar:list_events")


def found(board: Board, child: Board = CHILD) -> list[tuple[str, str]]:
    called = {text["id"]: document.load_value(text) for text in (board, child)}
    loaded = document.load(Definition(document.dump(board), "steps", "clean.json"))
    every = [*loaded.notes, *rules.check(loaded, Surroundings(called, TOOLS))]
    return [(one.code, one.pointer) for one in every]


def step(board: Board, id: str) -> Board:
    made: Board = board["steps"][PLACES[id]]
    return made


def config(id: str, **keys: Any) -> Callable[[Board], None]:
    def change(board: Board) -> None:
        step(board, id).setdefault("config", {}).update(keys)

    return change


def on(id: str, **keys: Any) -> Callable[[Board], None]:
    def change(board: Board) -> None:
        step(board, id).update(keys)

    return change


def wire(id: str, number: int, **keys: str) -> Callable[[Board], None]:
    def change(board: Board) -> None:
        step(board, id)["next"][number].update(keys)

    return change


def add(new: Board) -> Callable[[Board], None]:
    def change(board: Board) -> None:
        board["steps"].append({"title": "New", **new})

    return change


def head(**keys: Any) -> Callable[[Board], None]:
    def change(board: Board) -> None:
        board.update(keys)

    return change


def condition(number: int, **keys: Any) -> Callable[[Board], None]:
    def change(board: Board) -> None:
        step(board, "only")["config"]["all"][number].update(keys)

    return change


def at(id: str, rest: str) -> str:
    return f"/steps/{PLACES[id]}/{rest}"


LAST = len(CLEAN["steps"])
SAY = {"type": "note.say", "config": {"template": "x"}}

BREAKS: list[tuple[str, Callable[[Board], None], str]] = [
    ("C102", on("recap", type="note.tell"), at("recap", "type")),
    ("C103", on("recap", colour="red"), at("recap", "colour")),
    ("C104", on("mail", writes=False), at("mail", "writes")),
    ("C201", wire("each", 1, to="gahter"), at("each", "next/1/to")),
    ("C201", wire("each", 1, to="nowhere"), at("each", "next/1/to")),
    ("C201", wire("gate", 0, to=""), at("gate", "next/0/to")),
    ("C202", wire("each", 1, port="finished"), at("each", "next/1/port")),
    ("C202", wire("sort", 0, port="Sales"), at("sort", "next/0/port")),
    ("C202", on("tell", next=[{"port": "error", "to": "sorry"}]), at("tell", "next/0/port")),
    ("C203", add({"id": "recap", **SAY}), f"/steps/{LAST}/id"),
    ("C204", head(entry="strat"), "/entry"),
    ("C205", head(entry="gather"), "/entry"),
    ("C206", add({"id": "t", "type": "trigger.ask", "next": [{"to": "recap"}]}), f"/steps/{LAST}/type"),
    ("C207", add({"id": "island", **SAY}), f"/steps/{LAST}/id"),
    ("C208", config("sort", labels=["sales", "other", "third"]), at("sort", "config/labels/2")),
    ("C208", on("tell", onError={"do": "route"}, next=[{"port": "out", "to": "child"}]), at("tell", "onError")),
    ("C209", on("recap", next=[{"port": "out", "to": "each"}]), at("recap", "next/0/to")),
    ("C210", on("tell", type="logic.filter", config={}, next=[{"port": "out", "to": "tell"}]), at("tell", "next/0/to")),
    ("C211", on("meetings", type="note.say", config={"template": "x"}), at("gather", "config/together")),
    ("C211", on("mail", onError={"do": "retry"}), at("gather", "config/together")),
    ("C212", config("child", workflowId="chidl", returns=""), at("child", "config/workflowId")),
    ("C213", config("child", workflowId="clean", returns="", input={"voice": "x"}), at("child", "config/workflowId")),
    ("C215", config("child", input={}), at("child", "config/input")),
    ("C217", on("start", next=[{"port": "out", "to": "each"}, {"port": "out", "to": "each"}]), at("each", "id")),
    ("C218", on("recap", position={"col": 1, "lane": 0}), at("recap", "position")),
    ("C218", on("recap", position={"col": -1, "lane": 0}), at("recap", "position/col")),
    ("C301", config("recap", template="{{step.mail}}"), at("recap", "config/template")),
    ("C301", config("recap", template="{{mail.threads}}"), at("recap", "config/template")),
    ("C302", config("recap", template="{{steps.mial}}"), at("recap", "config/template")),
    ("C302", config("child", returns="steps.nothing"), at("child", "config/returns")),
    ("C303", config("draft", context=["steps.recap"]), at("draft", "config/context/0")),
    ("C303", config("mail", arguments={"q": "{{steps.meetings.x}}"}), at("mail", "config/arguments/q")),
    ("C304", config("recap", template="{{steps.draft.text}}"), at("recap", "config/template")),
    ("C305", config("recap", template="{{item.from}}"), at("recap", "config/template")),
    ("C306", config("recap", template="{{input.voise}}"), at("recap", "config/template")),
    ("C307", head(inputs=[*CLEAN["inputs"], {"name": "spare"}]), "/inputs/2/name"),
    ("C308", config("tell", template="{{steps.read.mail}}"), at("tell", "config/template")),
    ("C308", config("route", field="steps.sort.lable"), at("route", "config/field")),
    ("C309", config("draft", instructions="{{steps.only}}"), at("draft", "config/instructions")),
    ("C310", config("recap", template="{{steps.mail"), at("recap", "config/template")),
    ("C310", config("recap", template="a {{ }} b"), at("recap", "config/template")),
    ("C311", config("recap", template="{{steps.mail[0]}}"), at("recap", "config/template")),
    ("C311", config("recap", template="{{steps.mail | upper}}"), at("recap", "config/template")),
    ("C312", condition(2, value="(a"), at("only", "config/all/2/value")),
    ("C312", condition(2, value="(?=a)"), at("only", "config/all/2/value")),
    ("C313", condition(0, value="three"), at("only", "config/all/0/value")),
    ("C313", condition(0, value=True), at("only", "config/all/0/value")),
    ("C314", condition(1, value="someone"), at("only", "config/all/1/value")),
    ("C315", config("sort", labels=["sales", "other", "Sales "]), at("sort", "config/labels/2")),
    ("C317", on("mail", onError={"do": "route", "port": "{{x}}"}, next=[]), at("mail", "onError/port")),
    ("C401", config("mail", tool="Gmail:search_thread"), at("mail", "config/tool")),
    ("C402", config("mail", tool="Gmail:"), at("mail", "config/tool")),
    ("C501", config("mail", tool="Slack:send_message"), at("mail", "config/tool")),
    ("C502", on("gate", enabled=False), at("gate", "enabled")),
    ("C503", config("gate", preview=""), at("gate", "config/preview")),
    ("C503", config("gate", preview="steps.sort.why"), at("gate", "config/preview")),
    ("C504", config("mail", arguments={"token": "ghp_" + "a1" * 18}), at("mail", "config/arguments/token")),
    ("C505", on("send", onError={"do": "retry", "attempts": 3}, next=[]), at("send", "onError")),
    ("C601", config("start", cron="0 8 * *"), at("start", "config/cron")),
    ("C601", head(schedule={"cron": "61 * * * *"}), "/schedule/cron"),
    ("C602", config("start", cron="0 8 31 2 *"), at("start", "config/cron")),
    ("C603", config("start", note="Fridays at eight"), at("start", "config/note")),
]
# What one slip also says, since it is true as well: the error's note can no longer be reached, for instance.
ALSO = {
    "C211": {"C401"},
    "C402": {"C401", "C501"},
    "C505": {"C207"},
    "C317": {"C211"},
}


def test_the_clean_board_is_clean() -> None:
    assert found(CLEAN) == []


@pytest.mark.parametrize(
    ("code", "change", "pointer"), BREAKS, ids=[f"{code}-{n}" for n, (code, *_) in enumerate(BREAKS)]
)
def test_one_slip_has_one_finding(code: str, change: Callable[[Board], None], pointer: str) -> None:
    board = copy.deepcopy(CLEAN)
    change(board)
    said = [one for one in found(board) if one[0] not in ALSO.get(code, set())]
    assert said == [(code, pointer)]


def test_a_loop_whose_report_is_said_for_every_item() -> None:
    board = copy.deepcopy(CLEAN)
    step(board, "each")["next"].pop()
    step(board, "tell").update(next=[{"port": "out", "to": "bye"}])
    board["steps"].append({"id": "bye", "type": "note.say", "title": "Bye", "config": {"template": "All done."}})
    board["steps"] = [one for one in board["steps"] if one["id"] not in ("gather", "mail", "meetings", "recap")]
    assert ("C216", at("each", "next")) in found(board)


def test_a_muted_result_is_said() -> None:
    board = copy.deepcopy(CLEAN)
    step(board, "read")["enabled"] = False
    assert found(board) == [("C316", at("tell", "config/template"))]


def test_a_child_that_writes_is_unguarded_in_its_caller() -> None:
    child = copy.deepcopy(CHILD)
    child["steps"][1] = {"id": "say", "type": "tool.call", "title": "x", "config": {"tool": "Slack:send_message"}}
    child["inputs"] = []
    assert found(CLEAN, child) == [("C501", at("child", "config/workflowId"))]


def test_a_gate_before_the_call_guards_what_the_child_writes() -> None:
    child = copy.deepcopy(CHILD)
    child["steps"][1] = {"id": "say", "type": "tool.call", "title": "x", "config": {"tool": "Slack:send_message"}}
    child["inputs"] = []
    board = copy.deepcopy(CLEAN)
    step(board, "gate")["next"] = [{"port": "out", "to": "child"}]
    step(board, "route")["next"][1]["to"] = "send"
    said = found(board, child)
    assert ("C501", at("child", "config/workflowId")) not in said
    assert ("C501", at("send", "config/tool")) in said


def test_the_whole_cycle_of_workflows_is_spelled() -> None:
    child = copy.deepcopy(CHILD)
    child["steps"].append({"id": "back", "type": "flow.call", "title": "x", "config": {"workflowId": "clean"}})
    child["steps"][1]["next"] = [{"to": "back"}]
    loaded = document.load_value(CLEAN)
    around = Surroundings({"clean": loaded, "child": document.load_value(child)}, TOOLS)
    (one,) = rules.check(loaded, around)
    assert one.code == "C213"
    assert one.message.endswith("clean → child → clean")


def test_a_way_back_into_its_own_loop_is_no_cycle() -> None:
    board = copy.deepcopy(CLEAN)
    step(board, "tell")["next"] = [{"port": "out", "to": "each"}]
    assert found(board) == []


def test_severities_follow_what_is_known() -> None:
    board = copy.deepcopy(CLEAN)
    step(board, "mail")["config"]["tool"] = "Wiki:frobnicate"
    loaded = document.load_value(board)
    (one,) = [one for one in rules.check(loaded) if one.code == "C501"]
    assert one.severity is Severity.NOTE
    assert "not known to only read" in one.message


def test_workflows_that_nest_too_deep_are_found_at_the_call() -> None:
    def link(id: str, callee: str) -> document.StepsDocument:
        start = {"id": "go", "type": "trigger.ask", "title": "Go", "next": [{"to": "on"}]}
        call = {"id": "on", "type": "flow.call", "title": "On", "config": {"workflowId": callee}}
        return document.load_value({"circuit": 1, "name": id, "id": id, "steps": [start, call] if callee else [start]})

    names = ["one", "two", "three", "four", "five", ""]
    links = {id: link(id, callee) for id, callee in pairwise(names)}
    for first, said in (("one", [("C214", "/steps/1/config/workflowId")]), ("two", [])):
        board = link("top", first)
        assert [(one.code, one.pointer) for one in rules.check(board, Surroundings(links))] == said


ELSEWHERE = {
    "C003": "a board loads without what is there twice, so its text is broken: test_document",
    "C101": "the schema's: test_schema",
    "C214": "above",
    "C216": "above",
    "C316": "above",
}


def test_every_rule_is_broken_here_or_elsewhere() -> None:
    assert {rule.code for rule in rules.rules()} == {code for code, *_ in BREAKS} | ELSEWHERE.keys()
