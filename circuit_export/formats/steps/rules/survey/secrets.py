"""What credentials look like: the shapes of well-known tokens, and members that are named like a secret."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import escape_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKENS = (
    ("an OpenAI or Anthropic API key", r"sk-(?:ant-|proj-)?[A-Za-z0-9_\-]{20,}"),
    ("a GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,}"),
    ("a GitLab token", r"glpat-[A-Za-z0-9_\-]{20,}"),
    ("a Slack token", r"xox[abeoprs]-[A-Za-z0-9\-]{10,}|xapp-\d-[A-Za-z0-9\-]{10,}"),
    ("a Slack webhook", r"hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{20,}"),
    ("an AWS access key", r"(?:AKIA|ASIA)[0-9A-Z]{16}"),
    ("a Google API key", r"AIza[0-9A-Za-z_\-]{35}"),
    ("a Stripe key", r"[rs]k_(?:live|test)_[0-9A-Za-z]{16,}"),
    ("a SendGrid key", r"SG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}"),
    ("an npm token", r"npm_[A-Za-z0-9]{36}"),
    ("a PyPI token", r"pypi-[A-Za-z0-9_\-]{50,}"),
    ("a Notion token", r"(?:secret|ntn)_[A-Za-z0-9]{40,}"),
    ("a private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
    ("a signed token (JWT)", r"eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}"),
    ("an address with a password in it", r"[a-z][a-z0-9+.\-]{1,20}://[^\s/:@{}]{1,64}:[^\s/:@{}]{3,128}@"),
    ("an authorization header", r"(?:Bearer|Basic) [A-Za-z0-9_\-.+/=]{20,}"),
)
_NAMES = (
    r"(?:pass(?:word|wd|phrase)|(?:(?:client|api|app|shared)[_\-]?)?secret|api[_\-]?key"
    r"|(?:access|auth|bearer|refresh|secret|private)[_\-]?(?:token|key))"
)
_PLACEHOLDER = (
    r"^(?:[x*.•\-_]+|<.*>|\[.*\]|\$.*|%.*%|your.*|change.?me.*|placeholder|example.*|redacted)$"  # tried seldom
)

Secret = tuple[str, str, tuple[int, int]]
"""A likely credential: what it is, the pointer to its string, and the part of the string."""


# What every token of a shape holds: finding none of these in a text is fifty times as fast as trying the shapes.
_SIGNS = (
    "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "xapp-", "hooks.slack.com", "AKIA",
    "ASIA", "AIza", "k_live_", "k_test_", "SG.", "npm_", "pypi-", "secret_", "ntn_", "PRIVATE KEY", "eyJ", "://",
    "Bearer ", "Basic ",
)  # fmt: skip
_NAME_SIGNS = ("pass", "secret", "key", "token")


@cache
def _any_token() -> re.Pattern[str]:
    # In one pass; a token starts where a word starts, so that no long word is tried again at each of its letters.
    return re.compile(r"(?<!\w)(?:" + "|".join(shape for _, shape in _TOKENS) + ")", re.ASCII)


@cache
def _named() -> re.Pattern[str]:
    return re.compile(_NAMES, re.IGNORECASE)


def _token(text: str) -> re.Match[str] | None:
    return _any_token().search(text) if any(sign in text for sign in _SIGNS) else None


def _is_named_secret(name: str, text: str) -> bool:
    lower = name.lower()
    return any(sign in lower for sign in _NAME_SIGNS) and bool(_named().fullmatch(name)) and _is_literal(text)


def secrets(value: Any, text: str) -> Iterator[Secret]:
    """The likely credentials in a JSON value whose text is `text`, in order.

    The text is searched first: where it holds none, the value is not walked.
    """
    lower = text.lower()
    if not any(sign in text for sign in _SIGNS) and not any(sign in lower for sign in _NAME_SIGNS):
        return
    waiting: list[tuple[Any, str, str]] = [(value, "", "")]
    while waiting:
        item, pointer, name = waiting.pop()
        if isinstance(item, str):
            found = _token(item)
            if found:
                yield _kind(found[0]), pointer, found.span()
            elif _is_named_secret(name, item):
                yield f"a secret under the name “{name}”", pointer, (0, len(item))
        elif isinstance(item, dict):
            inner = [(member, f"{pointer}/{escape_pointer(key)}", key) for key, member in item.items()]
            waiting += reversed(inner)
        elif isinstance(item, list):
            waiting += [(item[number], f"{pointer}/{number}", "") for number in range(len(item) - 1, -1, -1)]


def _kind(token: str) -> str:
    return next(what for what, shape in _TOKENS if re.match(shape, token))


def _is_literal(text: str) -> bool:
    """Whether a text is a value of its own: no template, no sentence, no placeholder."""
    return (
        len(text) >= 8
        and "{{" not in text
        and not any(map(str.isspace, text))
        and not re.match(_PLACEHOLDER, text, re.IGNORECASE)
    )
