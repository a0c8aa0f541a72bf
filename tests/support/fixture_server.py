"""The product's server with what the official conformance suite asks of any server: run as a program, over HTTP.

The suite calls tools, resources and prompts by names of its own. They are added to the server that the product's
factory makes, and served by the product's web application; unlike the product it keeps sessions, for the suite wants
a server that asks its client something in the middle of a call.
"""

import asyncio
import base64
import json
import sys
import warnings
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.types import (
    AudioContent,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    JSONRPCMessage,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)

from circuit_export.diagnostics import CircuitError
from circuit_export.server.answers import Answer
from circuit_export.server.app import make_server
from circuit_export.server.arguments import Arguments
from circuit_export.server.desk import Desk
from circuit_export.server.http import PATH, Listening, listen, web_app
from circuit_export.server.schemas import takes, text
from circuit_export.server.tools import TOOLS
from circuit_export.server.tools.spec import Spec
from circuit_export.store.memory import MemoryStore
from support.fixture_inputs import add_inputs

RETRY = 100
"""Milliseconds after which a client whose stream was closed comes back."""

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="

# --- tools of our own kind ---------------------------------------------------------------------------------------


async def _simple(desk: Desk, given: Arguments) -> Answer:
    return Answer("This is a simple text response for testing.")


async def _failing(desk: Desk, given: Arguments) -> Answer:
    raise CircuitError("This tool intentionally returns an error for testing")


async def _echo(desk: Desk, given: Arguments) -> Answer:
    return Answer(json.dumps(given.given))


SCHEMA_2020 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
IN_HEADER = takes({"region": {**text("Also said in a header."), "x-mcp-header": "Region"}})

SPECS = (
    Spec("test_simple_text", "Text", "Answers with a text.", _simple),
    Spec("test_error_handling", "Failure", "Always fails.", _failing),
    Spec("json_schema_2020_12_tool", "Schema", "Has a schema of many keywords.", _echo, SCHEMA_2020),
    Spec("test_header_argument", "Header", "Takes an argument that a header repeats.", _echo, IN_HEADER),
)

# --- tools that answer with more than text -----------------------------------------------------------------------


def _embedded(uri: str, mime_type: str, content: str) -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=mime_type, text=content))


def _image() -> ImageContent:
    return ImageContent(type="image", data=PIXEL, mime_type="image/png")


def _add_contents(server: MCPServer) -> None:
    @server.tool()
    def test_image_content() -> list[ImageContent]:
        """Answers with an image."""
        return [_image()]

    @server.tool()
    def test_audio_content() -> list[AudioContent]:
        """Answers with a sound."""
        return [AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")]

    @server.tool()
    def test_embedded_resource() -> list[EmbeddedResource]:
        """Answers with a resource."""
        return [_embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]

    @server.tool()
    def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
        """Answers with a text, an image and a resource."""
        value = json.dumps({"test": "data", "value": 123})
        return [
            TextContent(type="text", text="Multiple content types test:"),
            _image(),
            _embedded("test://mixed-content-resource", "application/json", value),
        ]


# --- tools that talk while they work -----------------------------------------------------------------------------


def _add_talkers(server: MCPServer) -> None:
    @server.tool()
    async def test_tool_with_logging(context: Context) -> str:
        """Logs while it works."""
        for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await context.info(said)
        return "Three things were logged."

    @server.tool()
    async def test_logging_tool(context: Context) -> str:
        """Logs once, if the request wants to know."""
        await context.info("This is logged.")
        return "One thing was logged."

    @server.tool()
    async def test_tool_with_progress(context: Context) -> str:
        """Says how far it is."""
        for done in (0, 50, 100):
            await context.report_progress(done, 100, f"{done} of 100")
        return "It is all done."

    @server.tool()
    async def test_reconnection(context: Context) -> str:
        """Closes the stream in the middle; the client has to come back for the rest."""
        await context.close_sse_stream()
        return "Here is the rest."

    @server.tool()
    async def test_sampling(prompt: str, context: Context) -> str:
        """Lets the client's model say something."""
        message = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
        said = await context.session.create_message(
            messages=[message], max_tokens=100, related_request_id=context.request_id
        )
        return f"LLM response: {said.content}"

    async def ask(context: Context, message: str, properties: dict[str, Any], required: list[str]) -> str:
        schema = {"type": "object", "properties": properties, "required": required}
        said = await context.session.elicit_form(message, schema, context.request_id)
        return f"action={said.action}, content={json.dumps(said.content)}"

    @server.tool()
    async def test_elicitation(message: str, context: Context) -> str:
        """Asks the user for two texts."""
        properties = {name: {"type": "string"} for name in ("username", "email")}
        return f"User response: {await ask(context, message, properties, list(properties))}"

    @server.tool()
    async def test_elicitation_sep1034_defaults(context: Context) -> str:
        """Asks for one value of each kind, each with a default."""
        return f"Elicitation completed: {await ask(context, 'Who is it?', DEFAULTS, [])}"

    @server.tool()
    async def test_elicitation_sep1330_enums(context: Context) -> str:
        """Asks for a choice in each of the ways that there are."""
        return f"Elicitation completed: {await ask(context, 'Which?', CHOICES, [])}"


DEFAULTS: dict[str, Any] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
_WORDS = ["option1", "option2", "option3"]
_TITLED = [{"const": word, "title": word.capitalize()} for word in _WORDS]
CHOICES: dict[str, Any] = {
    "untitledSingle": {"type": "string", "enum": _WORDS},
    "titledSingle": {"type": "string", "oneOf": _TITLED},
    "legacyEnum": {"type": "string", "enum": _WORDS, "enumNames": [word.capitalize() for word in _WORDS]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _WORDS}},
    "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
}

# --- resources and prompts ---------------------------------------------------------------------------------------


def _add_resources(server: MCPServer) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        """A text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        """An image."""
        return base64.b64decode(PIXEL)

    @server.resource("test://watched-resource", mime_type="text/plain")
    def watched() -> str:
        """A text that somebody may want to be told of."""
        return "It never changes."

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def templated(id: str) -> str:
        """A text about an id."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def _add_prompts(server: MCPServer) -> None:
    def said(content: str) -> UserMessage:
        return UserMessage(content=TextContent(type="text", text=content))

    @server.prompt()
    def test_simple_prompt() -> list[UserMessage]:
        """A text."""
        return [said("This is a simple prompt for testing.")]

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> list[UserMessage]:
        """A text with two arguments in it."""
        return [said(f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")]

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
        """A resource, and what to do with it."""
        content = "Embedded resource content for testing."
        return [
            UserMessage(content=_embedded(resourceUri, "text/plain", content)),
            said("Please process the embedded resource above."),
        ]

    @server.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """An image, and what to do with it."""
        return [UserMessage(content=_image()), said("Please analyze the image above.")]


# --- what the handshake era has beside that ----------------------------------------------------------------------


def _add_requests(server: MCPServer) -> None:
    async def done(context: Any, params: Any) -> EmptyResult:
        return EmptyResult()

    handlers = server._lowlevel_server
    handlers.add_request_handler("logging/setLevel", SetLevelRequestParams, done)
    handlers.add_request_handler("resources/subscribe", SubscribeRequestParams, done)
    handlers.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, done)


class Events(EventStore):
    """What was sent on each stream, so that a client that comes back gets the rest."""

    def __init__(self) -> None:
        self._sent: list[tuple[str, JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        self._sent.append((stream_id, message))
        return str(len(self._sent))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        number = int(last_event_id)
        stream_id = self._sent[number - 1][0]
        for event_id, (other, message) in enumerate(self._sent[number:], number + 1):
            if other == stream_id and message is not None:
                await send_callback(EventMessage(message, str(event_id)))
        return stream_id


# --- the program -------------------------------------------------------------------------------------------------


def fixture_server(desk: Desk) -> MCPServer:
    """The product's server, and what the suite asks for."""
    server = make_server(desk, (*TOOLS, *SPECS))
    for add in (_add_contents, _add_talkers, _add_resources, _add_prompts, _add_requests, add_inputs):
        add(server)
    return server


async def _serve() -> None:
    server = fixture_server(Desk(MemoryStore(), "local"))
    with listen(Listening("127.0.0.1", 0)) as socket:
        listening = Listening(*socket.getsockname()[:2])
        app = web_app(server, listening, event_store=Events(), retry_interval=RETRY)
        print(json.dumps({"url": f"http://127.0.0.1:{listening.port}{PATH}"}), file=sys.stderr, flush=True)
        await uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False)).serve(sockets=[socket])


if __name__ == "__main__":
    warnings.simplefilter("ignore", MCPDeprecationWarning)  # the suite asks for what has gone out of use, too
    asyncio.run(_serve())
