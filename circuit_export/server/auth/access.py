"""What the environment says about who may come in."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from circuit_export.diagnostics import UsageError
from circuit_export.formats.wording import listed, shown
from circuit_export.store.base import LONGEST_ID, fits

OAUTH: Final = "oauth"
TOKEN: Final = "token"  # noqa: S105 - a word for a way in
OPEN: Final = "open"

OWNER: Final = "owner"
"""The workspace of who signs in with the owner key, if nothing else is said."""

STRONG: Final = 16
"""Characters from which on a key or a token is not called short."""

_SENDABLE: Final = re.compile("[!-~]+")


class Token(NamedTuple):
    """A token that was handed out by hand, and the workspace it opens."""

    workspace: str
    token: str

    def __repr__(self) -> str:
        return f"Token({self.workspace!r})"


class Access(NamedTuple):
    """Who may come in. With an owner key, clients are signed in with it, and the tokens count for nothing."""

    owner_key: str = ""
    secret: str = ""
    tokens: tuple[Token, ...] = ()

    def __repr__(self) -> str:
        return f"Access({self.kind!r})"

    @property
    def kind(self) -> str:
        """OAUTH, TOKEN or OPEN."""
        return OAUTH if self.owner_key else TOKEN if self.tokens else OPEN

    @property
    def workspaces(self) -> tuple[str, ...]:
        """The workspaces that tokens open, each once."""
        return tuple(dict.fromkeys(token.workspace for token in self.tokens))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What whoever runs the server had better know."""
        said = []
        if self.owner_key and self.tokens:
            said.append("CIRCUIT_TOKENS counts for nothing: CIRCUIT_OWNER_KEY is set.")
        if 0 < len(self.owner_key) < STRONG:
            said.append(f"CIRCUIT_OWNER_KEY is short: {STRONG} characters or more are hard to guess.")
        short = [token.workspace for token in self.tokens if len(token.token) < STRONG]
        if short and not self.owner_key:
            whose = listed(dict.fromkeys(map(shown, short)))
            said.append(f"The token of {whose} is short: {STRONG} characters or more are hard to guess.")
        if self.secret and not self.owner_key:
            said.append("CIRCUIT_SECRET counts for nothing without CIRCUIT_OWNER_KEY.")
        return tuple(said)


def access_of(environment: Mapping[str, str] = os.environ) -> Access:
    """What CIRCUIT_OWNER_KEY, CIRCUIT_SECRET and CIRCUIT_TOKENS say. Raises UsageError, which shows none of them."""
    return Access(
        environment.get("CIRCUIT_OWNER_KEY", "").strip(),
        environment.get("CIRCUIT_SECRET", "").strip(),
        tokens_of(environment.get("CIRCUIT_TOKENS", "")),
    )


def tokens_of(text: str) -> tuple[Token, ...]:
    """The tokens of `WORKSPACE=TOKEN,…`. Raises UsageError, which shows none of them."""
    tokens: list[Token] = []
    for number, entry in enumerate(text.split(","), 1):
        if not entry.strip():
            continue
        workspace, separator, token = (part.strip() for part in entry.partition("="))
        if not (separator and workspace and token):
            raise _wrong(number, "no workspace and token with = between them")
        if not fits(workspace):
            raise _wrong(number, f"a workspace of more than {LONGEST_ID} characters, or with control characters")
        if not _SENDABLE.fullmatch(token):
            raise _wrong(number, "a token with blanks, or signs that are not ASCII, which no client can send")
        if any(token == other.token for other in tokens):
            raise _wrong(number, "a token that an earlier entry has")
        tokens.append(Token(workspace, token))
    return tuple(tokens)


def _wrong(number: int, found: str) -> UsageError:
    return UsageError(
        "CIRCUIT_TOKENS cannot be read", found=f"entry {number}: {found}", expected="WORKSPACE=TOKEN,WORKSPACE=TOKEN,…"
    )
