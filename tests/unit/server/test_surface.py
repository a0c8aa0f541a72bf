"""What a client sees before it calls anything."""

import json
import subprocess
import sys
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.types import Tool
from support.serving import Session, talk

from circuit_export.server.app import make_server
from circuit_export.server.desk import Desk, Rules
from circuit_export.server.tools import TOOLS
from circuit_export.store.memory import MemoryStore

# A tool a line: its name, its title, who sees the view it has (- for a tool without one, all when nothing is said of
# whom), its hints (r changes nothing, d may take something away, i twice is as once, o reaches outside), and what it
# takes: ! for what has to be given, = before what it is when it is not.
TABLE = """
catalog     | List the step kit                 | -         | ri |
list        | List workflows                    | -         | ri |
bind        | Report the connectors you have    | -         | i  | tools!
tools       | Show the connectors on file       | -         | ri |
design      | Design a workflow                 | all      | d  | name! steps! workflowId description="" entry inputs=[]
open        | Open a workflow                   | all       | ri | workflowId!
patch       | Edit a workflow                   | all       | d  | workflowId! ops!
export      | Save a workflow the user can keep | -         | ri | workflowId!
import      | Rebuild a saved workflow          | all       |    | source! name
run         | Start a run                       | all       |    | workflowId! mode="live" trigger input={}
step        | Report a step and get the next one | all       |   | runId! stepId! result error results errors turn
resume      | Pick up a failed run              | app model |    | runId! skip=false input
runs        | Show recent runs                  | all       | ri | workflowId limit=10
arm         | Mark a workflow live              | all       | di | workflowId! force=false
disarm      | Take a workflow off live          | all       | i  | workflowId!
scheduled   | Record the scheduled task         | all       | i  | workflowId! taskId!
health      | Is anything quietly dead?         | -         | ri |
move        | Move a chip                       | app       | i  | workflowId! stepId! col! lane!
set_enabled | Mute or unmute a chip             | app model | i  | workflowId! stepId! enabled!
wire        | Connect two chips                 | app model | i  | workflowId! from! to! port="out"
unwire      | Cut a wire                        | app model | d  | workflowId! from! to! port
rename      | Rename a workflow                 | app model | i  | workflowId! name!
answer      | Answer a held gate from the board | app model |    | runId! decision! edit turn
validate    | Find what is wrong with a workflow | -        | ri | workflowId source
trace       | Play a workflow's scenarios       | -         | ri | workflowId! scenarios golden
delete      | Delete a workflow                 | -         | d  | workflowId! force=false
diff        | Say what changed                  | -         | ri | workflowId from to before after
"""
ROWS = [tuple(cell.strip() for cell in line.split("|")) for line in TABLE.strip().splitlines()]
VIEW = "ui://circuit/board.html"

# What lies deeper in what some tools take, as a path: of a list its items, of one of several shapes its `op`.
INSIDE = {
    "bind tools": "name! hint",
    "design steps": "id! type! title! config next onError enabled=true position",
    "design steps next": 'to! port="out"',
    "design steps onError": "do! attempts port",
    "design steps position": "col! lane!",
    "design inputs": "name! description required=true default",
    "patch ops add_step": 'op! step! after port="out"',
    "patch ops remove_step": "op! stepId!",
    "patch ops update_step": "op! stepId! title config",
    "patch ops connect": 'op! from! to! port="out"',
    "patch ops disconnect": "op! from! to! port",
}


def takes(schema: Any) -> str:
    """What an object of a schema holds, as the table says it."""
    required = schema.get("required", [])
    assert set(required) <= set(schema["properties"])
    return " ".join(
        f"{name}!" if name in required else f"{name}={json.dumps(about['default'])}" if "default" in about else name
        for name, about in schema["properties"].items()
    )


def inside(schema: Any, path: str) -> Any:
    """The schema of what lies at a path."""
    for name in path.split():
        shapes = {shape["properties"]["op"]["const"]: shape for shape in schema.get("oneOf", ())}
        schema = shapes[name] if shapes else schema["properties"][name]
        schema = schema.get("items", schema)
    return schema


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_tool_is_what_the_table_says(row: tuple[str, ...]) -> None:
    name, title, seen, hints, arguments = row

    async def script(session: Session) -> Tool:
        return next(tool for tool in (await session.client.list_tools()).tools if tool.name == f"circuit_{name}")

    tool = talk(script)
    assert tool.title == title
    assert takes(tool.input_schema) == arguments
    said = tool.annotations
    assert said is not None
    assert said.title == title
    flags = (said.read_only_hint, said.destructive_hint, said.idempotent_hint, said.open_world_hint)
    assert {False, True} >= set(flags)  # each is said
    assert "".join(letter for letter, flag in zip("rdio", flags, strict=True) if flag) == hints
    view = {"resourceUri": VIEW} | ({"visibility": seen.split()} if seen != "all" else {})
    assert tool.meta == (None if seen == "-" else {"ui": view, "ui/resourceUri": VIEW})


def test_there_is_no_other_tool() -> None:
    async def script(session: Session) -> list[str]:
        return [tool.name for tool in (await session.client.list_tools()).tools]

    assert sorted(talk(script)) == sorted(f"circuit_{row[0]}" for row in ROWS)
    assert len(TOOLS) == 27


@pytest.mark.parametrize(("path", "held"), INSIDE.items(), ids=list(INSIDE))
def test_what_lies_deeper_is_said_too(path: str, held: str) -> None:
    tool, _, rest = path.partition(" ")
    (spec,) = (spec for spec in TOOLS if spec.name == f"circuit_{tool}")
    assert takes(inside(spec.schema, rest)) == held


def test_choices_and_the_least_of_a_list_are_said() -> None:
    schemas = {spec.name.removeprefix("circuit_"): spec.schema["properties"] for spec in TOOLS}
    assert schemas["run"]["mode"]["enum"] == ["test", "live"]
    assert (schemas["runs"]["limit"]["minimum"], schemas["runs"]["limit"]["maximum"]) == (1, 100)
    assert schemas["answer"]["decision"]["enum"] == ["approve", "reject"]
    for tool, name in (("bind", "tools"), ("design", "steps"), ("patch", "ops")):
        assert schemas[tool][name]["minItems"] == 1
    assert len(inside({"properties": schemas["design"]}, "steps")["properties"]["type"]["enum"]) == 14


def test_only_a_server_that_fetches_reaches_outside() -> None:
    async def script(session: Session) -> list[str]:
        tools = (await session.client.list_tools()).tools
        return [tool.name for tool in tools if tool.annotations and tool.annotations.open_world_hint]

    assert talk(script) == []
    assert talk(script, rules=Rules(allow_fetch=True)) == ["circuit_import"]


def test_every_tool_says_what_it_does_and_takes() -> None:
    for spec in TOOLS:
        assert spec.about
        Draft202012Validator.check_schema(spec.schema)
        for about in spec.schema["properties"].values():
            assert about.get("description"), spec.name


def test_no_tool_promises_a_shape_of_what_it_answers() -> None:
    async def script(session: Session) -> None:
        assert all(tool.output_schema is None for tool in (await session.client.list_tools()).tools)

    talk(script)


def test_who_may_answer_a_gate_sees_the_tool_for_it() -> None:
    async def script(session: Session) -> object:
        tools = (await session.client.list_tools()).tools
        return next(tool.meta for tool in tools if tool.name == "circuit_answer")

    view = {"resourceUri": VIEW, "visibility": ["app"]}
    assert talk(script, rules=Rules(gate_answers="board")) == {"ui": view, "ui/resourceUri": VIEW}


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
        assert all(argument.description and argument.required for one in prompts for argument in one.arguments or ())
        assert [[argument.name for argument in one.arguments or ()] for one in prompts] == [
            ["what"],
            ["workflowId"],
            ["workflowId"],
            [],
        ]
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


def test_a_tool_that_there_is_not_is_said_with_the_one_that_was_meant() -> None:
    async def script(session: Session) -> None:
        assert await session.bad("lst") == "Unknown tool: circuit_lst; did you mean circuit_list?"
        assert await session.bad("x\ny") == "Unknown tool: circuit_x y"
        assert len(await session.bad("z" * 10_000)) < 300

    talk(script)
