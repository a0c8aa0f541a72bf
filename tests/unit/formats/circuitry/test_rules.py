"""Every rule: its bad example has exactly its finding, its good one none; and what no rule cries wolf at."""

from pathlib import Path

import pytest
from support.circuitry import names, vector

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Diagnostic, Severity
from circuit_export.formats.base import Rule, Surroundings
from circuit_export.formats.circuitry.document import load
from circuit_export.formats.circuitry.rules import check, references, rules
from circuit_export.formats.ground import Ground

EVERY = [rule for rule in rules() if rule.check is not None]


def found(text: str, root: Path | None = None) -> list[Diagnostic]:
    return check(
        load(Definition(text, "circuitry", "here/program.kdl")),
        Surroundings(ground=Ground(root, root) if root else None),
    )


@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.name)
def test_an_example_shows_what_a_rule_finds(rule: Rule, tmp_path: Path) -> None:
    said = found(rule.bad, tmp_path)
    assert {one.code for one in said} == {rule.code}
    assert all(one.start is not None or rule.name == "output-wrong" for one in said)
    assert found(rule.good, tmp_path) == []


def test_kdl_that_cannot_be_read_is_said_by_the_loader() -> None:
    rule = next(rule for rule in rules() if rule.code == "C801")
    with pytest.raises(CircuitError) as caught:
        load(Definition(rule.bad, "circuitry"))
    assert caught.value.position is not None
    assert found(rule.good) == []


def test_codes_and_names_are_each_there_once_and_in_order() -> None:
    codes = [rule.code for rule in rules()]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in rules()}) == len(codes)


def test_every_code_of_the_language_has_one_of_ours() -> None:
    said = {line.split("\t")[0] for name in names() for line in vector(name).codes or () if line.startswith("prog")}
    assert said <= set(references().values())


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("bad-")])
def test_whatever_is_wrong_with_a_program_is_found(name: str) -> None:
    case = vector(name)
    try:
        said = [one for one in found(case.text) if one.code in references()]
    except CircuitError:
        assert [line.split("\t")[0] for line in case.codes or ()] == ["program.kdl"]
        return
    assert sorted(references()[one.code] for one in said) == sorted(line.split("\t")[0] for line in case.codes or ())
    assert all(one.severity is Severity.ERROR for one in said)


@pytest.mark.parametrize("name", [name for name in names() if vector(name).tree and "output" in vector(name).tree])
def test_nothing_that_runs_to_its_end_is_an_error_unless_it_is_about_what_never_ran(name: str) -> None:
    case = vector(name)
    ran = {call["call"] for generation in case.tree["generations"] for call in generation}
    for one in found(case.text):
        assert one.severity is not Severity.ERROR or one.step not in ran


def test_a_place_is_where_it_is_in_the_whole_document() -> None:
    text = '---\n\na source="" {\n  inn 1\n  out $x\n}\nout ?x\n---\n# Task\n'
    (one, *_) = found(text)
    assert (one.code, one.start) == ("C814", (4, 3))


def test_a_section_that_is_there_twice_is_shown_where_it_is_there_again() -> None:
    (one, *_) = found('---\nout "?@A"\n---\nIntro.\n\n# A\n\n# B\n\nA\n===\n')
    assert (one.code, one.start, one.end) == ("C802", (10, 1), (10, 2))
    assert [(other.message, other.start) for other in one.related] == [("it is there before", (6, 1))]


def test_a_section_inside_one_that_is_named_is_not_unused() -> None:
    text = '---\nout "@All"\n---\n# All\n## Part\nx\n'
    assert found(text) == []


@pytest.mark.parametrize(
    ("markdown", "unused"),
    [
        ("# All\n\n## Part\nx\n", []),
        ("All\n===\n\n## Part\nx\n", []),
        ("# All\nIts own words, of Part too.\n\n## Part\nx\n", ["All"]),
        ("# All\n\n## Other\ny\n\n## Part\nx\n", ["Other"]),
        ("# All\n\n# Part\nx\n", ["All"]),
        ("# Part\nx\n\n## Inside\ny\n\n# After\n", ["After"]),
    ],
)
def test_a_section_that_only_holds_others_is_not_unused(markdown: str, unused: list[str]) -> None:
    said = found(f'---\nout "@Part"\n---\n{markdown}')
    assert [one.message.split("“")[1].split("”")[0] for one in said if one.code == "C843"] == unused


def codes(text: str) -> list[tuple[str, str | None]]:
    return [(one.code, one.step) for one in found(text)]


@pytest.mark.parametrize(
    "text",
    [
        'a source="run" "?more" { out { more ?more } }\nout { more ?more }\n',
        # A handled failure ends it.
        'in { p $p }\na source="run" "$p" { out { next $p }; error { code "process.exit" } }\nout $p\n',
        # Values are only moved about, or are always the same.
        'in { a $a; b $b }\nswap source="" { in { x $a; y $b }; out { x $b; y $a } }\nout $a $b\n',
        'in { x $x; n $n }\nkeep source="" { in { x $x; n $n }; out { x $x } }\nout $x\n',
        'in { x $x }\nonce source="" { in { x $x; y { lit 1 } }; out { y $x } }\nout $x\n',
        'in { x $x }\ntext source="" { in "?$x"; out $x }\nout $x\n',
        'in { l { - $a; - $b } }\nturn source="" { in $a $b; out $b $a }\nout $a $b\n',
    ],
)
def test_a_loop_that_ends_is_none(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ('in { x $x; l $l }\na source="" { in { l { - $l; - $x } }; out { l $l } }\nout $l\n', Severity.WARNING),
        ('in { x $x }\na source="" { in "$x, $x"; out $y }\nb source="" { in $y; out $x }\nout $x\n', Severity.WARNING),
        ('in { x $x }\na source="" { in $x $x; out $x $x }\nout $x\n', Severity.WARNING),
        ('in { x $x }\na source="" { in $x; (jsonl)out $x }\nout $x\n', Severity.WARNING),
        # What is put in may be taken out again.
        (
            'in { x $x }\na source="" { in { box { v $x } }; out { box $y } }\n'
            'b source="" { in { y $y }; out { y { v $x } } }\nout $x\n',
            Severity.NOTE,
        ),
        ('in { x $x }\na source="run" "$x" { out $x }\nout $x\n', Severity.NOTE),
        # Another call undoes it each time.
        (
            'in { x $x }\na source="" { in "$x."; out $x }\nb source="run" "$x" { out { x ?x } }\nout $x\n',
            Severity.NOTE,
        ),
    ],
)
def test_a_loop_that_has_no_end_of_its_own_is_said(text: str, severity: Severity) -> None:
    (one,) = found(text)
    assert (one.code, one.step, one.severity) == ("C848", "a", severity)


@pytest.mark.parametrize(
    "text",
    [
        # Alternatives: one of the names that are waited for is missing.
        'in { t $t }\nlook source="look" "$t" { out { bug ?bug; wish ?wish } }\n'
        'fix source="fix" "$bug" { out $r }\nplan source="plan" "$wish" { out $r }\nout $r\n',
        'in { url ?url; file ?file }\nget source="get" "$url" { out $r }\n'
        'read source="read" "$file" { out $r }\nout $r\n',
        'a source="run" { out $ok; error { code $why } }\n'
        'b source="" { in "done $ok"; out $r }\nc source="" { in "failed $why"; out $r }\nout $r\n',
        # A usual value that one written later may replace.
        'in { url ?url }\nusual source="" { in "none"; out $r }\nget source="get" "$url" { out $r }\nout $r\n',
        'usual source="" { in "none"; out $r }\nget source="get" { out $r; error }\nout $r\n',
        # What it waits for may come late, so that it runs after the other one.
        'in { a ?a }\nfirst source="one" "$a" { out $r }\nthen source="two" { out $a }\n'
        'now source="" { in 1; out $r }\nout $r $a\n',
        'again source="run" { in { r ?r }; out { b ?b; c $c } }\n'
        'one source="one" "$b" { out $s }\ntwo source="two" "$c" { out $s }\n'
        'three source="three" "$c" { out ?r; error }\nout $s\n',
        # One waits for the other, as what it needs comes a generation later.
        'in { n $n }\nfirst source="one" { out $p }\nnext source="two" "$p" { out $r }\n'
        'now source="three" "$n" { out $r }\nout $r\n',
    ],
)
def test_calls_of_which_one_may_not_run_do_not_bind_together(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        'in { n $n }\none source="one" { out $r }\ntwo source="two" "$n" { out $r }\nout $r\n',
        # What the later one waits for is always there, though something else may bind it, too.
        'in { n $n }\none source="one" { out $r }\n'
        'two source="two" "$n" { out { r $r; n ?n }; error { code $r } }\nout $r\n',
        # Both wait for what may be missing, and for the same.
        'in { n ?n }\none source="one" "$n" { out $r }\ntwo source="two" "$n" { out $r }\nout $r\n',
        # The later one always runs, so the other one is always lost.
        'in { n ?n }\none source="one" "$n" { out $r }\ntwo source="" { in 1; out { x ?r } }\n'
        'three source="" { in 1; out $r }\nout $r\n',
    ],
)
def test_what_is_always_lost_is_said(text: str) -> None:
    (one,) = found(text)
    assert (one.code, one.step) == ("C847", text.split("\n")[-3].split()[0])


def test_a_call_does_not_bind_together_with_itself() -> None:
    assert found('a source="run" { out $r; error { code $r } }\nout $r\n') == []


def test_what_only_a_failure_binds_may_go_unread() -> None:
    text = 'a source="run" { out { r $r; s $s }; error { code $c } }\nout { r ?r }\n'
    assert [(one.code, one.severity) for one in found(text)] == [("C841", Severity.WARNING), ("C841", Severity.NOTE)]


def test_a_name_that_is_all_of_a_value_has_to_be_there() -> None:
    assert codes('a source="" { in ?x; out $y }\nout { y ?y }\n') == [("C840", "a")]
    (one, other) = found(
        'a source="write" { in ?advice; out $text }\nb source="review" { in $text; out ?advice }\nout { t ?text }\n'
    )
    assert {one.code, other.code} == {"C842"}
    assert codes('a source="" { in { x ?x }; out $y }\nout { y ?y }\n') == [("C840", "a")]
    (one,) = found('a source="run" "?x" { out $y }\nout $y\n')  # an argument may be missing
    assert one.severity is Severity.WARNING
    assert codes("out ?x\n") == [("C840", None)]


@pytest.mark.parametrize("call", ['source="" { in "?@Nope"; out $x }', 'source="?@Nope" { out $x }'])
def test_a_call_that_is_nothing_but_a_missing_section_is_never_ready(call: str) -> None:
    (one,) = found(f"---\na {call}\nout {{ x ?x }}\n---\n")
    assert (one.code, one.step) == ("C842", "a")
    assert "---" not in call[one.start.column - 3 : one.start.column] if one.start else False


def test_what_waits_for_a_missing_section_waits_for_ever() -> None:
    said = found('---\na source="" { in "?@Nope"; out $x }\nb source="run" "$x" { out $y }\nout { y ?y }\n---\n')
    assert [(one.code, one.step) for one in said] == [("C842", "a"), ("C842", "b")]


def test_what_waits_for_a_call_that_never_runs_is_told_which() -> None:
    circle, after = found(
        'a source="" { in $b; out $a }\nb source="" { in $a; out $b }\nlast source="run" "$a" { out $c }\n'
        "out { c ?c; b ?b }\n"
    )[1:]
    assert circle.hint.startswith("let one of them begin")
    assert after.hint == "“a” comes from “a”, which has to run first"


def places(text: str, code: str) -> list[str]:
    """What the findings of a rule point at."""
    lines = text.split("\n")
    return [
        lines[one.start.line - 1][one.start.column - 1 : one.end.column - 1]
        for one in found(text)
        if one.code == code and one.start and one.end
    ]


def test_a_name_is_pointed_at_where_it_stands() -> None:
    text = (
        "---\nin { name $name; other $other }\n\n"
        'greet source="echo" \\\n  "Dear" "$nmae" { // $nam\n'
        '  in { /* ?nam */ a 1; b "hi $nam, ?$nam-e" }\n  (text)out { a $greeting; b ?b }\n  error { code $c }\n}\n'
        "out {\n  a $greeting\n  b $name\n  c ?gone\n}\n---\n"
    )
    assert sorted(places(text, "C840")) == ["$nam", "$nmae", "?$nam-e", "?gone"]
    assert places(text, "C841") == ["$other", "?b", "$c"]
    assert places(text, "C842") == ["$greeting"]
    assert places("a source=$x { out $y }\nout { y ?y }\n", "C840") == ["$x"]
    assert places('a source="\\u{24}x" { out $y }\nout { y ?y }\n', "C840") == ["a"]


@pytest.mark.parametrize(
    ("out", "pointed"),
    [
        ('"?@Taks"', ["?@Taks"]),
        ('"Please ?@Taks, and stop." // ?@Taks', ["?@Taks"]),
        ('"Please ?@Taks and then stop. $x"', ["?@Taks and then stop. "]),
        ('"?@Deep taks: it"', ["?@Deep taks: it"]),
        ('"?@Nothing like it"', []),
        ('"?@"', []),
    ],
)
def test_a_misspelt_optional_section_is_found_in_a_longer_text_too(out: str, pointed: list[str]) -> None:
    kdl = f'in {{ x $x }}\n/* ?@Taks */ out {{ a {out}\n b $x; c "@Task @Deep task" }}'
    text = f"---\n{kdl}\n---\n# Task\nx\n# Deep task\ny\n"
    assert places(text, "C844") == pointed


def test_a_nested_program_beside_is_there(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "leaf.kdl").write_text("out 1\n", "utf-8")
    assert found('a source="leaf.kdl" { out $x }\nout $x\n', tmp_path) == []
    (missing,) = found('a source="laef.kdl" { out $x }\nout $x\n', tmp_path)
    assert (missing.code, missing.hint) == ("C845", "did you mean “leaf.kdl”?")
    (outside,) = found('a source="../../leaf.kdl" { out $x }\nout $x\n', tmp_path)
    assert outside.code == "C846"


def test_a_nested_program_that_no_run_can_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "here" / "folder.kdl").mkdir(parents=True)
    (tmp_path / "here" / "latin.kdl").write_bytes(b'out "\xe4"\n')
    (tmp_path / "here" / "marked.md").write_bytes(b'\xef\xbb\xbf---\nout "@A"\n---\n# A\nx')
    names = ("folder.kdl", "latin.kdl", "marked.md", "none.kdl")
    text = "".join(f'c{at} source="{name}" {{ out $x{at} }}\n' for at, name in enumerate(names))
    said = [
        one.message.partition(", which ")[2] for one in found(text + "out { a $x0; b $x1; c $x2; d $x3 }\n", tmp_path)
    ]
    assert said == ["is no file", "is not UTF-8", "is not there"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('---\nout "@Tsak"\n---\n# Task\n', "did you mean “Task”?"),
        ('---\nout "@Elsewhere"\n---\n# Task\n', "write ?@ where the text may be missing"),
        ('---\nout "@Task"\n---\n# Task\n# Task\n', "two sections have one name"),
    ],
)
def test_a_section_that_is_missing_comes_with_what_was_meant(text: str, hint: str) -> None:
    (said,) = [one for one in found(text) if one.code == "C803"]
    assert said.hint.startswith(hint)
