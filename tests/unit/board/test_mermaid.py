"""A board as a Mermaid flowchart: every chip, every wire, and no text that Mermaid could take for syntax."""

import re

import pytest

from circuit_export.board.mermaid import mermaid
from circuit_export.board.model import Actor, Board, Chip, LooseWire, Wire


def chip(title: str, actor: Actor = Actor.CIRCUIT, **more: object) -> Chip:
    return Chip(id=f"id of {title}", verb="do", title=title, summary="", actor=actor, **more)  # type: ignore[arg-type]


def board(*chips: Chip, wires: tuple[Wire, ...] = (), loose: tuple[LooseWire, ...] = (), name: str = "") -> Board:
    return Board(id="b", name=name, description="", chips=chips, wires=wires, loose=loose)


SMALL = board(
    chip("Each morning", Actor.YOU),
    chip("Is it urgent?", ports=("yes", "no")),
    chip("Reply", Actor.CLAUDE, writes=True),
    chip("Forget it", Actor.CLAUDE, enabled=False),
    wires=(Wire(0, "out", 1), Wire(1, "yes", 2), Wire(1, "no", 3, optional=True), Wire(2, "out", 2)),
    loose=(LooseWire(3, "out", "gone"), LooseWire(1, "no", "gone")),
    name='The "small" one',
)


def test_a_whole_flowchart() -> None:
    assert (
        mermaid(SMALL)
        == """\
---
title: "The \\"small\\" one"
---
flowchart LR
  %% Shapes: a stadium is a person's step, a rounded box the assistant's, a hexagon the engine's.
  %% A thick frame writes; a dashed one is switched off or missing; a dotted arrow is optional or leads nowhere.
  s0(["Each morning<br/>do"])
  s1{{"Is it urgent?<br/>do"}}
  s2("Reply<br/>do")
  s3("Forget it<br/>do")
  m0["missing: gone"]
  s0 --> s1
  s1 -->|"yes"| s2
  s1 -.->|"no"| s3
  s2 --> s2
  s3 -.-> m0
  s1 -.->|"no"| m0
  classDef default fill:#f7f4ee,stroke:#6f6a60,color:#1f1d1a
  classDef writes stroke:#b4561f,stroke-width:3px
  classDef disabled fill:#e4e2dd,color:#55524c,stroke-dasharray:4 3
  classDef missing fill:#f7f4ee,stroke:#b3261e,color:#8c1d18,stroke-dasharray:4 3
  linkStyle default stroke:#8a8478
  class s2 writes
  class s3 disabled
  class m0 missing
"""
    )


def label(title: str) -> str:
    """The label of a chip with that title, as it stands between the quotes."""
    found = re.search(r'^  s0\{\{"(.*)<br/>do"\}\}$', mermaid(board(chip(title))), re.MULTILINE)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("plain, really (v1.2) – ok?", "plain, really (v1.2) – ok?"),
        ('say "no"', "say #34;no#34;"),
        ("#1; & <b>", "#35;1#59; #38; #60;\u2060b#62;"),
        ("`a` **b** _c_", "#96;a#96; #42;#42;b#42;#42; #95;c#95;"),
        ("1. first", "1#46; first"),
        ("- item", "#45; item"),
        ("a\nb", "a b"),
        ("日本", "日本"),
        ("a|b [c] {d}", "a#124;b #91;c#93; #123;d#125;"),
        ("%%{init}%%", "#37;#37;#123;init#125;#37;#37;"),
        ("$$x$$", "#36;\u2060#36;x#36;\u2060#36;"),
        ("a\\nb", "a#92;\u2060nb"),
        ("fa:fa-ban", "fa:\u2060fa-ban"),
        ("\ud800", "\ufffd"),
        ("", "id of"),
    ],
)
def test_no_text_is_syntax(title: str, written: str) -> None:
    assert label(title) == written


def test_a_long_title_ends_with_an_ellipsis() -> None:
    assert label("é" * 500) == "é" * 79 + "…"


def test_every_special_sign_of_ascii_is_an_entity() -> None:
    for code in [*range(0x21, 0x30), *range(0x3A, 0x41), *range(0x5B, 0x61), *range(0x7B, 0x7F)]:
        assert label(f"{chr(code)} x") == f"#{code}; x"


def test_large_boards_say_what_mermaid_needs() -> None:
    chips = tuple(chip(f"n{number}") for number in range(502))
    wires = tuple(Wire(number, "out", number + 1) for number in range(501))
    assert "maxEdges" in mermaid(board(*chips, wires=wires))
    assert "maxEdges" not in mermaid(board(*chips[:50], wires=wires[:49]))


def test_an_empty_board_is_still_a_flowchart() -> None:
    assert mermaid(board()).startswith("flowchart LR\n")
    assert mermaid(board()).endswith("\n")
