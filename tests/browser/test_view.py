"""The board in a conversation: the view in a host of the official kind, connected to a server that runs."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, expect
from support.browsing import CUT, STRAYS, violations
from support.command import BOARD
from support.listening import listening
from support.node import Node
from support.view_host import Host, bundled, hosting

from circuit_export.board.theme import load_theme
from circuit_export.server.view.drawing import VIEW_META

pytestmark = pytest.mark.browser

POST = {key: value for key, value in BOARD.items() if key != "circuit"}
TRIAGE = json.loads((Path(__file__).resolve().parents[2] / "examples" / "inbox-triage.json").read_text("utf-8"))
TRIAGE.pop("circuit")
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>“'\"&amp;</style>{{7*7}}"
TOOLS = ("Gmail:search_threads", "Gmail:send_message", f"Evil:{HOSTILE}")
LETTER = "Dear Jo,\n\nit is on its way.\n"

# Where each chip is on the board, and each wire, as painted.
PAINTED = """() => ({
  chips: [...document.querySelectorAll('.chip')]
    .map(c => [c.dataset.step, c.offsetLeft, c.offsetTop, c.offsetWidth, c.offsetHeight]),
  wires: [...document.querySelectorAll('.wire')].map(w => w.getAttribute('d')),
})"""
SIZED = """document.querySelectorAll('.chip').forEach(c => {
  const {width, height} = c.getBoundingClientRect();
  Object.assign(c.dataset, {w: width, h: height});
})"""


class Served(NamedTuple):
    """A server that runs, and the host's script."""

    url: str
    script: Path


@pytest.fixture(scope="module")
def script(node: Node, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundled(node, tmp_path_factory.mktemp("host"))


@pytest.fixture(scope="module")
def served(script: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests, each of which makes boards of its own."""
    place = tmp_path_factory.mktemp("boards")
    store = str(place / "boards.db")
    with listening(place, "circuit_export", "serve", "--http", "--port", "0", "--store", store) as url:
        yield Served(url, script)


@contextmanager
def joined(browser: Browser, served: Served, mode: str = "auto", **options: Any) -> Iterator[Host]:
    """A host in a window of its own, connected, with all tools reported that the boards here call."""
    with hosting(browser, served.script, served.url, **options) as made:
        made.connect(served.url, mode=mode)
        bind(made)
        yield made


@pytest.fixture(scope="module")
def window(browser: Browser, served: Served) -> Iterator[Host]:
    with joined(browser, served) as made:
        yield made


@pytest.fixture
def host(window: Host) -> Iterator[Host]:
    """The host that most tests share, each with a view of its own."""
    bind(window)
    yield window
    assert window.said == []


def bind(host: Host, *names: str) -> None:
    host.ask("bind", tools=[{"name": name} for name in names or TOOLS])


def props(result: Any) -> Any:
    return result["structuredContent"]


def started(host: Host, board: Any = POST, **inputs: str) -> Any:
    """A run of a new board, at its first directive."""
    board_id = props(host.ask("design", **board))["workflow"]["id"]
    return props(host.ask("run", workflowId=board_id, input=inputs or {"voice": "warm"}))


def held(host: Host, letter: str = LETTER) -> Any:
    """A run that waits at its gate."""
    run_id = started(host)["run"]["id"]
    host.ask("step", runId=run_id, stepId="fetch", result=[{"id": 1}, {"id": 2}])
    return props(host.ask("step", runId=run_id, stepId="write", result={"text": letter}))


def chip(host: Host, step: str) -> Any:
    return host.view.locator(f'.chip[data-step="{step}"]')


# --- drawn --------------------------------------------------------------------------------------------------------


def test_it_shakes_hands_and_says_how_tall_it_is(host: Host) -> None:
    host.open()
    assert host.seen["app"]["info"]["name"] == "circuit-board"
    assert host.seen["app"]["capabilities"] == {"availableDisplayModes": ["inline", "fullscreen"]}
    host.call("design", **POST)
    expect(host.view.locator(".chip")).to_have_count(5)
    host.window.wait_for_function("host.seen.sizes.at(-1)?.height > 200")
    assert host.frame.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert "width" not in host.seen["sizes"][-1]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_designed_board_is_painted_as_the_server_draws_it(browser: Browser, served: Served, mode: str) -> None:
    with joined(browser, served, mode) as host:
        host.open()
        result = host.call("design", **TRIAGE)
        expect(host.view.get_by_role("heading", name="Inbox before coffee")).to_be_visible()
        drawing = result["_meta"][VIEW_META]["drawing"]
        chips = [
            [step["id"], drawn["x"], drawn["y"], drawn["w"], drawn["h"]]
            for step, drawn in zip(props(result)["workflow"]["steps"], drawing["chips"], strict=True)
        ]
        order = sorted(range(len(chips)), key=lambda index: int(drawing["chips"][index]["no"]))
        painted = host.frame.evaluate(PAINTED)
        assert painted["chips"] == [chips[index] for index in order]
        assert painted["wires"] == [data for _, _, data, *_ in drawing["wires"]]
        host.frame.evaluate(SIZED)
        assert host.frame.evaluate(STRAYS) == []
        assert host.seen["calls"] == []


def test_steps_are_placed_as_a_model_closes_them(host: Host) -> None:
    host.open()
    chips, status = host.view.locator(".chip"), host.view.get_by_role("status")
    steps: Any = POST["steps"]
    host.tell("sendToolInputPartial", {"arguments": {"name": "Morn"}})
    host.tell("sendToolInputPartial", {"arguments": {"name": "Morning post", "steps": [{"id": "start"}]}})
    expect(chips).to_have_count(0)
    unfinished = {"id": "fetch", "type": "tool.call", "title": "Fetch th"}
    host.tell("sendToolInputPartial", {"arguments": {"name": "Morning post", "steps": [steps[0], unfinished]}})
    expect(chips).to_have_count(1)
    expect(status).to_have_text("1 step so far.")
    first = chip(host, "start").bounding_box()
    host.tell("sendToolInputPartial", {"arguments": {"name": "Morning post", "steps": steps[:4]}})
    expect(chips).to_have_count(3)
    assert chip(host, "start").bounding_box()["y"] == first["y"]
    expect(host.view.locator(".wire")).to_have_count(2)
    expect(host.view.locator(".chip .verb")).to_have_text(["01when", "02do", "03write"])
    host.tell("sendToolInput", {"arguments": POST})
    expect(chips).to_have_count(5)
    rough = host.frame.evaluate(PAINTED)
    assert host.view.locator(".chip.rough").count() == 5
    host.tell("sendToolResult", host.ask("design", **POST))
    expect(host.view.locator(".chip.rough")).to_have_count(0)
    expect(status).to_have_text("")
    assert host.frame.evaluate(PAINTED)["chips"] == rough["chips"]  # a plain chain does not move


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"steps": "a text"},
        {"steps": [None, 7, "x", [], {}]},
        {"steps": [{"id": {"a": 1}, "type": [], "next": "x"}, {"next": [None, {"to": 3}], "position": "far"}, {}]},
        {"steps": [{"id": "__proto__", "type": "constructor", "next": [{"to": "__proto__"}]}, {"id": "__proto__"}, 0]},
        {"name": ["x"], "steps": [{"id": "a", "position": {"col": 1e300, "lane": -5}}, {}]},
    ],
    ids=["nothing", "text", "no steps", "no texts", "names of JavaScript", "far out"],
)
def test_nonsense_that_is_streamed_breaks_nothing(host: Host, given: Any) -> None:
    host.open()
    host.tell("sendToolInputPartial", {"arguments": given})
    host.tell("sendToolInput", {"arguments": given})
    host.tell("sendToolResult", host.ask("design", **POST))
    expect(host.view.locator(".chip:not(.rough)")).to_have_count(5)


def test_a_board_is_sketched_until_its_drawing_is_there_and_drawn_then(browser: Browser, served: Served) -> None:
    """A stateless client of the older protocols says nothing of itself, and gets no drawing with every step."""
    with joined(browser, served, "legacy") as host:
        run = started(host)["run"]["id"]
        host.open()
        result = host.call("step", runId=run, stepId="fetch", result=[])
        assert "drawing" not in result["_meta"][VIEW_META]
        expect(host.view.locator(".chip:not(.rough)")).to_have_count(5)
        assert [call["name"] for call in host.seen["calls"]] == ["circuit_open"]
        expect(chip(host, "fetch")).to_contain_text("done")
        host.open({}, message={})  # a host that passes no calls on: the sketch is all there is
        host.call("step", runId=run, stepId="write", result={"text": "x"})
        expect(host.view.locator(".chip.rough")).to_have_count(5)
        expect(host.view.locator(".wire")).to_have_count(4)
        host.frame.evaluate(SIZED)
        assert host.frame.evaluate(STRAYS) == []


def test_a_refused_call_is_said_and_what_was_drawn_stays(host: Host) -> None:
    host.open()
    host.call("design", **POST)
    host.tell("sendToolResult", host.ask("open", workflowId="nothing"))
    expect(host.view.get_by_role("alert")).to_contain_text("No workflow “nothing”")
    expect(host.view.locator(".chip")).to_have_count(5)


@pytest.mark.parametrize("kept", ["structuredContent", "ui/props", "ui"])
def test_a_host_may_hand_the_board_on_by_any_of_its_ways(host: Host, kept: str) -> None:
    result = host.ask("design", **POST)
    keep = {"structuredContent": result["structuredContent"]} if kept == "structuredContent" else {}
    host.open()
    meta = {kept: result["_meta"][kept]} if kept in result["_meta"] else {}
    host.tell("sendToolResult", {"content": [], **keep, "_meta": meta})
    expect(host.view.locator(".chip:not(.rough)")).to_have_count(5)  # the drawing was asked for


def test_an_answer_without_a_board_is_shown_as_it_is(host: Host) -> None:
    host.open()
    host.tell("sendToolResult", {"content": [{"type": "text", "text": "There are no runs yet."}]})
    expect(host.view.get_by_role("status")).to_have_text("There are no runs yet.")
    expect(host.view.locator("#figure")).to_be_hidden()


def test_a_call_that_was_called_off_is_said(host: Host) -> None:
    host.open()
    host.tell("sendToolCancelled", {"reason": "the user went away"})
    expect(host.view.get_by_role("status")).to_have_text("It was called off: the user went away")


def test_a_tool_that_is_not_there_is_marked(host: Host) -> None:
    bind(host, "Gmail:send_message")
    host.open()
    host.call("design", **POST)
    expect(chip(host, "fetch")).to_have_accessible_name(
        "02 do: Fetch the post. Gmail · search threads. Done by the assistant. Now: no such tool."
    )
    expect(host.view.get_by_role("status")).to_have_text(
        "Not among the connectors that were reported: Gmail:search_threads."
    )
    assert host.view.locator(".st").count() == 1


# --- runs ---------------------------------------------------------------------------------------------------------


def test_each_state_of_a_run_has_a_sign_a_word_and_a_name(host: Host) -> None:
    board_id = held(host)["workflow"]["id"]
    host.open()
    host.call("open", workflowId=board_id)
    expect(chip(host, "fetch").locator(".st.done")).to_have_text("done · 2 items")
    expect(chip(host, "gate").locator(".st.held")).to_have_text("waits for you")
    expect(chip(host, "send").locator(".st.idle")).to_have_text("waiting")
    expect(chip(host, "gate")).to_have_attribute("aria-current", "step")
    expect(chip(host, "gate")).to_have_accessible_name(
        "04 ask you: Let me look. Send it?. Done by you. Now: waits for you."
    )
    expect(host.view.get_by_role("status")).to_have_text("The run waits for you at “Let me look”.")
    assert host.view.locator(".wire.took").count() == 3
    sign = "s => (c => c.clipPath + c.height)(getComputedStyle(document.querySelector(`.st.${s} b`), '::before'))"
    shapes = [host.frame.evaluate(sign, state) for state in ("done", "held", "idle")]
    assert len(set(shapes)) == 3


def test_a_run_that_stopped_says_where_and_why(host: Host) -> None:
    run = started(host)["run"]["id"]
    host.open()
    host.call("step", runId=run, stepId="fetch", error="The post office is shut")
    expect(chip(host, "fetch").locator(".st.failed")).to_have_text("failed")
    expect(chip(host, "send").locator(".st.idle")).to_have_text("not run")
    expect(host.view.get_by_role("status")).to_have_text("The run stopped at “Fetch the post”: The post office is shut")
    chip(host, "fetch").click()
    look = host.view.get_by_role("region", name="The chosen step")
    expect(look.get_by_role("heading")).to_have_text("02 Fetch the post")
    expect(look.locator(".wrong")).to_have_text("The post office is shut")
    colour = "s => getComputedStyle(document.querySelector(s)).backgroundColor"
    assert host.frame.evaluate(colour, "#look .word.failed") == host.frame.evaluate(colour, ".st.failed b")
    expect(look.locator("pre").first).to_contain_text("is:unread")


def test_what_changes_in_a_run_leaves_the_chips_where_they_are(host: Host) -> None:
    run = started(host)["run"]["id"]
    host.open()
    host.call("step", runId=run, stepId="fetch", result=[])
    host.frame.evaluate("document.querySelector('.chip').kept = true")
    chip(host, "write").focus()
    host.tell("sendToolResult", host.ask("step", runId=run, stepId="write", result={"text": "x"}))
    expect(chip(host, "gate").locator(".st.held")).to_be_visible()
    assert host.frame.evaluate("document.querySelector('.chip').kept")
    expect(chip(host, "write")).to_be_focused()


def test_a_run_inside_a_called_workflow_is_at_the_step_that_calls(host: Host) -> None:
    """Also where a step of the other board has the id of one of this."""
    child_id = props(host.ask("design", **POST))["workflow"]["id"]
    caller: Any = [
        {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "call"}]},
        {"id": "call", "type": "flow.call", "title": "See to the post", "next": [{"to": "fetch"}]},
        {"id": "fetch", "type": "note.say", "title": "Say so", "config": {"template": "x"}},
    ]
    caller[1]["config"] = {"workflowId": child_id, "input": {"voice": "warm"}}
    said = started(host, {"name": "Calls", "steps": caller})
    assert said["directive"]["stepId"] == "fetch"
    host.open()
    host.call("open", workflowId=said["workflow"]["id"])
    expect(chip(host, "call")).to_have_attribute("aria-current", "step")
    expect(host.view.get_by_role("status")).to_have_text("The run is at “See to the post”.")
    host.ask("step", runId=said["run"]["id"], stepId="fetch", result=[])
    host.call("step", runId=said["run"]["id"], stepId="write", result={"text": LETTER})
    expect(host.view.get_by_role("textbox")).to_have_value(LETTER)
    expect(host.view.get_by_role("status")).to_have_text("The run waits for you at “See to the post”.")
    host.view.get_by_role("button", name="Approve").click()
    expect(host.view.locator("#gate")).to_be_hidden()


def test_the_chosen_step_stays_chosen_when_the_board_changes(host: Host) -> None:
    host.open()
    board_id = props(host.call("design", **POST))["workflow"]["id"]
    chip(host, "gate").click()
    host.call("patch", workflowId=board_id, ops=[{"op": "remove_step", "stepId": "write"}])
    expect(host.view.locator(".chip")).to_have_count(4)
    expect(chip(host, "gate")).to_have_attribute("aria-pressed", "true")
    expect(host.view.get_by_role("region", name="The chosen step").get_by_role("heading")).to_contain_text(
        "Let me look"
    )
    host.call("patch", workflowId=board_id, ops=[{"op": "remove_step", "stepId": "gate"}])
    expect(host.view.get_by_role("region", name="The chosen step")).to_be_hidden()


# --- the gate -----------------------------------------------------------------------------------------------------


def test_a_person_changes_the_text_and_approves(host: Host) -> None:
    said = held(host)
    host.open()
    host.call("open", workflowId=said["workflow"]["id"])
    gate = host.view.get_by_role("region", name="Send it?")
    box = gate.get_by_role("textbox")
    expect(box).to_have_value(LETTER)
    expect(gate.get_by_role("button", name="Put the text back")).to_be_hidden()
    box.fill("Dear Jo, come in.")
    expect(gate.get_by_role("button", name="Put the text back")).to_be_visible()
    gate.get_by_role("button", name="Approve with my changes").click()
    expect(gate).to_be_hidden()
    expect(chip(host, "gate").locator(".st")).to_contain_text("done")
    expect(chip(host, "send")).to_have_attribute("aria-current", "step")
    (call,) = host.seen["calls"]
    run = said["run"]["id"]
    turn = said["directive"]["turn"]
    assert call == {
        "name": "circuit_answer",
        "arguments": {"runId": run, "decision": "approve", "turn": turn, "edit": "Dear Jo, come in."},
    }
    (message,) = host.seen["messages"]
    assert message["role"] == "user"
    told = message["content"][0]["text"]
    assert told.startswith(f"I approved on the board what run {run} waited for.")
    assert "Let me look" not in told  # what a board says is no word of the person
    (context,) = host.seen["contexts"]
    assert "--- do this next ---" in context["content"][0]["text"]
    now = props(host.ask("open", workflowId=said["workflow"]["id"]))["directive"]
    assert now["arguments"] == {"body": "Dear Jo, come in."}


def test_a_text_that_is_put_back_is_approved_as_it_was(host: Host) -> None:
    said = held(host)
    host.open()
    host.call("open", workflowId=said["workflow"]["id"])
    box = host.view.get_by_role("textbox")
    box.fill("no")
    host.view.get_by_role("button", name="Put the text back").click()
    expect(box).to_have_value(LETTER)
    expect(box).to_be_focused()
    host.view.get_by_role("button", name="Approve", exact=True).click()
    expect(host.view.locator("#gate")).to_be_hidden()
    assert "edit" not in host.seen["calls"][0]["arguments"]
    assert props(host.ask("open", workflowId=said["workflow"]["id"]))["directive"]["arguments"] == {"body": LETTER}


def test_a_person_rejects(host: Host) -> None:
    said = held(host)
    host.open()
    host.call("open", workflowId=said["workflow"]["id"])
    host.view.get_by_role("button", name="Reject").click()
    expect(host.view.get_by_role("status")).to_have_text("The run ended: it was rejected.")
    expect(host.view.locator("#gate")).to_be_hidden()
    assert "I rejected on the board" in host.seen["messages"][0]["content"][0]["text"]
    assert props(host.ask("open", workflowId=said["workflow"]["id"]))["run"]["status"] == "cancelled"


def test_an_answer_that_comes_too_late_is_said_and_told_to_nobody(host: Host) -> None:
    said = held(host)
    host.open()
    host.call("open", workflowId=said["workflow"]["id"])
    host.ask("answer", runId=said["run"]["id"], decision="reject")
    host.view.get_by_role("button", name="Approve").click()
    expect(host.view.get_by_role("alert")).to_contain_text("No gate of this run waits")
    assert host.seen["messages"] == host.seen["contexts"] == []
    expect(host.view.get_by_role("button", name="Approve")).to_be_enabled()


GATES: Any = {
    "name": "Two letters",
    "steps": [
        {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "each"}]},
        {"id": "each", "type": "logic.each", "title": "Each", "config": {"list": "trigger.letters"}},
        {"id": "gate", "type": "gate.approve", "title": "Look", "config": {"question": "Send it?", "preview": "item"}},
    ],
}
GATES["steps"][1]["next"] = [{"port": "out", "to": "gate"}]


def test_an_answer_to_a_question_that_was_answered_before_is_not_taken_for_the_next(host: Host) -> None:
    board_id = props(host.ask("design", **GATES))["workflow"]["id"]
    said = props(host.ask("run", workflowId=board_id, trigger={"letters": ["Dear Jo", "Dear Kim"]}))
    host.open()
    host.call("open", workflowId=board_id)
    expect(host.view.get_by_role("textbox")).to_have_value("Dear Jo")
    host.ask("answer", runId=said["run"]["id"], decision="approve")
    host.view.get_by_role("button", name="Approve").click()
    expect(host.view.get_by_role("alert")).to_contain_text("Nothing was changed")
    expect(host.view.get_by_role("textbox")).to_have_value("Dear Kim")
    assert host.seen["messages"] == []
    host.view.get_by_role("button", name="Approve").click()
    expect(host.view.get_by_role("status")).to_have_text("The run is done.")
    expect(host.view.get_by_role("alert")).to_be_hidden()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("result.structuredContent.late = true", "Somebody else answered first"),
        ("for (const key of Object.keys(result)) delete result[key]; result.content = []", "Nothing came back"),
        ("throw new Error('the line is dead')", "Your answer did not arrive: the line is dead"),
    ],
    ids=["late", "empty", "broken"],
)
def test_an_answer_that_was_not_taken_is_never_said_to_be_given(host: Host, change: str, words: str) -> None:
    said = held(host)
    host.open()
    host.call("open", workflowId=said["workflow"]["id"])
    host.run(
        f"""() => {{
          const {{ client }} = host;
          const real = client.request.bind(client);
          client.request = async (request, ...more) => {{
            const result = await real(request, ...more);
            {change};
            return result;
          }};
        }}"""
    )
    try:
        host.view.get_by_role("button", name="Approve").click()
        expect(host.view.get_by_role("alert")).to_contain_text(words)
        assert host.seen["messages"] == host.seen["contexts"] == []
    finally:
        host.run("() => delete host.client.request")


def test_an_edit_that_cannot_be_written_is_asked_about_once_more(host: Host) -> None:
    steps: Any = [dict(step) for step in POST["steps"]]  # type: ignore[attr-defined]
    steps[3]["config"] = {"preview": "input.voice", "question": "Send it?"}
    run = started(host, {**POST, "steps": steps})
    host.ask("step", runId=run["run"]["id"], stepId="fetch", result=[])
    host.open()
    host.call("step", runId=run["run"]["id"], stepId="write", result={"text": "x"})
    host.view.get_by_role("textbox").fill("cold")
    host.view.get_by_role("button", name="Approve with my changes").click()
    expect(host.view.locator("#note")).to_contain_text("The edit cannot be written")
    expect(host.view.get_by_role("textbox")).to_have_value("warm")
    assert host.seen["messages"] == []
    host.view.get_by_role("button", name="Approve", exact=True).click()
    expect(host.view.locator("#gate")).to_be_hidden()
    assert len(host.seen["messages"]) == 1


def test_a_host_that_passes_no_calls_on_has_the_gate_answered_in_the_conversation(host: Host) -> None:
    said = held(host)
    host.open({}, message={})
    host.call("open", workflowId=said["workflow"]["id"])
    expect(host.view.get_by_text("Answer it in the conversation")).to_be_visible()
    expect(host.view.get_by_role("button", name="Approve")).to_be_hidden()
    expect(host.view.get_by_role("textbox")).to_have_attribute("readonly", "")


def test_where_only_the_board_answers_gates_it_does(browser: Browser, script: Path, tmp_path: Path) -> None:
    rules = ("--http", "--port", "0", "--store", str(tmp_path / "b.db"), "--gate-answers", "board")
    with listening(tmp_path, "circuit_export", "serve", *rules) as url, hosting(browser, script, url) as host:
        tools = {tool["name"]: tool for tool in host.connect(url)}
        assert tools["circuit_answer"]["_meta"]["ui"]["visibility"] == ["app"]
        said = held(host)
        refused = host.ask("step", runId=said["run"]["id"], stepId="gate", result="approve")
        assert refused["isError"]
        host.open()
        host.call("open", workflowId=said["workflow"]["id"])
        host.view.get_by_role("button", name="Approve").click()
        expect(host.view.get_by_role("status")).to_have_text("The run is at “Send it”.")


# --- for whom -----------------------------------------------------------------------------------------------------


def test_the_keyboard_goes_about_the_board(host: Host) -> None:
    host.open()
    host.call("design", **TRIAGE)
    first = chip(host, "new-mail")
    first.focus()
    assert host.view.locator('.chip[tabindex="0"]').count() == 1
    for key, step in (
        ("ArrowRight", "each-thread"),
        ("ArrowRight", "kind"),
        ("End", "recap"),
        ("Home", "new-mail"),
        ("ArrowLeft", "new-mail"),
    ):
        host.window.keyboard.press(key)
        expect(chip(host, step)).to_be_focused()
        assert host.frame.evaluate(
            "(r => r.left >= 0 && r.right <= innerWidth)(document.activeElement.getBoundingClientRect())"
        )
    host.window.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    look = host.view.get_by_role("region", name="The chosen step")
    look.get_by_role("button", name="Every conversation").click()
    expect(chip(host, "each-thread")).to_be_focused()
    expect(look.get_by_role("heading")).to_have_text("02 Every conversation")
    host.window.keyboard.press("Escape")
    expect(look).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_wears_the_hosts_scheme_and_changes_with_it(host: Host, theme: str) -> None:
    colours = load_theme("copper")
    both = {"light": colours.light, "dark": colours.dark}
    ground = "getComputedStyle(document.documentElement).getPropertyValue('--ground')"
    host.open({"theme": theme})
    host.call("design", **POST)
    assert host.frame.evaluate(ground) == both[theme]["ground"]
    other = "dark" if theme == "light" else "light"
    host.tell("sendHostContextChange", {"theme": other})
    host.frame.wait_for_function(f"{ground} === '{both[other]['ground']}'")
    assert host.frame.evaluate("getComputedStyle(document.documentElement).colorScheme") == other


def test_it_takes_a_hosts_colours_all_or_none(host: Host) -> None:
    page = "getComputedStyle(document.body).backgroundColor"
    host.open({"styles": {"variables": {"--color-background-primary": "rgb(1, 2, 3)"}}})
    assert host.frame.evaluate(page) != "rgb(1, 2, 3)"
    names = ("background-primary", "background-secondary", "text-primary", "text-secondary", "border-primary")
    variables = {f"--color-{name}": f"rgb({number}, 2, 3)" for number, name in enumerate(names, 1)}
    host.tell("sendHostContextChange", {"styles": {"variables": {**variables, "--font-sans": "Georgia"}}})
    host.frame.wait_for_function(f"{page} === 'rgb(1, 2, 3)'")
    assert host.frame.evaluate("getComputedStyle(document.body).color") == "rgb(3, 2, 3)"
    assert host.frame.evaluate("getComputedStyle(document.body).fontFamily") == "Georgia"
    host.call("design", **POST)
    expect(host.view.locator(".chip")).to_have_count(5)
    assert "Georgia" not in host.frame.evaluate("getComputedStyle(document.querySelector('.chip .title')).fontFamily")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_stands_in_anybodys_way(host: Host, theme: str) -> None:
    said = held(host)
    host.open({"theme": theme})
    host.call("open", workflowId=said["workflow"]["id"])
    chip(host, "write").click()
    expect(host.view.get_by_role("region", name="The chosen step")).to_be_visible()
    assert violations(host.frame) == []  # type: ignore[arg-type]


def test_a_narrow_host_scrolls_the_board_alone(browser: Browser, served: Served) -> None:
    with joined(browser, served, viewport={"width": 320, "height": 800}) as host:
        said = held(host, "A very long letter. " * 60)
        host.open()
        host.call("open", workflowId=said["workflow"]["id"])
        expect(chip(host, "gate")).to_be_visible()
        chip(host, "gate").click()
        assert host.frame.evaluate("document.documentElement.scrollWidth") <= 320
        assert host.frame.evaluate(CUT) == []
        box = chip(host, "gate").bounding_box()
        assert box is not None
        assert box["x"] >= 0  # where the run waits is in sight
        assert box["x"] + box["width"] <= 320


def test_a_wide_board_fits_when_that_is_wanted(host: Host) -> None:
    host.open()
    host.call("design", **TRIAGE)
    fit = host.view.get_by_role("button", name="Fit")
    over = "(s => [s.scrollWidth - s.clientWidth, s.scrollHeight - s.clientHeight])(document.querySelector('#scroll'))"
    assert max(host.frame.evaluate(over)) > 0
    fit.click()
    expect(fit).to_have_attribute("aria-pressed", "true")
    assert host.frame.evaluate(over) == [0, 0]
    host.view.get_by_role("button", name="Larger").click()
    expect(fit).to_have_attribute("aria-pressed", "false")
    fit.click()
    fit.click()
    assert host.frame.evaluate("document.querySelector('#board').style.transform") == ""


def test_the_whole_screen_is_asked_for_only_where_there_is_one(host: Host) -> None:
    host.open()
    host.call("design", **POST)
    expect(host.view.get_by_role("button", name="Full screen")).to_be_hidden()
    host.open({"availableDisplayModes": ["inline", "fullscreen"], "containerDimensions": {"maxHeight": 500}})
    host.call("design", **TRIAGE)
    host.view.get_by_role("button", name="Full screen").click()
    expect(host.view.get_by_role("button", name="Close")).to_be_visible()
    assert host.seen["modes"] == ["fullscreen"]
    host.view.get_by_role("button", name="Close").click()
    expect(host.view.get_by_role("button", name="Full screen")).to_be_visible()


def test_a_host_with_a_width_of_its_own_to_give_is_asked_for_one(host: Host) -> None:
    host.open({"containerDimensions": {"maxWidth": 600}})
    host.call("design", **POST)
    host.window.wait_for_function("host.seen.sizes.at(-1)?.width === 600")


def test_it_answers_the_host_and_refuses_what_it_does_not_know(host: Host) -> None:
    host.open()
    assert host.run("() => host.bridge.teardownResource({})") == {}
    asked = "() => host.bridge.request({ method: 'tools/list', params: {} }).catch(error => String(error.message))"
    assert "no tools/list" in host.run(asked)


def test_no_text_of_a_board_a_run_or_a_host_runs(host: Host) -> None:
    steps: Any = [dict(step) for step in POST["steps"]]  # type: ignore[attr-defined]
    for step in steps:
        step["title"] = HOSTILE
    steps[3]["config"] = {"preview": "steps.write.text", "question": HOSTILE}
    steps[1]["config"] = {"tool": f"Evil:{HOSTILE}", "arguments": {HOSTILE: HOSTILE}}
    board = {**POST, "name": HOSTILE, "description": HOSTILE, "steps": steps}
    host.open({"styles": {"variables": {"--font-sans": HOSTILE}}})
    host.tell("sendToolInputPartial", {"arguments": board})
    run = started(host, board)
    host.ask("step", runId=run["run"]["id"], stepId="fetch", result={HOSTILE: HOSTILE})
    host.call("step", runId=run["run"]["id"], stepId="write", result={"text": HOSTILE})
    expect(host.view.get_by_role("textbox")).to_have_value(HOSTILE)
    expect(host.view.locator("#name")).to_have_text(HOSTILE)
    chip(host, "fetch").click()
    expect(host.view.locator("#look pre").first).to_contain_text("onerror=alert(1)")
    host.tell("sendToolCancelled", {"reason": HOSTILE})
    host.tell("sendToolResult", {"isError": True, "content": [{"type": "text", "text": HOSTILE}]})
    expect(host.view.get_by_role("alert")).to_have_text(HOSTILE)
    assert host.frame.evaluate("document.querySelectorAll('img, script ~ script, main script, main style').length") == 0


def test_messages_from_another_window_are_not_heard(host: Host) -> None:
    host.open()
    host.call("design", **POST)
    forged = {"jsonrpc": "2.0", "method": "ui/notifications/tool-cancelled", "params": {"reason": "forged"}}
    host.frame.evaluate("message => window.postMessage(message, '*')", forged)
    host.tell("sendToolCancelled", {"reason": "real"})
    expect(host.view.get_by_role("status")).to_have_text("It was called off: real")


def test_a_large_board_is_whole(host: Host) -> None:
    many: Any = [
        {"id": f"s{n}", "type": "note.say", "title": f"Step {n}", "config": {"template": "x"}} for n in range(60)
    ]
    for n in range(1, 60):
        many[(n - 1) // 2].setdefault("next", []).append({"port": "out", "to": f"s{n}"})
    host.open()
    host.call("design", name="Sixty", steps=many)
    expect(host.view.locator(".chip")).to_have_count(60)
    expect(host.view.locator(".wire")).to_have_count(59)
    host.frame.evaluate(SIZED)
    assert host.frame.evaluate(STRAYS) == []
