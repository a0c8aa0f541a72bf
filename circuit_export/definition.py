"""A definition is the exact source text of a workflow; a bundle is one definition with the documents it needs."""

from functools import lru_cache
from hashlib import sha256
from pathlib import PurePosixPath
from typing import NamedTuple


class Definition(NamedTuple):
    """The exact text of one document.

    `text` has no byte-order mark; a format decides whether its line ends count (JSON: line feeds only).
    `path` is where it came from as a relative POSIX path, "" when it came from nowhere that has a name.
    """

    text: str
    format: str
    path: str = ""

    @property
    def digest(self) -> str:
        """The SHA-256 of the UTF-8 text, in lower-case hexadecimal."""
        return _digest(self.text)

    @property
    def stem(self) -> str:
        """The file's name without folder and last suffix; "" when there is none."""
        return PurePosixPath(self.path).stem if self.path else ""


@lru_cache(maxsize=16)
def _digest(text: str) -> str:
    return sha256(text.encode("utf-8")).hexdigest()


class Bundle(NamedTuple):
    """A main definition and the documents it needs, each with its path relative to the main one's folder."""

    main: Definition
    others: tuple[Definition, ...] = ()
