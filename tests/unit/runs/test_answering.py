"""What a person types, as replies."""

import pytest

from circuit_export.runs.answering import Unclear, howto, question, reply_of
from circuit_export.runs.scenario import Reply

ASKS = {"act": "ask", "stepId": "g", "title": "Gate", "question": "Send?", "preview": "Hello"}
SORTS = {
    "act": "think",
    "stepId": "c",
    "title": "C",
    "task": "classify",
    "instruction": "Pick.",
    "input": {"a": "ä"},
    "labels": ["Sales", "other"],
}
READS = {"act": "think", "stepId": "r", "title": "R", "task": "extract", "input": 1, "fields": [{"name": "who"}]}
WRITES = {
    "act": "think",
    "stepId": "w",
    "title": "W",
    "task": "write",
    "instruction": "Go.",
    "input": {},
    "maxWords": 5,
}
CALLS = {"act": "call_tool", "stepId": "t", "title": "T", "tool": "A:get", "arguments": {"q": 1}}
MANY = {"act": "call_many", "stepId": "m", "title": "M", "calls": [{**CALLS, "stepId": "h", "preview": True}]}
SAYS = {"act": "say", "stepId": "s", "text": "Done."}
ALL = [ASKS, SORTS, READS, WRITES, CALLS, MANY, SAYS]


@pytest.mark.parametrize(
    ("directive", "line", "reply"),
    [
        (ASKS, "approve", Reply("result", {"decision": "approve"})),
        (ASKS, " Reject ", Reply("result", {"decision": "reject"})),
        (ASKS, "approve Hello there", Reply("result", {"decision": "approve", "edit": "Hello there"})),
        (SORTS, "sales", Reply("result", {"label": "Sales"})),
        (READS, '{"who": "Ada"}', Reply("result", {"who": "Ada"})),
        (WRITES, "Hello.", Reply("result", {"text": "Hello."})),
        (WRITES, '{"text": "Hello."}', Reply("result", {"text": "Hello."})),
        (WRITES, "5", Reply("result", {"text": "5"})),
        (CALLS, "[1]", Reply("result", [1])),
        (CALLS, "", Reply("result", {})),
        (CALLS, "NaN", Reply("result", "NaN")),
        (CALLS, "! it broke", Reply("error", "it broke")),
        (SAYS, "", Reply("result", {})),
        (MANY, '{"results": {"h": 1}, "errors": {"i": "no"}}', Reply("results", {"h": 1}, {"i": "no"})),
    ],
)
def test_a_line_is_a_reply(directive, line, reply):
    assert reply_of(directive, line) == reply


@pytest.mark.parametrize(
    ("directive", "line"),
    [(ASKS, ""), (ASKS, "yes"), (ASKS, "approved"), (ASKS, "reject it"), (SORTS, "spam"), (READS, "Ada"), (WRITES, ""),
     (MANY, "5"), (MANY, "{}"), (MANY, '{"result": 1}'), (MANY, '{"results": 1}')],
)  # fmt: skip
def test_a_line_that_is_none_is_asked_again(directive, line):
    with pytest.raises(Unclear):
        reply_of(directive, line)


@pytest.mark.parametrize("directive", ALL, ids=lambda directive: directive.get("task") or directive["act"])
def test_a_question_shows_what_is_asked_and_what_can_be_typed(directive):
    shown = question(directive)
    assert shown.startswith(f"{directive['act']} {directive['stepId']}\n")
    assert howto(directive) in shown
    for key in ("instruction", "question", "text"):
        assert directive.get(key, "") in shown


def test_a_question_is_laid_out_under_its_labels():
    long = {**WRITES, "instruction": "One.\nTwo.", "input": {"text": "x" * 90}}
    assert question(long).split("\n") == [
        "think w",
        "  title: W",
        "  do:    One.",
        "         Two.",
        "  given: {",
        f'          "text": "{"x" * 90}"',
        "         }",
        "  type:  the text; ! and what went wrong, if it did",
    ]


def test_an_act_of_another_format_shows_what_is_to_be_done_with_what():
    other = {"act": "run_skill", "stepId": "n", "title": "N", "task": "tidy", "input": {"a": 1}, "turn": 1}
    assert question(other).split("\n")[1:4] == ["  title: N", "  does:  tidy", '  given: {"a": 1}']
