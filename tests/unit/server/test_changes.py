"""What changed by meaning."""

from typing import Any

import pytest

from circuit_export.server.changes import changes


def board(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"circuit": 1, "name": "x", "steps": list(steps), **more}


def step(id: str, *wires: str, **more: Any) -> dict[str, Any]:
    """A step with wires, each as `port>to`."""
    pairs = [wire.split(">") for wire in wires]
    return {
        "id": id,
        "type": "tool.call",
        "title": id,
        "next": [{"port": port, "to": to} for port, to in pairs],
        **more,
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (board({"id": "a"}), board({"id": "a", "enabled": True, "config": {}, "next": []})),
        (board(inputs=[{"name": "n"}]), board(inputs=[{"name": "n", "description": "", "required": True}])),
        (board(), board(description="", inputs=[])),
        (board(step("a", "out>b")), board({**step("a"), "next": [{"to": "b"}]})),
        (board(step("a"), step("b")), board(step("b"), step("a"))),
        (board(step("a", "mine>b", "junk>c")), board(step("a", "junk>c", "mine>b"))),
        (board(step("a")), board(step("a", position={"col": 1, "lane": 2}), **{"$schema": "x"})),
    ],
    ids=["step", "input", "board", "port", "steps in another order", "ports in another order", "places"],
)
def test_what_means_the_same(before: Any, after: Any) -> None:
    assert changes(before, after) == changes(after, before) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (board(step("a")), board(step("a", enabled=False)), "steps[a].enabled added: false"),
        (
            board(step("a", "out>b", "out>c")),
            board(step("a", "out>c", "out>b")),
            "steps[a].next is in another order: out → c, out → b",
        ),
        (
            board(step("a", config={"arguments": {}})),
            board(step("a", config={"arguments": {"description": ""}})),
            'steps[a].config.arguments.description added: ""',
        ),
        (
            board(step("a", config={"enabled": True})),
            board(step("a", config={})),
            "steps[a].config.enabled removed: true",
        ),
        (board(step("a")), board(step("a"), step("b]")), "steps[b]] added: "),
        (
            board(inputs=[{"name": "n"}]),
            board(inputs=[{"name": "n", "required": False}]),
            "inputs[n].required added: f",
        ),
        (board(step("a", "out>b")), board(step("a")), "steps[a].next"),
        (
            board(step("a", config={"fields": [{"name": "n"}]})),
            board(step("a", config={"fields": [{"name": "n", "next": []}]})),
            "steps[a].config.fields[n].next added: []",
        ),
        ({"n": 1}, {"n": True}, "n: 1 → true"),
    ],
)
def test_what_does_not(before: Any, after: Any, said: str) -> None:
    (line,) = changes(before, after)
    assert line.startswith(said)
