"""Tools of the conformance suite that ask the client for something before they answer, as the newest era has it."""

import json
from collections.abc import Mapping

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.shared.exceptions import MCPError
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)


def form(message: str, name: str, kind: str = "string") -> ElicitRequest:
    """Asks the user for one value."""
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def model(prompt: str) -> CreateMessageRequest:
    """Asks the client's model."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=100))


NAME = form("What is your name?", "name")
CONFIRM = form("Please confirm", "ok", "boolean")


def asked(requests: Mapping[str, InputRequest], state: str | None = None) -> InputRequiredResult:
    return InputRequiredResult(input_requests=dict(requests), request_state=state)


def answered(context: Context, *names: str) -> bool:
    """Did the client answer all of these?"""
    responses = context.input_responses or {}
    return all(name in responses for name in names)


def told(context: Context) -> str:
    """What the client answered."""
    responses = context.input_responses or {}
    return json.dumps({name: value.model_dump(mode="json") for name, value in responses.items()})


def once(server: MCPServer, name: str, about: str, requests: Mapping[str, InputRequest], state: str | None) -> None:
    """A tool that asks once; with a state, the client has to bring it back."""

    async def tool(context: Context) -> str | InputRequiredResult:
        if answered(context, *requests) and context.request_state == state:
            return f"state-ok: {told(context)}" if state else told(context)
        return asked(requests, state)

    server.add_tool(tool, name=f"test_input_required_result_{name}", description=about)


def add_inputs(server: MCPServer) -> None:
    """Adds them all to a server."""
    roots = {"client_roots": ListRootsRequest()}
    once(server, "elicitation", "Asks for a name.", {"user_name": NAME}, None)
    once(server, "sampling", "Asks the model.", {"capital_question": model("What is the capital of France?")}, None)
    once(server, "list_roots", "Asks for the roots.", roots, None)
    once(server, "request_state", "Asks, and wants its state back.", {"confirm": CONFIRM}, "request-state")
    once(server, "tampered_state", "Wants its state back as it was.", {"confirm": CONFIRM}, "tampered-state")
    everything = {"user_name": NAME, "greeting": model("Generate a greeting"), **roots}
    once(server, "multiple_inputs", "Asks for three things at once.", everything, "multiple-inputs")
    _add_rounds(server)
    _add_capabilities(server)
    _add_prompt(server)


def _add_rounds(server: MCPServer) -> None:
    @server.tool()
    async def test_input_required_result_multi_round(context: Context) -> str | InputRequiredResult:
        """Asks twice, one after the other."""
        if context.request_state == "second" and answered(context, "step2"):
            return told(context)
        if context.request_state == "first" and answered(context, "step1"):
            return asked({"step2": form("Step 2: What is your favorite color?", "color")}, "second")
        return asked({"step1": form("Step 1: What is your name?", "name")}, "first")


def _add_capabilities(server: MCPServer) -> None:
    @server.tool()
    async def test_input_required_result_capabilities(context: Context) -> str | InputRequiredResult:
        """Asks for what the client can answer."""
        can = context.client_capabilities
        requests: dict[str, InputRequest] = {}
        if can is not None and can.elicitation is not None:
            requests["form"] = NAME
        if can is not None and can.sampling is not None:
            requests["model"] = model("Say something.")
        return told(context) if not requests or answered(context, *requests) else asked(requests)

    @server.tool()
    async def test_streaming_elicitation(context: Context) -> str | InputRequiredResult:
        """Asks in its answer, never by a request of its own."""
        return told(context) if answered(context, "user_name") else asked({"user_name": NAME})

    @server.tool()
    async def test_missing_capability(context: Context) -> str:
        """Needs a client whose model may be asked."""
        can = context.client_capabilities
        if can is None or can.sampling is None:
            raise MCPError(
                MISSING_REQUIRED_CLIENT_CAPABILITY,
                "The client's model may not be asked",
                {"requiredCapabilities": {"sampling": {}}},
            )
        return "The client's model may be asked."


def _add_prompt(server: MCPServer) -> None:
    @server.prompt()
    async def test_input_required_result_prompt(context: Context) -> list[UserMessage] | InputRequiredResult:
        """Asks before it says anything."""
        if not answered(context, "user_context"):
            return asked({"user_context": form("What context should the prompt use?", "context")})
        return [UserMessage(content=TextContent(type="text", text=told(context)))]
