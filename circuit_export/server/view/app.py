"""The view as the protocol has it: a resource that hosts show, and what of a board goes along for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.server.apps import APP_MIME_TYPE, Apps, client_supports_apps
from mcp.server.mcpserver.resources import Resource

from circuit_export.server.ready import ready
from circuit_export.server.view.drawing import VIEW_META, drawing_of, taken_of

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context

    from circuit_export.server.answers import Answer

VIEW_URI = "ui://circuit/board.html"

_UI = {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": False}
"""It asks nothing of anybody, and brings its own frame."""


class BoardView(Resource):
    """The view's page, put together when a host first asks for it."""

    async def read(self) -> str:
        from circuit_export.server.view.document import view_html

        return view_html()


def board_app() -> Apps:
    """The extension that tells hosts of the view; the tools say themselves that it shows what they answer."""
    app = Apps()
    about = "A workflow as a board: its chips and wires, what a run of it did, and the gate that waits for a person."
    app.add_resource(
        BoardView(
            uri=VIEW_URI,
            name="Circuit board",
            title="Circuit board",
            description=about,
            mime_type=APP_MIME_TYPE,
            meta={"ui": _UI},
        )
    )
    return app


def shows_none(context: Context[Any, Any]) -> bool:
    """Does a client say that it shows no views? One that says nothing may show them."""
    return context.client_capabilities is not None and not client_supports_apps(context)


def view_meta(answer: Answer, context: Context[Any, Any], *, often: bool) -> Mapping[str, Any] | None:
    """What goes into a result's `_meta` for the view: the board's drawing, and the wires that a run took.

    Nothing for a client that shows no views. Not every client says whether it does (a stateless one of the older
    protocols cannot): such a one gets no drawing with what is called `often`, and its view asks for it.
    """
    if answer.opened is None:
        return None
    if shows_none(context):
        return None
    shown: dict[str, Any] = {}
    if context.client_capabilities is not None or not often:
        shown["drawing"] = drawing_of(answer.opened)
    if answer.run is not None:
        shown["taken"] = taken_of(answer.opened, answer.run)
    return {VIEW_META: ready(shown)}
