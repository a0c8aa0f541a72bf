"""A board as a Mermaid flowchart, for places that render Mermaid and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from circuit_export.board.model import Actor, Board, Chip
from circuit_export.board.text_fit import clean, graphemes

_LONGEST = 80  # graphemes of a label
_MOST_ARROWS, _MOST_TEXT = 500, 50_000  # what Mermaid draws unless its page says otherwise
_LIMITS = "%% Mermaid draws 500 arrows and 50,000 characters by default: this needs a larger maxEdges and maxTextSize."
_LEGEND = (
    "%% Shapes: a stadium is a person's step, a rounded box the assistant's, a hexagon the engine's.",
    "%% A thick frame writes; a dashed one is switched off or missing; a dotted arrow is optional or leads nowhere.",
)
_SHAPES = {Actor.YOU: ('(["', '"])'), Actor.CLAUDE: ('("', '")'), Actor.CIRCUIT: ('{{"', '"}}')}
# Fill and text together, so that both a light and a dark page carry them.
_STYLES = (
    "classDef default fill:#f7f4ee,stroke:#6f6a60,color:#1f1d1a",
    "classDef writes stroke:#b4561f,stroke-width:3px",
    "classDef disabled fill:#e4e2dd,color:#55524c,stroke-dasharray:4 3",
    "classDef missing fill:#f7f4ee,stroke:#b3261e,color:#8c1d18,stroke-dasharray:4 3",
    "linkStyle default stroke:#8a8478",
)
# What means something to Mermaid, Markdown or HTML; at the start also what begins a list or a heading.
_SPECIAL = re.compile(r"""["#&<>*_`~\[\]{}|\\^$%@;=]|^[!-/:-?]|^[0-9]+[.)]|://""")
# What Mermaid still acts on once entities are characters again: formulas, line breaks, icons, its own signs for
# entities, and in a title markup. An invisible word joiner parts them.
_LATE = re.compile(r"\$(?=\$)|\\(?=n)|\bfa[a-z]?:(?=fa-)|ﬂ(?=°)|¶(?=ß)|<(?=[A-Za-z/!?])")
_DIGITS = frozenset("0123456789")


def mermaid(board: Board) -> str:
    """The `flowchart LR` of `board`: a node a chip (`s0`, `s1`, … in the board's order), an arrow a wire.

    Labels are the title and, below, the verb; an arrow names its port when the chip has more than one. A wire that
    leads to no chip goes to a node that says which id is missing. The text ends with a line feed.
    """
    lines = ["flowchart LR", *_LEGEND, *_body(board), *_STYLES, *_classes(board)]
    arrows = len(board.wires) + len(board.loose)
    if arrows > _MOST_ARROWS or sum(map(len, lines)) + 3 * len(lines) > _MOST_TEXT:
        lines.insert(1, _LIMITS)
    text = "\n  ".join(lines) + "\n"
    name = _parted(clean(board.name))
    return f"---\ntitle: {json.dumps(name, ensure_ascii=False)}\n---\n{text}" if name else text


def _body(board: Board) -> Iterator[str]:
    for index, chip in enumerate(board.chips):
        opening, closing = _SHAPES[chip.actor]
        yield f"s{index}{opening}{_label(chip)}{closing}"
    missing = _missing(board)
    for to, node in missing.items():
        yield f'{node}["missing: {_escaped(to)}"]'
    for wire in board.wires:
        arrow = "-.->" if wire.optional else "-->"
        yield f"s{wire.source} {arrow}{_port(board.chips[wire.source], wire.port)} s{wire.target}"
    for loose in board.loose:
        yield f"s{loose.source} -.->{_port(board.chips[loose.source], loose.port)} {missing[loose.to]}"


def _classes(board: Board) -> Iterator[str]:
    for name, nodes in (
        ("writes", [f"s{index}" for index, chip in enumerate(board.chips) if chip.writes]),
        ("disabled", [f"s{index}" for index, chip in enumerate(board.chips) if not chip.enabled]),
        ("missing", list(_missing(board).values())),
    ):
        if nodes:
            yield f"class {','.join(nodes)} {name}"


def _missing(board: Board) -> dict[str, str]:
    """Ids that wires name and no chip has → a node for each, in the order they are first named."""
    return {to: f"m{index}" for index, to in enumerate(dict.fromkeys(loose.to for loose in board.loose))}


def _label(chip: Chip) -> str:
    title = _escaped(chip.title) or _escaped(chip.id) or "step"
    verb = _escaped(chip.verb)
    return f"{title}<br/>{verb}" if verb else title


def _port(chip: Chip, port: str) -> str:
    return f'|"{_escaped(port) or "#32;"}"|' if chip.labels else ""


def _escaped(text: str) -> str:
    """Text for a quoted label: one line, not too long, every special sign as an entity code."""
    parts = graphemes(clean(text[: 64 * _LONGEST]))
    shown = "".join(parts) if len(parts) <= _LONGEST else "".join(parts[: _LONGEST - 1]) + "…"
    return _SPECIAL.sub(_entities, _parted(shown))


def _parted(text: str) -> str:
    return _LATE.sub("\\g<0>\u2060", text)


def _entities(found: re.Match[str]) -> str:
    return "".join(char if char in _DIGITS else f"#{ord(char)};" for char in found[0])
