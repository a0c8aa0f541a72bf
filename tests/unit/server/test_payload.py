"""What clients draw a board from: every key of it, on a board that has one of everything."""

from typing import Any

from support.serving import START, Session, talk

from circuit_export.store.base import stamp

NOW = stamp(START)
TOOLS = ("Gmail:search_threads", "Gmail:label_thread", "Gmail:send_message")
STEPS: list[dict[str, Any]] = [
    {
        "id": "clock",
        "type": "trigger.schedule",
        "title": "Each morning",
        "config": {"cron": "0 8 * * *", "note": "every morning"},
        "next": [{"port": "out", "to": "fetch"}],
    },
    {
        "id": "fetch",
        "type": "tool.call",
        "title": "Fetch the post",
        "config": {"tool": "Gmail:search_threads"},
        "onError": {"do": "retry", "attempts": 3},
        "next": [{"port": "out", "to": "each"}],
    },
    {
        "id": "each",
        "type": "logic.each",
        "title": "One by one",
        "config": {"list": "steps.fetch.threads"},
        "next": [{"port": "out", "to": "sort"}, {"port": "done", "to": "say"}],
    },
    {
        "id": "sort",
        "type": "model.classify",
        "title": "What is it",
        "config": {"labels": ["mine", "junk"], "input": "item"},
        "next": [{"port": "mine", "to": "gate"}, {"port": "junk", "to": "label"}],
    },
    {
        "id": "label",
        "type": "tool.call",
        "title": "Label it",
        "config": {"tool": "Gmail:label_thread"},
        "onError": {"do": "route", "port": "error"},
        "enabled": False,
        "next": [{"port": "error", "to": "gate"}],
    },
    {
        "id": "gate",
        "type": "gate.approve",
        "title": "Let me look",
        "config": {"preview": "item.subject", "question": "Send?"},
        "next": [{"port": "out", "to": "send"}],
    },
    {"id": "send", "type": "tool.call", "title": "Send it", "config": {"tool": "Gmail:send_message"}, "next": []},
    {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Done."}, "next": []},
]
BOARD = {
    "name": "Morning post",
    "description": "Answers the post.",
    "inputs": [{"name": "voice", "description": "Whose", "required": True}, {"name": "tone", "default": "warm"}],
    "steps": STEPS,
}

# id: kind, label, actor, summary, tool, its ports, whether it writes, its policy.
SHOWN: dict[str, tuple[Any, ...]] = {
    "clock": ("trigger", "every", "you", "every morning", None, ["out"], False, None),
    "fetch": (
        "tool",
        "do",
        "claude",
        "Gmail · search threads",
        "Gmail:search_threads",
        ["out"],
        False,
        {"do": "retry", "attempts": 3},
    ),
    "each": ("logic", "for each", "circuit", "one at a time, up to 10", None, ["out", "done"], False, None),
    "sort": ("model", "decide", "claude", "sorts into mine or junk", None, ["mine", "junk"], False, None),
    "label": (
        "tool",
        "do",
        "claude",
        "Gmail · label thread",
        "Gmail:label_thread",
        ["out", "error"],
        True,
        {"do": "route", "port": "error"},
    ),
    "gate": ("gate", "ask you", "you", "Send?", None, ["out"], False, None),
    "send": ("tool", "do", "claude", "Gmail · send message", "Gmail:send_message", ["out"], True, None),
    "say": ("note", "report", "claude", "“Done.”", None, ["out"], False, None),
}


async def armed(session: Session) -> str:
    """The board, armed, with a task for it."""
    board_id = (await session.good("design", **BOARD)).board_id
    await session.good("arm", workflowId=board_id)
    await session.good("scheduled", workflowId=board_id, taskId="t1")
    return board_id


async def step_on(session: Session, said: Any, **report: Any) -> Any:
    return await session.good("step", runId=said.run_id, stepId=said.next["stepId"], **report)


async def at_the_gate(session: Session) -> Any:
    """A run that waits at its gate, after a call that failed once."""
    said = await session.good("run", workflowId=await armed(session), input={"voice": "Ada's"})
    said = await step_on(session, said, error="try again")
    said = await step_on(session, said, result={"threads": [{"subject": "Dear Ada"}]})
    return await step_on(session, said, result={"label": "mine"})


def test_the_workflow() -> None:
    async def script(session: Session) -> Any:
        return (await session.good("open", workflowId=await armed(session))).props

    props = talk(script)
    assert set(props) == {"workflow", "run", "storage", "drawing", "phase"}
    assert (props["run"], props["storage"], props["phase"]) == (None, "memory", "design")
    workflow = {key: value for key, value in props["workflow"].items() if key != "steps"}
    assert workflow == {
        "id": "wf_0001",
        "name": "Morning post",
        "description": "Answers the post.",
        "status": "armed",
        "entry": "clock",
        "inputs": [
            {"name": "voice", "description": "Whose", "required": True},
            {"name": "tone", "description": "", "required": True, "default": "warm"},
        ],
        "schedule": {"cron": "0 8 * * *", "note": "every morning", "taskId": "t1", "confirmedAt": NOW},
        "lastRunAt": None,
        "version": 1,
    }


def test_its_steps() -> None:
    async def script(session: Session) -> Any:
        await session.bind(*TOOLS[:2])
        return (await session.good("design", **BOARD)).props

    props = talk(script)
    places = set()
    for step, given in zip(props["workflow"]["steps"], STEPS, strict=True):
        kind, label, actor, summary, tool, ports, writes, policy = SHOWN[step["id"]]
        places.add((step["position"]["col"], step["position"]["lane"]))
        assert step == {
            "id": given["id"],
            "type": given["type"],
            "kind": kind,
            "label": label,
            "actor": actor,
            "title": given["title"],
            "summary": summary,
            "tool": tool,
            "toolKnown": None if tool is None else tool in TOOLS[:2],
            "ports": ports,
            "next": given["next"],
            "enabled": given.get("enabled", True),
            "onError": policy,
            "writes": writes,
            "position": step["position"],
        }
    assert len(places) == len(STEPS)
    assert props["tools"] == {
        "bound": True,
        "needed": ["Gmail:search_threads", "Gmail:send_message"],
        "missing": [{"tool": "Gmail:send_message", "steps": ["send"], "suggestion": None}],
    }


def test_whether_a_tool_is_there_is_said_only_where_it_was_looked_for() -> None:
    async def script(session: Session) -> None:
        said = await session.good("design", **BOARD)
        assert said.step("send")["toolKnown"] is None  # nothing is bound
        assert said.props["tools"]["bound"] is False
        await session.bind(*TOOLS)
        said = await session.good("open", workflowId=said.board_id)
        assert said.step("send")["toolKnown"] is None
        assert "tools" not in said.props

    talk(script)


def test_a_run() -> None:
    async def script(session: Session) -> Any:
        return (await at_the_gate(session)).props

    props = talk(script)
    assert set(props) == {"workflow", "run", "storage", "drawing", "phase", "directive"}
    assert props["phase"] == "run"
    assert props["workflow"]["lastRunAt"] == NOW
    run = dict(props["run"])
    trace, history = run.pop("trace"), run.pop("history")
    assert run == {
        "id": "run_0002",
        "workflowId": "wf_0001",
        "status": "awaiting_approval",
        "mode": "live",
        "startedAt": NOW,
        "endedAt": None,
        "awaiting": {"stepId": "gate", "act": "ask", "turn": props["directive"]["turn"]},
        "failedAt": None,
        "input": {"voice": "Ada's", "tone": "warm"},
    }
    states = {one["stepId"]: one["state"] for one in trace}
    assert states["clock"] == states["fetch"] == states["sort"] == "done"
    assert states["each"] == "running"
    assert states["gate"] == "held"
    assert next(one for one in trace if one["stepId"] == "fetch")["attempts"] == 2
    assert all(one.get("state", "idle") in ("idle", "running", "done", "held") for one in trace)
    assert all({"stepId", "state", "at"} <= moment.keys() for moment in history)
    (sorted_,) = (moment for moment in history if moment["stepId"] == "sort")
    assert sorted_["output"] == {"label": "mine"}


def test_how_a_run_ends() -> None:
    async def script(session: Session) -> None:
        said = await session.good("run", workflowId=await armed(session), input={"voice": "x"}, mode="test")
        assert said.props["run"]["mode"] == "test"
        assert said.props["workflow"]["lastRunAt"] is None
        said = await at_the_gate(session)
        said = await session.good("answer", runId=said.run_id, decision="approve")
        failed = await step_on(session, said, error="no such address")
        assert failed.props["run"]["status"] == "failed"
        assert failed.props["run"]["failedAt"] == "send"
        assert failed.props["run"]["awaiting"] is None
        (entry,) = (one for one in failed.props["run"]["trace"] if one["stepId"] == "send")
        assert entry["error"] == "no such address"
        said = await session.good("resume", runId=said.run_id)
        while said.next["act"] != "done":
            said = await step_on(session, said, result={})
        assert said.props["run"]["status"] == "succeeded"
        assert said.props["run"]["endedAt"] == NOW
        assert said.next["summary"]

    talk(script)


def test_the_same_in_words() -> None:
    async def script(session: Session) -> None:
        said = await at_the_gate(session)
        head, asks, *lines = said.text.partition("\n\n---")[0].splitlines()[-11:]
        assert head == "Morning post (wf_0001) — armed, 8 steps, entry: clock"
        assert asks == "asks for voice, tone"
        assert lines[0] == "  clock  trigger.schedule  “Each morning”  → fetch  [done: started]"
        assert lines[2].startswith("  each  logic.each  “One by one”  → sort, done→say  [running")
        assert lines[4] == "  label  tool.call  “Label it”  → error→gate  (switched off)"
        assert lines[-1] == "run run_0002 (live): awaiting_approval, waits at gate"
        said = await session.good("answer", runId=said.run_id, decision="approve")
        said = await step_on(session, said, error="no such address")
        assert "“Send it”  [failed: no such address]" in said.text
        assert "run run_0002 (live): failed, stopped at send; circuit_resume takes it up there" in said.text

    talk(script)
