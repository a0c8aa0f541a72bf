"""The command as tests run it, and the board that they run it on."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

BOARD = {
    "circuit": 1,
    "name": "Morning post",
    "description": "Reads what came in overnight and answers what can be answered.",
    "entry": "start",
    "inputs": [{"name": "voice", "description": "Whose voice the answers have"}],
    "steps": [
        {
            "id": "start",
            "type": "trigger.ask",
            "title": "When I ask",
            "config": {},
            "next": [{"port": "out", "to": "fetch"}],
        },
        {
            "id": "fetch",
            "type": "tool.call",
            "title": "Fetch the post",
            "config": {"tool": "Gmail:search_threads", "arguments": {"query": "is:unread"}},
            "next": [{"port": "out", "to": "write"}],
        },
        {
            "id": "write",
            "type": "model.write",
            "title": "Write an answer",
            "config": {"instructions": "Answer briefly.", "voice": "{{input.voice}}", "context": ["steps.fetch"]},
            "next": [{"port": "out", "to": "gate"}],
        },
        {
            "id": "gate",
            "type": "gate.approve",
            "title": "Let me look",
            "config": {"preview": "steps.write.text", "question": "Send it?"},
            "next": [{"port": "out", "to": "send"}],
        },
        {
            "id": "send",
            "type": "tool.call",
            "title": "Send it",
            "config": {"tool": "Gmail:send_message", "arguments": {"body": "{{steps.write.text}}"}},
            "next": [],
        },
    ],
}


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")


Circuit = Callable[..., Ended]


def text_of(board: Any) -> str:
    return json.dumps(board, ensure_ascii=False, indent=1) + "\n"
