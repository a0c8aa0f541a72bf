"""What a tool is, before anything of the protocol's library comes into it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from circuit_export.server.answers import Answer
from circuit_export.server.arguments import Arguments
from circuit_export.server.desk import Desk
from circuit_export.server.schemas import takes

Handler = Callable[[Desk, Arguments], Awaitable[Answer]]

EVERYBODY = ("app", "model")
APP_ONLY = ("app",)


class Spec(NamedTuple):
    """One tool. `about` is written for the model; `visible` says who sees it, nothing said for the usual.

    The hints are promises to a client: that it changes nothing (`reads`), that it can take something away
    (`destroys`), that calling it twice is calling it once (`repeatable`), that it reaches outside (`outside`, where
    whoever runs the server allows it).
    `draws` says that it answers with a board, which a view shows; `often`, that a run calls it at every step.
    """

    name: str
    title: str
    about: str
    handle: Handler
    schema: dict[str, Any] = takes()
    visible: tuple[str, ...] = ()
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False
    outside: bool = False
    draws: bool = False
    often: bool = False
