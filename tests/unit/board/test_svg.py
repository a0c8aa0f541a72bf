"""The board as SVG: valid XML for any text, and what the pictures hold."""

from xml.etree import ElementTree

import pytest
from support.boards import BOARDS, HOSTILE, chain, ordinary, right_to_left, saying

from circuit_export.board.layout import layout
from circuit_export.board.model import Actor, Board, Chip, Wire
from circuit_export.board.routing import Drawing, path_data, route
from circuit_export.board.svg import SMALL_HEIGHT, SMALL_WIDTH, render_svg, thumbnail_svg, wires_svg
from circuit_export.board.theme import load_theme

SVG = "{http://www.w3.org/2000/svg}"


def file_of(board: Board, theme: str = "copper") -> str:
    cells = layout(board)
    return render_svg(board, cells, route(board, cells), load_theme(theme))


def drawing_of(board: Board) -> Drawing:
    return route(board, layout(board))


@pytest.mark.parametrize("name", BOARDS)
def test_the_file_is_well_formed_whatever_it_says(name: str) -> None:
    root = ElementTree.fromstring(file_of(BOARDS[name]()))
    assert root.tag == f"{SVG}svg"
    known = {"svg", "title", "desc", "style", "rect", "g", "path", "text", "tspan", "circle"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= known


@pytest.mark.parametrize("text", [*HOSTILE, "\0\x01\x0b\ud800\udfff\ufffe", "\r\n\t", "👩‍👩‍👧‍👦"])
def test_any_text_stays_text(text: str) -> None:
    root = ElementTree.fromstring(file_of(saying(text)).encode())
    assert len(root.findall(f".//{SVG}g[@class]")) == len(saying(text).chips)
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]


def test_the_file_names_itself_to_screen_readers() -> None:
    root = ElementTree.fromstring(file_of(ordinary()))
    ids = (root.get("aria-labelledby") or "").split()
    named = {element.get("id"): element.text for element in root.iter() if element.get("id") in ids}
    assert list(named.values()) == ["Form answers", "6 steps. Answers what comes in by the form."]
    assert root.get("role") == "img"


def test_the_file_is_light_and_dark() -> None:
    theme = load_theme("blueprint")
    text = file_of(ordinary(), "blueprint")
    light, dark = text.split("@media (prefers-color-scheme:dark)")
    assert f"--ground:{theme.light['ground']}" in light
    assert f"--ground:{theme.dark['ground']}" in dark


def test_every_chip_shows_its_lines_and_every_wire_its_path() -> None:
    board = ordinary()
    root = ElementTree.fromstring(file_of(board))
    groups = [group for group in root.iter(f"{SVG}g") if (group.get("class") or "").startswith("chip")]
    lines = [["".join(text.itertext()) for text in group.iter(f"{SVG}text")] for group in groups]
    assert lines[0][:3] == ["01", "WHEN", "When a form"]
    assert lines[1][-3:] == ["sales", "support", "other"]
    assert any("●" in line for line in lines[[c.get("class") for c in groups].index("chip claude writes")])
    wires = [path for path in root.iter(f"{SVG}path") if (path.get("class") or "").startswith("wire")]
    assert [path.get("d") for path in wires] == [path_data(points) for points in drawing_of(board).paths]
    assert [path.get("class") for path in wires].count("wire opt") == 1


def test_lines_that_run_from_right_to_left_stand_at_the_right() -> None:
    root = ElementTree.fromstring(file_of(right_to_left()))
    titles = [text for text in root.iter(f"{SVG}text") if text.get("class") == "title"]
    assert {text.get("direction") for text in titles} == {"rtl"}
    assert {text.get("text-anchor") for text in titles} == {"start"}


def test_a_pages_wires_carry_their_ends_and_one_path_carries_all_pads() -> None:
    board = Board(
        "", "", "", (Chip("", "do", "", "", Actor.YOU), Chip('"<&>', "do", "", "", Actor.YOU)), (Wire(0, "out", 1),)
    )
    drawing = drawing_of(board)
    root = ElementTree.fromstring(wires_svg(board, drawing, [chip.id for chip in board.chips]))
    paths = list(root.iter("path"))
    assert [path.get("class") for path in paths] == ["wire", "pads"]
    assert paths[0].attrib == {
        "class": "wire",
        "data-from": "",
        "data-port": "out",
        "data-to": '"<&>',
        "d": path_data(drawing.paths[0]),
    }
    assert (paths[1].get("d") or "").count("M") == len(drawing.pads)
    assert (root.get("width"), root.get("height")) == (str(drawing.width), str(drawing.height))


@pytest.mark.parametrize("length", [1, 2, 40, 3000])
def test_a_small_picture_is_small_however_large_the_board(length: int) -> None:
    text = thumbnail_svg(drawing_of(chain(length)))
    root = ElementTree.fromstring(text)
    assert 0 < int(root.get("width") or 0) <= SMALL_WIDTH
    assert 0 < int(root.get("height") or 0) <= SMALL_HEIGHT
    assert len(text) < 20_000


def test_a_small_picture_has_a_box_for_each_chip() -> None:
    root = ElementTree.fromstring(thumbnail_svg(drawing_of(ordinary())))
    boxes = next(path for path in root.iter("path") if path.get("class") == "mini-chip")
    assert (boxes.get("d") or "").count("z") == len(ordinary().chips)


def test_a_board_without_wires_has_no_empty_path() -> None:
    root = ElementTree.fromstring(thumbnail_svg(drawing_of(chain(1))))
    assert [path.get("class") for path in root.iter("path")] == ["mini-chip"]


def test_the_same_board_gives_the_same_bytes() -> None:
    assert file_of(ordinary()) == file_of(ordinary())
