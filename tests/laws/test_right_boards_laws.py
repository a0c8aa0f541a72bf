"""No false alarms: boards that are right by the way they are made have no findings, whatever they are made of."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.formats.base import Surroundings
from circuit_export.formats.steps import document
from circuit_export.validation.check import findings
from circuit_export.validation.project import read_candidate

Step = dict[str, Any]


class Maker:
    """Makes a board block by block; `known` are paths that surely have a value where the next step stands."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.steps: list[Step] = []
        self.known = ["trigger.text", "input.voice"]

    def pick(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def add(self, kind: str, config: Step, **more: Any) -> Step:
        step = {"id": f"{kind.split('.')[1]}-{len(self.steps)}", "type": kind, "title": "T", "config": config, **more}
        self.steps.append({**step, "next": []})
        return self.steps[-1]

    def path(self) -> str:
        return str(self.pick(*self.known))

    def text(self) -> str:
        return f"About {{{{{self.path()}}}}}."

    # --- blocks: each returns its first step, and the ends from which what follows is reached -------------------------

    def block(self, depth: int) -> tuple[Step, list[tuple[Step, str]]]:
        plain = (self.write, self.extract, self.read, self.send, self.condition)
        inner = (self.classify, self.branch, self.each, self.branches) if depth < 2 else ()
        make = self.pick(*plain, *inner)
        made: tuple[Step, list[tuple[Step, str]]] = make(depth + 1)
        return made

    def chain(self, depth: int) -> tuple[Step, list[tuple[Step, str]]]:
        first, ends = self.block(depth)
        for _ in range(self.draw(st.integers(0, 2))):
            following, new = self.block(depth)
            join(ends, following)
            ends = new
        return first, ends

    def apart(self, depth: int, *extra: str) -> tuple[Step, list[tuple[Step, str]]]:
        """A chain whose results are not sure to be there for what comes later."""
        before = list(self.known)
        self.known += extra
        made = self.chain(depth)
        self.known = before
        return made

    def write(self, _: int) -> tuple[Step, list[tuple[Step, str]]]:
        step = self.add("model.write", {"instructions": self.text(), "context": [self.path()]})
        self.known.append(f"steps.{step['id']}.text")
        return step, [(step, "out")]

    def extract(self, _: int) -> tuple[Step, list[tuple[Step, str]]]:
        fields = [{"name": "who", "description": "Who it is"}]
        step = self.add("model.extract", {"input": self.path(), "fields": fields})
        self.known.append(f"steps.{step['id']}.who")
        return step, [(step, "out")]

    def read(self, _: int) -> tuple[Step, list[tuple[Step, str]]]:
        more: Step = self.pick({}, {"onError": {"do": "retry", "attempts": 3}})
        step = self.add("tool.call", {"tool": "Gmail:search_threads", "arguments": {"query": self.text()}}, **more)
        self.known.append(f"steps.{step['id']}.threads.0.id")
        return step, [(step, "out")]

    def send(self, _: int) -> tuple[Step, list[tuple[Step, str]]]:
        draft = self.add("model.write", {"instructions": self.text()})
        body = f"steps.{draft['id']}.text"
        gate = self.add("gate.approve", {"preview": body, "question": "Send it?"})
        sent = self.add("tool.call", {"tool": "Gmail:send_message", "arguments": {"body": f"{{{{{body}}}}}"}})
        join([(draft, "out")], gate)
        join([(gate, "out")], sent)
        self.known.append(body)
        return draft, [(sent, "out")]

    def condition(self, _: int) -> tuple[Step, list[tuple[Step, str]]]:
        op, more = self.pick(
            ("exists", {}), ("equals", {"value": "x"}), ("gt", {"value": 3}), ("matches", {"value": "^a"})
        )
        step = self.add("logic.filter", {"all": [{"field": self.path(), "op": op, **more}]})
        return step, [(step, "out")]

    def classify(self, depth: int) -> tuple[Step, list[tuple[Step, str]]]:
        step = self.add("model.classify", {"labels": ["sales", "support"], "input": self.path()})
        self.known.append(f"steps.{step['id']}.label")
        return step, self.ways(step, depth, "sales", "support")

    def branch(self, depth: int) -> tuple[Step, list[tuple[Step, str]]]:
        cases = [{"equals": "x", "port": "is x"}, {"equals": "y", "port": "is y"}]
        step = self.add("logic.branch", {"field": self.path(), "cases": cases, "fallback": "other"})
        return step, self.ways(step, depth, "is x", "is y", "other")

    def ways(self, step: Step, depth: int, *ports: str) -> list[tuple[Step, str]]:
        ends = []
        for port in ports:
            first, last = self.apart(depth)
            join([(step, port)], first)
            ends += last
        return ends

    def each(self, depth: int) -> tuple[Step, list[tuple[Step, str]]]:
        step = self.add("logic.each", {"list": self.path(), "limit": 5})
        first, _ = self.apart(depth, "item", "item.name")
        join([(step, "out")], first)
        return step, [(step, "done")]

    def branches(self, depth: int) -> tuple[Step, list[tuple[Step, str]]]:
        step = self.add("logic.branches", {})
        for _ in range(2):
            first, _ends = self.apart(depth)
            join([(step, "out")], first)
        return step, [(step, "join")]


def join(ends: list[tuple[Step, str]], following: Step) -> None:
    for step, port in ends:
        step["next"].append({"port": port, "to": following["id"]})


@st.composite
def right_boards(draw: st.DrawFn) -> Step:
    maker = Maker(draw)
    start = maker.add("trigger.ask", {})
    first, ends = maker.chain(0)
    join([(start, "out")], first)
    said = maker.add("note.say", {"template": f"{maker.text()} {{{{input.voice}}}}"})
    join(ends, said)
    return {"circuit": 1, "name": "Right", "inputs": [{"name": "voice", "description": "Whose"}], "steps": maker.steps}


@pytest.mark.parametrize("tools", [None, ("Gmail:search_threads", "Gmail:send_message")])
@settings(max_examples=150, deadline=None)
@given(board=right_boards())
def test_a_board_that_is_right_has_no_findings(tools: tuple[str, ...] | None, board: Step) -> None:
    [read] = read_candidate(document.dump(board).encode(), "right.json")
    found = [(one.code, one.pointer, one.message) for one in findings(read, Surroundings({}, tools))]
    assert found == []
