"""What to paste into a client so that it uses this server, and where."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from circuit_export.formats.wording import listed

NAME: Final = "circuit"
ANY: Final = "any"

YOUR_TOKEN: Final = "YOUR-TOKEN"  # noqa: S105 - to be replaced


class Kind(NamedTuple):
    """A client: the key that its servers are under, its key for an address, and where its settings are.

    `typed` says that it wants to be told the transport. `by_hand` is where an address is typed in a client whose
    settings take none.
    """

    title: str
    place: str
    servers: str = "mcpServers"
    url: str = "url"
    typed: bool = False
    by_hand: str = ""


CLIENTS: Final[Mapping[str, Kind]] = {
    ANY: Kind("Most clients", "the client's settings for MCP servers", typed=True),
    "claude-desktop": Kind(
        "Claude Desktop",
        "claude_desktop_config.json (Settings, Developer, Edit Config)",
        by_hand="Settings, Connectors, Add custom connector",
    ),
    "claude-code": Kind("Claude Code", ".mcp.json in the project's folder", typed=True),
    "cursor": Kind("Cursor", "~/.cursor/mcp.json, or .cursor/mcp.json in the project's folder"),
    "vscode": Kind("VS Code", ".vscode/mcp.json in the project's folder", servers="servers", typed=True),
    "windsurf": Kind("Windsurf", "~/.codeium/windsurf/mcp_config.json", url="serverUrl"),
    "zed": Kind("Zed", "settings.json (zed: open settings file)", servers="context_servers"),
}


class Pasted(NamedTuple):
    """What to paste, as text, and a sentence that says where."""

    text: str
    where: str


def for_command(client: str, args: Sequence[str], environment: Mapping[str, str]) -> Pasted:
    """The settings by which a client starts the server itself. `args` are those of `circuit`; `environment` is what
    has to be said to it that way."""
    kind = CLIENTS[client]
    server: dict[str, object] = {"command": NAME, "args": list(args)}
    if environment:
        server["env"] = dict(environment)
    if kind.typed and client != ANY:
        server = {"type": "stdio", **server}
    where = f"{kind.title}: paste it into {kind.place}."
    if environment:
        where += f"\nIt says what {listed(environment)} says here, as clients have an environment of their own."
    path = own_path()
    if path:
        where += f'\nIf the client does not find “{NAME}”, write "{path}" as the command.'
    return Pasted(_text(kind, server), where)


def for_url(client: str, url: str, *, token: bool = False) -> Pasted:
    """The settings by which a client finds a server over HTTP; with `token`, the place for one."""
    kind = CLIENTS[client]
    if kind.by_hand:
        return Pasted(url, f"{kind.title}: {kind.by_hand}, and give it this address.")
    server: dict[str, object] = {kind.url: url}
    if kind.typed:
        server = {"type": "http", **server}
    if token:
        server["headers"] = {"Authorization": f"Bearer {YOUR_TOKEN}"}
    return Pasted(_text(kind, server), f"{kind.title}: paste it into {kind.place}.")


def own_path() -> str:
    """Where this command is installed, "" when nobody knows: a client may look in other places than a shell."""
    import sysconfig

    for name in (NAME, f"{NAME}.exe"):
        path = Path(sysconfig.get_path("scripts")) / name
        if path.is_file():
            return str(path)
    return ""


def _text(kind: Kind, server: Mapping[str, object]) -> str:
    return json.dumps({kind.servers: {NAME: server}}, ensure_ascii=False, indent=2)
