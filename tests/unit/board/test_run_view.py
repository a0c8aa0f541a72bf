"""The parts of a run on a page: marks for every moment, the wires taken, the tape and its table."""

import re

from support.boards import ordinary

from circuit_export.board.layout import layout
from circuit_export.board.listing import Listing
from circuit_export.board.model import Fact, Moment, RunView
from circuit_export.board.page import render_page
from circuit_export.board.routing import route
from circuit_export.board.run_view import Mark, RunParts, _marks, run_parts
from circuit_export.board.theme import load_theme
from circuit_export.definition import Bundle, Definition

BOARD = ordinary()
IDLE = ("idle",) * len(BOARD.chips)
RUN = RunView(
    "A run",
    ("done", "done", "running", "failed", "idle", "held"),
    ("", "sales", "", "no", "", ""),
    (0, 1, 3),
    (
        Moment(0, "done", port="out", summary="started"),
        Moment(1, "done", port="sales", given="a mail", answer='{"label": "sales"}'),
        Moment(2, "running", summary="2 items"),
        Moment(3, "retrying", error="busy", item="1"),
        Moment(3, "failed", error="no"),
    ),
    facts=(Fact("run", "failed"),),
)


def parts_of(run: RunView) -> RunParts:
    return run_parts(BOARD, run, Listing(BOARD, layout(BOARD)))


def page_of(run: RunView | None) -> str:
    cells = layout(BOARD)
    bundle = Bundle(Definition("{}", "steps", "a.json"))
    return render_page(BOARD, bundle, load_theme("copper"), layout=cells, drawing=route(BOARD, cells), run=run)


def test_a_chip_is_idle_until_its_first_moment_and_shows_each_until_the_next() -> None:
    assert _marks(RUN)[3] == [
        Mark("idle", "", 0, 4, False),
        Mark("retrying", "", 4, 5, True),
        Mark("failed", "", 5, 6, True),
    ]
    assert _marks(RUN)[4] == [Mark("idle", "", 0, 6, False)]


def test_what_waits_at_the_end_is_shown_there_though_it_is_no_moment() -> None:
    run = RUN._replace(states=("held", *RUN.states[1:]))
    assert _marks(run)[0][-2:] == [Mark("done", "started", 1, 5, True), Mark("held", "", 5, 6, False)]
    last = RUN._replace(states=(*RUN.states[:3], "retrying", *RUN.states[4:]))
    assert _marks(last)[3][-1] == Mark("retrying", "", 5, 6, True)


def test_where_moments_are_gone_a_chip_is_not_called_idle() -> None:
    assert _marks(RUN._replace(earlier=3))[3][0].state == "not kept"


def test_a_step_inside_a_called_workflow_lights_the_step_that_calls() -> None:
    run = RunView("A run", ("running", *IDLE[1:]), ("",) * 6, (), (Moment(0, "failed", inner="write"),))
    assert _marks(run)[0][-1] == Mark("running", "", 1, 2, True)
    assert "› write" in parts_of(run).panel


def test_a_chip_that_never_changes_is_told_no_moment() -> None:
    marks = parts_of(RUN).marks
    assert marks["off"] == '<i class="st idle"><b>idle</b></i>'
    assert 'class="st at failed own" style="--a:5;--z:6"><b>failed</b>' in marks["send"]


def test_a_word_of_no_sign_is_shown_as_it_is() -> None:
    run = RUN._replace(states=("<odd>", *RUN.states[1:]), moments=(Moment(0, "<odd>"),))
    assert '<i class="st at other own" style="--a:1;--z:2"><b>&lt;odd&gt;</b></i>' in parts_of(run).marks["start"]


def test_a_wire_is_taken_when_its_step_left_by_its_port() -> None:
    assert parts_of(RUN).since == {0: 1, 1: 2, 3: 3}
    assert parts_of(RUN._replace(taken=(2, 5))).since == {2: 2, 5: 0}
    page = page_of(RUN)
    assert '<path class="wire at took" data-from="start" data-port="out" data-to="sort"' in page
    assert page.count("at took") == 3
    assert page.count('style="--a:3"') == 1


def test_rules_are_as_many_as_bits_and_rows_not_as_chips() -> None:
    css = parts_of(RUN).css
    assert "main:has(.m2:checked) .at{--m2:4}" in css
    assert ".m3:checked" not in css
    assert ".ran:has(#m5:checked) #w5{--row:grid}" in css
    assert "@media print{main .at{--now:5}}" in css


def test_the_tape_has_a_button_for_each_moment_and_the_last_is_checked() -> None:
    panel = parts_of(RUN).panel
    buttons = re.findall(r'<input type="radio" name="m" id="m(\d)" class="([^"]*)"( checked)?>', panel)
    assert buttons == [
        ("1", "m0", ""),
        ("2", "m1", ""),
        ("3", "m0 m1", ""),
        ("4", "m2", ""),
        ("5", "m0 m2", " checked"),
    ]
    assert panel.count('<tr id="w') == 5
    assert "<pre>a mail</pre>" in panel
    assert "<pre>{&quot;label&quot;: &quot;sales&quot;}</pre>" in panel
    assert "by <code><bdi>sales</bdi></code>" in panel
    assert '<p class="error" dir="auto">busy</p>' in panel


def test_nothing_and_an_empty_text_are_two_things() -> None:
    panel = parts_of(RUN._replace(moments=(Moment(0, "done", given="", answer=None),))).panel
    assert "<pre><span class=none>an empty text</span></pre>" in panel
    assert panel.count('<span class="none">nothing</span>') == 1


def test_how_many_moments_are_gone_is_said() -> None:
    assert "1,203 earlier moments were not kept." in parts_of(RUN._replace(earlier=1203)).panel
    assert "1 earlier moment was not kept." in parts_of(RUN._replace(earlier=1)).panel
    assert "earlier" not in parts_of(RUN).panel


def test_what_it_holds_is_said() -> None:
    assert "what came back from the services" in parts_of(RUN).panel
    assert "replaced by its shape" in parts_of(RUN._replace(redacted=True)).panel


def test_a_run_without_a_moment_has_no_tape() -> None:
    panel = parts_of(RunView("A run", IDLE, ("",) * 6, (), ())).panel
    assert "Nothing has happened in it yet." in panel
    assert "radio" not in panel
    stopped = parts_of(RunView("A run", IDLE, ("",) * 6, (), (), reason="No <tool>.")).panel
    assert '<p class="intro reason" dir="auto">No &lt;tool&gt;.</p>' in stopped
    assert "Nothing happened in it." in stopped
    assert "<table" not in panel


def test_chips_and_entries_say_how_it_ended() -> None:
    page = page_of(RUN)
    label = re.search(r'data-step="sort"[^>]*aria-label="([^"]*)"', page)
    assert label is not None
    assert label[1].endswith(". In this run: done, sales")
    entry = page[page.index('<li id="step-sort"') :]
    assert '<span class="word done">done</span> <span>sales</span></span> <code>sort</code>' in entry


def test_a_page_without_a_run_has_nothing_of_one() -> None:
    page = page_of(None)
    for part in ('boards ran"', "st at", "tape", "--now", 'type="radio"', 'href="#run"', "took"):
        assert part not in page
        assert part in page_of(RUN)


def test_a_long_run_is_small() -> None:
    moments = tuple(Moment(number % 6, "done", port="out", summary="2 threads") for number in range(240))
    parts = parts_of(RUN._replace(moments=moments))
    tape, _, _ = parts.panel.partition("<table")
    assert len(parts.css) + sum(map(len, parts.marks.values())) + len(tape) < 100_000
