"""What a client sees before it calls anything."""

import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from support.serving import Session, talk

from circuit_export.server.app import make_server
from circuit_export.server.desk import Desk, Rules
from circuit_export.server.tools import TOOLS
from circuit_export.store.memory import MemoryStore

TITLES = {
    "circuit_catalog": "List the step kit",
    "circuit_list": "List workflows",
    "circuit_bind": "Report the connectors you have",
    "circuit_tools": "Show the connectors on file",
    "circuit_design": "Design a workflow",
    "circuit_open": "Open a workflow",
    "circuit_patch": "Edit a workflow",
    "circuit_export": "Save a workflow the user can keep",
    "circuit_import": "Rebuild a saved workflow",
    "circuit_run": "Start a run",
    "circuit_step": "Report a step and get the next one",
    "circuit_resume": "Pick up a failed run",
    "circuit_runs": "Show recent runs",
    "circuit_arm": "Mark a workflow live",
    "circuit_disarm": "Take a workflow off live",
    "circuit_scheduled": "Record the scheduled task",
    "circuit_health": "Is anything quietly dead?",
    "circuit_move": "Move a chip",
    "circuit_set_enabled": "Mute or unmute a chip",
    "circuit_wire": "Connect two chips",
    "circuit_unwire": "Cut a wire",
    "circuit_rename": "Rename a workflow",
    "circuit_answer": "Answer a held gate from the board",
}
OURS = {"circuit_validate", "circuit_trace", "circuit_delete", "circuit_diff"}
WITHOUT_A_BOARD = OURS | {f"circuit_{name}" for name in ("catalog", "list", "bind", "tools", "export", "health")}
READING = {"catalog", "list", "tools", "open", "export", "runs", "health", "validate", "trace", "diff"}


def test_every_tool_is_there_by_its_name_and_title() -> None:
    async def script(session: Session) -> dict[str, str | None]:
        return {tool.name: tool.title for tool in (await session.client.list_tools()).tools}

    found = talk(script)
    assert set(found) == set(TITLES) | OURS
    assert {name: found[name] for name in TITLES} == TITLES


def test_every_tool_says_what_it_does_and_what_it_may_do() -> None:
    async def script(session: Session) -> None:
        for tool in (await session.client.list_tools()).tools:
            assert tool.description
            assert tool.output_schema is None
            Draft202012Validator.check_schema(tool.input_schema)
            hints = tool.annotations
            assert hints is not None
            assert hints.read_only_hint is (tool.name.removeprefix("circuit_") in READING)
            assert not (hints.read_only_hint and hints.destructive_hint)
            assert None not in (hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
            for about in tool.input_schema["properties"].values():
                assert about.get("description") or about.get("enum") or about.get("const"), tool.name

    talk(script)


@pytest.mark.parametrize(
    ("gate_answers", "visible"), [("any", ["app", "model"]), ("board", ["app"])], ids=["any", "board"]
)
def test_who_sees_a_tool(gate_answers: str, visible: list[str]) -> None:
    async def script(session: Session) -> dict[str, object]:
        return {tool.name: tool.meta for tool in (await session.client.list_tools()).tools}

    uri = "ui://circuit/board.html"
    found = talk(script, rules=Rules(gate_answers=gate_answers))
    assert found["circuit_move"] == {"ui": {"resourceUri": uri, "visibility": ["app"]}, "ui/resourceUri": uri}
    assert found["circuit_wire"] == {"ui": {"resourceUri": uri, "visibility": ["app", "model"]}, "ui/resourceUri": uri}
    assert found["circuit_answer"] == {"ui": {"resourceUri": uri, "visibility": visible}, "ui/resourceUri": uri}
    assert found["circuit_design"] == {"ui": {"resourceUri": uri}, "ui/resourceUri": uri}
    assert {name for name, meta in found.items() if meta is None} == WITHOUT_A_BOARD


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_it_introduces_itself_in_every_era(mode: str) -> None:
    async def script(session: Session) -> None:
        async with Client(make_server(session.desk), mode=mode) as client:  # type: ignore[arg-type]
            assert client.server_info.name == "circuit"
            assert client.server_info.title == "Circuit"
            assert client.instructions is not None
            assert "circuit_catalog once" in client.instructions
            capabilities = client.server_capabilities
            for offered in (capabilities.tools, capabilities.resources, capabilities.prompts):
                assert offered is not None
                assert not offered.list_changed
            assert capabilities.completions is not None
            assert len((await client.list_tools()).tools) == len(TOOLS)

    talk(script)


def test_prompts_have_descriptions_and_one_message() -> None:
    async def script(session: Session) -> None:
        prompts = (await session.client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == ["circuit-build", "circuit-open", "circuit-save", "circuit-check"]
        assert all(prompt.description for prompt in prompts)
        for name, arguments, word in (
            ("circuit-build", {"what": "answer my mail"}, "answer my mail"),
            ("circuit-open", {"workflowId": "wf_1"}, "wf_1"),
            ("circuit-save", {"workflowId": "wf_2"}, "circuit_export"),
            ("circuit-check", {}, "circuit_health"),
        ):
            (message,) = (await session.client.get_prompt(name, arguments)).messages
            assert message.role == "user"
            assert message.content.type == "text"
            assert word in message.content.text

    talk(script)


def test_the_command_line_does_not_import_the_sdk() -> None:
    check = "import sys, circuit_export.cli.serve; sys.exit('mcp' in sys.modules or 'pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_what_goes_wrong_inside_is_answered_and_logged_without_what_was_in_the_call(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(MemoryStore(), "local")

    async def broken(*_: object) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr(desk.store, "list_boards", broken)

    async def script(session: Session) -> str:
        text = await session.bad("list")
        assert not (await session.call("catalog")).failed
        return text

    text = talk(script, desk=desk)
    assert "fault of the server" in text
    assert "secret" not in text + caplog.text
    assert "circuit_list failed: RuntimeError" in caplog.text
