"""Questions and answers at a terminal or in a pipe: what is shown, and the line or the JSON that is typed."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import TextIO

from circuit_export.cli.console import Console, printable

PROMPT = "> "
MORE = "… "


class Dialogue:
    """Shows on stdout, or on stderr when stdout is for something else; reads from stdin."""

    def __init__(self, console: Console, *, beside: bool = False) -> None:
        self.console = console
        self.stream: TextIO = sys.stderr if beside else sys.stdout
        self.colour = console.colour and self.stream.isatty()
        self.typed = sys.stdin is not None and sys.stdin.isatty()
        if self.typed:
            with contextlib.suppress(ImportError):  # gives the arrow keys and a history; Windows has its own
                import readline  # noqa: F401

    def show(self, text: str, colour: str = "") -> None:
        """Shows lines; the first in colour."""
        first, newline, rest = printable(text).partition("\n")
        if colour and self.colour:
            first = self.console._replace(colour=True).paint(first, colour)
        encoding = self.stream.encoding or "utf-8"
        self.stream.write(f"{first}{newline}{rest}\n".encode(encoding, "replace").decode(encoding, "replace"))
        self.stream.flush()

    def answer(self, prompt: str = PROMPT) -> str | None:
        """What is typed: a line, or as many as a JSON value that it begins takes; None when nothing more comes."""
        text = self._line(printable(prompt))
        while text is not None and _is_unfinished(text):
            more = self._line(MORE)
            if not more or not more.strip():
                break
            text = f"{text}\n{more}"
        return text

    def _line(self, prompt: str) -> str | None:
        if self.typed:
            try:
                if self.stream is sys.stdout:
                    return input(prompt)
                self.stream.write(prompt)
                self.stream.flush()
                return input()
            except EOFError:
                self.stream.write("\n")
                return None
        data = sys.stdin.buffer.readline() if sys.stdin is not None else b""
        if not data:
            return None
        line = data.decode("utf-8", "replace").rstrip("\r\n").removeprefix("\ufeff")
        self.show(prompt + line)
        return line


def _is_unfinished(text: str) -> bool:
    """Is it the beginning of a JSON object or list that goes on?"""
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return not text[error.pos :].strip() or error.msg.startswith("Unterminated string")
    except (ValueError, RecursionError):
        return False
    return False
