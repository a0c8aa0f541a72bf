"""The commands about findings, as somebody types them."""

import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from circuit_export import resources
from circuit_export.formats.base import Surroundings
from circuit_export.validation import docs
from circuit_export.validation.check import findings
from circuit_export.validation.project import read_candidate
from circuit_export.validation.rules import rules

ROOT = Path(__file__).resolve().parents[2]
GOOD = (
    '{"circuit": 1, "name": "Hello", "steps": [\n'
    ' {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},\n'
    ' {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Hello."}}\n'
    "]}\n"
)
BAD = GOOD.replace('"to": "say"', '"to": "sayy"')


def circuit(*args: str, cwd: Path, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "circuit_export", *args],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1", "CIRCUIT_CACHE_DIR": str(cwd / ".cache"), **env},
        check=False,
    )


def test_a_clean_folder(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(GOOD, "utf-8")
    done = circuit("validate", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "No findings in 1 file.\n")


def test_a_finding_points_at_the_character(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(BAD, "utf-8")
    done = circuit("validate", "a.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "error[C201]" in done.stdout
    assert " --> a.json:2:93\n" in done.stdout
    assert "did you mean “say”?" in done.stdout
    assert "Traceback" not in done.stderr


def test_nothing_to_check(tmp_path: Path) -> None:
    done = circuit("validate", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "Nothing to check.\n")


@pytest.mark.parametrize(
    "args",
    [
        ("validate", "none.json"),
        ("validate", "--select", "C5O1"),
        ("validate", "--format", "sarif", "--format", "json"),
        ("validate", "--write-baseline"),
        ("validate", ""),
        ("validate", "--format", "json", "--format", "sarif", "--output-file", "x", "--output-file", "./x"),
        ("explain", "C50l"),
        ("schema", "stesp"),
    ],
)
def test_usage_errors(tmp_path: Path, args: tuple[str, ...]) -> None:
    done = circuit(*args, cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_stdin_and_several_reports(tmp_path: Path) -> None:
    outputs = ("--format", "concise", "--format", "sarif", "--output-file", "x.sarif")
    done = circuit("validate", "-", *outputs, cwd=tmp_path, stdin=BAD)
    assert done.returncode == 1
    assert done.stdout.startswith("<stdin>:2:93: error[C201]")
    assert json.loads((tmp_path / "x.sarif").read_text("utf-8"))["version"] == "2.1.0"


def test_an_exported_page(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(BAD, "utf-8")
    assert circuit("export", "a.json", cwd=tmp_path).returncode == 0
    done = circuit("validate", "a.html", "--format", "json", cwd=tmp_path)
    (found,) = json.loads(done.stdout)["findings"]
    assert (found["code"], found["file"], found["line"]) == ("C201", "a.html", 2)


def test_fix_and_diff(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(BAD, "utf-8")
    shown = circuit("validate", "--diff", "--unsafe-fixes", cwd=tmp_path)
    assert '+ {"id": "ask"' in shown.stdout
    assert circuit("validate", "--fix", "--unsafe-fixes", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.json").read_text("utf-8") == GOOD


def test_github_writes_a_job_summary(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(BAD, "utf-8")
    done = circuit("validate", "--format", "github", cwd=tmp_path, GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"))
    assert done.stdout.startswith("::error file=a.json,line=2,col=93,")
    assert "error C201" in (tmp_path / "summary.md").read_text("utf-8")


def test_explain_and_rules(tmp_path: Path) -> None:
    assert circuit("explain", "unguarded-write", cwd=tmp_path).stdout.startswith("# C501: unguarded-write\n")
    assert "C201  error    unknown-wire-target" in circuit("rules", cwd=tmp_path).stdout


def test_schema(tmp_path: Path) -> None:
    assert "steps" in circuit("schema", cwd=tmp_path).stdout.split()
    assert json.loads(circuit("schema", "steps", cwd=tmp_path).stdout)["title"] == "Circuit board"


def test_fmt(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(GOOD, "utf-8")
    assert circuit("fmt", "--check", cwd=tmp_path).returncode == 1
    assert file.read_text("utf-8") == GOOD
    assert circuit("fmt", cwd=tmp_path).returncode == 0
    assert json.loads(file.read_text("utf-8")) == json.loads(GOOD)
    assert circuit("fmt", "--check", cwd=tmp_path).returncode == 0
    assert circuit("fmt", "-", cwd=tmp_path, stdin=GOOD).stdout == file.read_text("utf-8")


def test_fmt_loses_nothing(tmp_path: Path) -> None:
    twice = GOOD.replace('"name": "Hello"', '"name": "Hello", "name": "Twice"')
    done = circuit("fmt", "-", cwd=tmp_path, stdin=twice)
    assert (done.returncode, done.stdout) == (1, "")


def test_init_writes_what_is_clean(tmp_path: Path) -> None:
    assert circuit("init", cwd=tmp_path).returncode == 0
    assert circuit("validate", cwd=tmp_path).returncode == 0
    assert circuit("fmt", "--check", cwd=tmp_path).returncode == 0
    (tmp_path / "circuit.toml").write_text("# ours\n", "utf-8")
    assert circuit("init", cwd=tmp_path).returncode == 1
    assert (tmp_path / "circuit.toml").read_text("utf-8") == "# ours\n"


def test_our_own_examples_are_clean(tmp_path: Path) -> None:
    done = circuit("validate", "examples", cwd=ROOT, CIRCUIT_CACHE_DIR=str(tmp_path))
    assert (done.returncode, done.stdout.startswith("No findings in ")) == (0, True), done.stdout


def test_the_page_of_findings_is_up_to_date() -> None:
    assert (resources.folder("schemas") / "RULES.md").read_text("utf-8") == docs.page()


@pytest.mark.parametrize("rule", [rule for rule in rules() if rule.code < "C010"], ids=lambda rule: rule.code)
def test_the_examples_of_reading(rule: object) -> None:
    for text, codes in ((rule.bad, [rule.code]), (rule.good, [])):  # type: ignore[attr-defined]
        (read,) = read_candidate(text.encode("utf-8", "surrogateescape"), "example.json")
        assert [found.code for found in findings(read, Surroundings())] == codes


# --- in people's hands -------------------------------------------------------------------------------------------


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of the folder, served."""
    handler = partial(QuietHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""


def test_a_url(tmp_path: Path, served: str) -> None:
    (tmp_path / "a.json").write_text(BAD, "utf-8")
    done = circuit("validate", f"{served}/a.json", "--format", "json", cwd=tmp_path)
    [found] = json.loads(done.stdout)["findings"]
    assert (done.returncode, found["code"], found["line"], found["column"]) == (1, "C201", 2, 93)
    assert found["file"] == f"{served}/a.json"
    assert circuit("export", "a.json", cwd=tmp_path).returncode == 0
    page = circuit("validate", f"{served}/a.html", "--format", "concise", cwd=tmp_path)
    assert (page.returncode, "error[C201]" in page.stdout) == (1, True)
    gone = circuit("validate", f"{served}/none.json", cwd=tmp_path)
    assert (gone.returncode, "Traceback" in gone.stderr) == (1, False)


def test_the_hooks_run_as_pre_commit_runs_them(tmp_path: Path) -> None:
    hooks = yaml(ROOT / ".pre-commit-hooks.yaml")
    (tmp_path / "package.json").write_text('{"name": "x"}', "utf-8")
    (tmp_path / "notes.md").write_text("# Notes\n", "utf-8")
    (tmp_path / "a.json").write_text(BAD, "utf-8")
    (tmp_path / "tsconfig.json").write_text('// JSON with comments\n{"compilerOptions": {},}', "utf-8")
    (tmp_path / "config.kdl").write_text("layout { pane }\n", "utf-8")
    (tmp_path / "wrong.kdl").write_text('a source="run" { inn 1; out $x }\nout $x\n', "utf-8")
    names = ["package.json", "tsconfig.json", "notes.md", "config.kdl", "a.json"]
    assert all(re.search(hooks[0]["files"], name) for name in names)
    validate, fmt = (hook["entry"].split()[1:] for hook in hooks)
    done = circuit(*validate, *names, cwd=tmp_path)
    assert (done.returncode, done.stdout.count("error[")) == (1, 1)
    assert circuit(*validate, *names[:4], cwd=tmp_path).returncode == 0
    assert "C814" in circuit(*validate, "wrong.kdl", cwd=tmp_path).stdout
    (tmp_path / "a.json").write_text(GOOD, "utf-8")
    assert circuit(*validate, *names, cwd=tmp_path).returncode == 0
    assert circuit(*fmt, *names, cwd=tmp_path).returncode == 0, "pre-commit itself sees what changed"
    assert (tmp_path / "a.json").read_text("utf-8") != GOOD
    assert (tmp_path / "package.json").read_text("utf-8") == '{"name": "x"}'
    assert circuit(*fmt, *names[:3], cwd=tmp_path).returncode == 0


def yaml(file: Path) -> list[dict[str, str]]:
    """The mappings of a plain YAML list, without a library."""
    blocks = re.split("^- ", file.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return [dict(re.findall(r"^ *(\w+): (.*)$", block, re.MULTILINE)) for block in blocks]


@pytest.mark.skipif(os.name != "posix", reason="the action runs in bash")
@pytest.mark.parametrize(("fail_on", "sarif", "code"), [("", "", 1), ("never", "out.sarif", 0)])
def test_the_action_runs_as_github_runs_it(tmp_path: Path, fail_on: str, sarif: str, code: int) -> None:
    text = (ROOT / ".github" / "actions" / "validate" / "action.yml").read_text("utf-8")
    script = textwrap.dedent(text.split("      run: |\n")[1]).replace("python3", sys.executable)
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "a.json").write_text(BAD, "utf-8")
    summary = tmp_path / "summary.md"
    given = {"PATHS": "boards boards/a.json", "FAIL_ON": fail_on, "SARIF_FILE": sarif}
    env = {**os.environ, **given, "GITHUB_STEP_SUMMARY": str(summary), "PYTHONPATH": str(ROOT)}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith("::error file=boards/a.json,line=2,col=93,")
    assert "C201" in summary.read_text("utf-8")
    assert (tmp_path / "out.sarif").exists() is bool(sarif)


@pytest.mark.parametrize("command", ["validate", "trace"])
@pytest.mark.parametrize(("choice", "coloured"), [("always", True), ("never", False), ("auto", False)])
def test_colours_are_as_told(tmp_path: Path, command: str, choice: str, coloured: bool) -> None:
    (tmp_path / "a.json").write_text(BAD, "utf-8")
    (tmp_path / "a.scenarios.json").write_text('{"scenarios": [{"name": "one"}]}', "utf-8")
    done = circuit(command, "--color", choice, cwd=tmp_path)
    assert ("\x1b[" in done.stdout) is coloured


@pytest.mark.skipif(os.name != "posix", reason="a shell closes what it starts with")
def test_a_closed_stdout_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(BAD, "utf-8")
    for command in ("validate", "trace", "rules", "fmt --check --diff"):
        script = f'"{sys.executable}" -m circuit_export {command} >&-'
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert "fault in circuit-export" not in done.stderr, done.stderr
