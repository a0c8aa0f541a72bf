"""Links that people copy to the links of the file itself: the page of a file on GitHub to its raw text, and so on."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

_GITHUB_PAGES = ("blob", "raw", "blame", "edit")
_HEX = re.compile(r"[0-9a-f]{20,40}|[0-9]+")


def raw_url(url: str) -> str:
    """The link of the file that a page shows, for the known hosts of code and pastes; other links as they are."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower().removeprefix("www.")
        port = parts.port
    except ValueError:
        return url
    if parts.scheme.lower() not in ("http", "https") or port not in (None, 80, 443):
        return url
    path = [part for part in parts.path.split("/") if part]
    new = _raw(host, path)
    if new is None:
        return url
    query = "" if host != "dropbox.com" else "dl=1"
    return urlunsplit(("https", new[0], "/" + "/".join(new[1]), query, ""))


def is_artifact(url: str) -> bool:
    """Is it the link of a published artifact, which answers with an application rather than with the page?"""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower().removeprefix("www.")
    except ValueError:
        return False
    if host == "claude.site" or host.endswith(".claude.site"):
        return True
    return host == "claude.ai" and bool(re.match(r"/(?:public/)?(?:artifacts?|share)(?:/|\Z)", parts.path))


def _raw(host: str, path: list[str]) -> tuple[str, list[str]] | None:
    """Host and path of the raw file; None when the link is none of a known page."""
    if host == "github.com":
        return _github(path)
    if host == "gist.github.com" and len(path) >= 2 and _HEX.fullmatch(path[1].lower()):
        revision = [path[2]] if len(path) > 2 and re.fullmatch(r"[0-9a-f]{40}", path[2]) else []
        return ("gist.githubusercontent.com", [*path[:2], "raw", *revision]) if "raw" not in path else None
    if host == "gitlab.com" or host.startswith("gitlab."):
        for at, part in enumerate(path):
            if part == "-" and path[at + 1 : at + 2] == ["blob"] and len(path) > at + 3:
                return host, [*path[: at + 1], "raw", *path[at + 2 :]]
        return None
    if host == "bitbucket.org" and len(path) > 4 and path[2] == "src":
        return host, [*path[:2], "raw", *path[3:]]
    if host in ("codeberg.org", "gitea.com") and len(path) > 5 and path[2] == "src":
        return host, [*path[:2], "raw", *path[3:]]
    if host == "git.sr.ht" and len(path) > 4 and path[2] == "tree" and "item" in path:
        return host, [*path[:2], "blob", path[3], *path[path.index("item") + 1 :]]
    if host == "pastebin.com" and len(path) == 1 and re.fullmatch(r"[A-Za-z0-9]{6,12}", path[0]):
        return host, ["raw", path[0]]
    if host == "dropbox.com" and path[:1] in (["s"], ["scl"]):
        return host, path
    return None


def _github(path: list[str]) -> tuple[str, list[str]] | None:
    """`OWNER/REPO/blob/REF/PATH…`: what is before the path may be a branch with slashes, which the host sorts out."""
    if len(path) > 4 and path[2] in _GITHUB_PAGES:
        return "raw.githubusercontent.com", [*path[:2], *path[3:]]
    return None
