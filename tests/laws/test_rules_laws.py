"""Laws of the rules: what they say of the order of steps is so in every run, and nothing makes them fail."""

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.formats.base import Surroundings
from circuit_export.formats.steps import document, rules
from circuit_export.formats.steps.catalog import CATALOG
from circuit_export.formats.steps.document import StepsDocument
from circuit_export.formats.steps.rules.survey import Before, Survey
from circuit_export.formats.steps.rules.survey.order import before
from circuit_export.validation.check import findings
from circuit_export.validation.project import read_candidate

TYPES = ("tool.call", "model.classify", "logic.filter", "logic.each", "logic.branches", "note.say")
PORTS = {"model.classify": ("a", "b"), "logic.each": ("out", "done"), "logic.branches": ("out", "join")}


@st.composite
def boards(draw: st.DrawFn) -> StepsDocument:
    """Small boards without cycles, of every shape that decides what runs and when."""
    count = draw(st.integers(2, 8))
    steps: list[dict[str, Any]] = []
    for index in range(count):
        kind = "trigger.ask" if index == 0 else draw(st.sampled_from(TYPES))
        wires = []
        if index < count - 1:
            for _ in range(draw(st.integers(0 if index else 1, 3))):
                port = draw(st.sampled_from(PORTS.get(kind, ("out",))))
                wires.append({"port": port, "to": f"s{draw(st.integers(index + 1, count - 1))}"})
        config = {"model.classify": {"labels": ["a", "b"]}}.get(kind, {})
        step = {"id": f"s{index}", "type": kind, "title": "x", "config": config, "next": wires}
        if kind == "tool.call" and draw(st.booleans()):
            step["onError"] = {"do": "skip"}
        steps.append(step)
    return document.load_value({"circuit": 1, "name": "x", "steps": steps})


class Walk:
    """A run in small: takes each step's ways as the engine does, with choices drawn at random."""

    def __init__(self, board: StepsDocument, choice: random.Random) -> None:
        self.board = board
        self.choice = choice
        self.done: set[int] = set()
        self.seen: dict[int, list[set[int]]] = {}
        self.left = 400

    def step(self, index: int) -> None:
        self.left -= 1
        if self.left < 0:
            return
        step = self.board.steps[index]
        self.seen.setdefault(index, []).append(set(self.done))
        if step.on_error is not None and self.choice.random() < 0.3:
            return
        self.done.add(index)
        if step.type == "logic.filter" and self.choice.random() < 0.4:
            return
        if step.type == "logic.each":
            for _ in range(self.choice.randrange(3)):
                self.leave(index, "out")
            self.leave(index, "done")
        elif step.type == "logic.branches":
            self.leave(index, "out")
            self.leave(index, "join")
        elif step.type == "model.classify":
            alone = len(step.next) == 1 and step.next[0].port == "out"
            self.leave(index, "out" if alone else self.choice.choice(("a", "b")))
        else:
            self.leave(index, "out")

    def leave(self, index: int, port: str) -> None:
        for wire in self.board.steps[index].next:
            if wire.port == port:
                self.step(self.board.by_id[wire.to])


@settings(max_examples=150, deadline=None)
@given(boards(), st.integers(0, 10_000))
def test_what_is_said_of_the_order_is_so_in_every_run(board: StepsDocument, seed: int) -> None:
    count = len(board.steps)
    graph = Survey(board).graph
    judged = before(graph, [((source,), step) for source in range(count) for step in range(count)])
    choice = random.Random(seed)
    for _ in range(25):
        walk = Walk(board, choice)
        walk.step(0)
        for step, states in walk.seen.items():
            for source in range(count):
                said = judged[(source,), step]
                first = states[0]
                if said is Before.ALWAYS:
                    assert source in first, (source, step)
                elif said is Before.NEVER:
                    assert not any(source in state for state in states), (source, step)


@settings(max_examples=60, deadline=None)
@given(boards(), st.integers(0, 10_000))
def test_one_of_several_is_there_when_it_is_said(board: StepsDocument, seed: int) -> None:
    count = len(board.steps)
    pairs = [((one, other), step) for one in range(count) for other in range(one + 1, count) for step in range(count)]
    judged = before(Survey(board).graph, pairs)
    walk = Walk(board, random.Random(seed))
    walk.step(0)
    for (source, step), said in judged.items():
        if said is Before.ALWAYS and step in walk.seen:
            assert not set(source).isdisjoint(walk.seen[step][0])


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats()
    | st.sampled_from(
        ["", "out", "s0", "s1", "{{steps.s0.text}}", "{{item", "input.x", "steps..", "gt", "matches", "(", "Slack:send"]
    )
    | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "field",
                    "op",
                    "value",
                    "equals",
                    "port",
                    "to",
                    "name",
                    "do",
                    "attempts",
                    "col",
                    "lane",
                    "ignore",
                    "cron",
                ]
            )
            | st.text(max_size=3),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
keys = st.sampled_from(
    [
        "labels",
        "input",
        "instructions",
        "context",
        "maxWords",
        "fields",
        "all",
        "any",
        "field",
        "cases",
        "fallback",
        "list",
        "limit",
        "together",
        "workflowId",
        "returns",
        "preview",
        "question",
        "template",
        "tool",
        "arguments",
        "writes",
        "cron",
        "note",
        "trigger",
    ]
)
odd_steps = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["s0", "s1", "s2", "a.b", ""]),
        "type": st.sampled_from(list(CATALOG)),
        "title": st.just("x"),
    },
    optional={
        "config": st.dictionaries(keys, values, max_size=4),
        "next": st.lists(
            st.fixed_dictionaries(
                {"port": st.sampled_from(["out", "done", "error", "a"]), "to": st.sampled_from(["s0", "s1", "zz"])}
            ),
            max_size=3,
        ),
        "enabled": st.booleans(),
        "onError": values,
        "position": values,
        "x-circuit": values,
    },
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(odd_steps, min_size=1, max_size=5),
    st.dictionaries(st.sampled_from(["entry", "inputs", "schedule", "id", "x-circuit"]), values, max_size=3),
)
def test_no_board_makes_a_rule_fail(steps: list[Any], head: dict[str, Any]) -> None:
    text = json.dumps({"circuit": 1, "name": "x", **head, "steps": steps})
    for read in read_candidate(text.encode("utf-8", "surrogatepass"), "x.json"):
        around = Surroundings({} if read.document is None else {read.document.id: read.document}, ("Slack:send",))
        for found in findings(read, around):
            assert found.start is not None
            assert found.message


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_end_in_findings(data: bytes) -> None:
    for read in read_candidate(data, "x.json"):
        findings(read, Surroundings())


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_damaged_board_ends_in_findings(data: st.DataObject) -> None:
    text = rules.rule("blind_gate").bad
    at = data.draw(st.integers(0, len(text)))
    upto = data.draw(st.integers(at, min(len(text), at + 20)))
    damaged = text[:at] + data.draw(st.text(max_size=5)) + text[upto:]
    for read in read_candidate(damaged.encode("utf-8", "surrogatepass"), "x.json"):
        findings(read, Surroundings())


def test_a_board_of_any_depth_ends_in_findings() -> None:
    for depth in (10, 400, 900, 5_000, 200_000):
        value = '{"a":' * depth + '"{{nowhere}}"' + "}" * depth
        step = f'{{"id": "s", "type": "tool.call", "title": "x", "config": {{"tool": "A:get", "arguments": {value}}}}}'
        text = f'{{"circuit": 1, "name": "x", "steps": [{step}, {step}]}}'
        (read,) = read_candidate(text.encode(), "x.json")
        found = {one.code for one in findings(read, Surroundings())}
        assert "C301" in found if depth < 800 else found
