"""A write is unguarded when some way from the entry reaches it without an approval."""

from typing import Any

import pytest

from circuit_export.formats.steps.document import StepsDocument, load_value
from circuit_export.formats.steps.guards import all_writes, muted_gates, unguarded_writes

SEND = {"tool": "Gmail:send"}
GATE = "gate.approve"


def step(id: str, type: str, *to: str | tuple[str, str], config: dict[str, Any] | None = None, **more: Any) -> Any:
    wires = [{"port": port, "to": target} for port, target in (t if isinstance(t, tuple) else ("out", t) for t in to)]
    return {"id": id, "type": type, "title": id, "config": config or {}, "next": wires, **more}


def send(id: str, *to: str | tuple[str, str], **more: Any) -> Any:
    return step(id, "tool.call", *to, config=SEND, **more)


def board(*steps: Any) -> StepsDocument:
    return load_value({"circuit": 1, "name": "B", "steps": list(steps)})


def ways(document: StepsDocument, **called: StepsDocument) -> dict[str, tuple[str, ...]]:
    return {write.step.id: write.way for write in unguarded_writes(document, called)}


def test_a_gate_in_front_guards() -> None:
    document = board(step("a", "trigger.ask", "g"), step("g", GATE, "w"), send("w", "v"), send("v"))
    assert ways(document) == {}
    assert [(write.step.id, write.guarded, write.gate) for write in all_writes(document, {})] == [
        ("w", True, "g"),
        ("v", True, "g"),
    ]


def test_one_way_round_the_gate_is_enough() -> None:
    document = board(step("a", "trigger.ask", "g", "x"), step("g", GATE, "w"), step("x", "note.say", "w"), send("w"))
    assert ways(document) == {"w": ("a", "x", "w")}


def test_several_gates_guard_without_one_of_them_being_named() -> None:
    document = board(step("a", "trigger.ask", "g", "h"), step("g", GATE, "w"), step("h", GATE, "w"), send("w"))
    (write,) = all_writes(document, {})
    assert (write.guarded, write.gate, write.gated_inside) == (True, None, True)


def test_a_muted_gate_guards_nothing_and_a_muted_write_changes_nothing() -> None:
    document = board(
        step("a", "trigger.ask", "g"), step("g", GATE, "w", enabled=False), send("w", "v"), send("v", enabled=False)
    )
    assert ways(document) == {"w": ("a", "g", "w")}
    assert muted_gates(document, ("a", "g", "w")) == ("g",)


def test_a_gate_that_fails_approved_nothing() -> None:
    gate = step("g", GATE, "w", ("error", "v"), onError={"do": "route"})
    document = board(step("a", "trigger.ask", "g"), gate, send("w"), send("v"))
    assert ways(document) == {"v": ("a", "g", "v")}


def test_a_muted_step_is_left_by_one_port_only() -> None:
    loop = step("l", "logic.each", ("out", "w"), ("done", "v"), enabled=False)
    assert ways(board(step("a", "trigger.ask", "l"), loop, send("w"), send("v"))) == {"v": ("a", "l", "v")}


def test_a_write_that_nothing_leads_to_is_said_to_be_so() -> None:
    (write,) = all_writes(board(step("a", "trigger.ask"), send("w")), {})
    assert (write.reached, write.guarded, write.unguarded) == (False, False, False)


def test_the_entry_itself_can_write() -> None:
    assert ways(board(step("w", "trigger.watch", config={"tool": "A:pay"}))) == {"w": ("w",)}


@pytest.mark.parametrize("gated", [True, False])
def test_cycles_end(gated: bool) -> None:
    document = board(
        step("a", "trigger.ask", "b"),
        step("b", GATE if gated else "note.say", "c"),
        step("c", "note.say", "b", "w", "c"),
        send("w", "b"),
    )
    assert ways(document) == ({} if gated else {"w": ("a", "b", "c", "w")})


def test_two_thousand_diamonds_are_walked_once() -> None:
    steps = [step("a", "trigger.ask", "d0")]
    for n in range(2000):
        steps += [
            step(f"d{n}", "note.say", f"l{n}", f"r{n}"),
            step(f"l{n}", "note.say", f"d{n + 1}"),
            step(f"r{n}", "note.say", f"d{n + 1}"),
        ]
    document = board(*steps, send("d2000"))
    (write,) = unguarded_writes(document, {})
    assert len(write.way) == 4002


def called_by(*calls: Any) -> StepsDocument:
    return board(step("a", "trigger.ask", *[call["id"] for call in calls]), *calls)


def call(id: str, flow: str, *to: str, **more: Any) -> Any:
    return step(id, "flow.call", *to, config={"workflowId": flow}, **more)


def test_a_write_of_a_called_workflow_counts() -> None:
    child = board(step("t", "trigger.ask", "w"), send("w"))
    (write,) = all_writes(called_by(call("c", "child")), {"child": child})
    assert (write.step.id, write.unguarded, [at.id for at in write.called_at]) == ("w", True, ["c"])
    assert write.way == ("t", "w")


def test_a_gate_before_the_call_or_inside_it_guards() -> None:
    child = board(step("t", "trigger.ask", "w"), send("w"))
    gated = board(step("t", "trigger.ask", "g"), step("g", GATE, "w"), send("w"))
    before = board(step("a", "trigger.ask", "g"), step("g", GATE, "c"), call("c", "child"))
    (write,) = all_writes(before, {"child": child})
    assert (write.guarded, write.gated_inside) == (True, False)
    (write,) = all_writes(called_by(call("c", "child")), {"child": gated})
    assert (write.guarded, write.gated_inside, write.gate) == (True, True, "g")


def test_one_unguarded_call_of_several_is_enough() -> None:
    child = board(step("t", "trigger.ask", "w"), send("w"))
    document = board(step("a", "trigger.ask", "g", "d"), step("g", GATE, "c"), call("c", "child"), call("d", "child"))
    (write,) = all_writes(document, {"child": child})
    assert (write.unguarded, [at.id for at in write.called_at]) == (True, ["d"])


def test_calls_that_never_run_or_go_round_in_circles() -> None:
    child = board(step("t", "trigger.ask", "c2"), call("c2", "child", "w"), send("w"))
    assert len(all_writes(called_by(call("c", "child")), {"child": child})) == 1
    assert all_writes(called_by(call("c", "child", enabled=False)), {"child": child}) == ()
    assert all_writes(called_by(call("c", "elsewhere")), {"child": child}) == ()
