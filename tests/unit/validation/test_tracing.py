"""Which files belong to a workflow's runs, and what an update does to goldens."""

from pathlib import Path

import pytest

from circuit_export.diagnostics import UsageError
from circuit_export.validation.cache import Cache
from circuit_export.validation.config import Settings
from circuit_export.validation.report import Report, Request, Runs
from circuit_export.validation.run import validate
from circuit_export.validation.tracing import Tracing, Update, updates, with_workflows

BOARD = (
    '{"circuit": 1, "name": "A", "steps": [{"id": "s", "type": "note.say", "title": "S", "config": {"template": "x"}}]}'
)
TWO = '{"scenarios": [{"name": "one"}, {"name": "two"}]}'
TRACE = "say s\ndone\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "circuit.toml", "")
    write(tmp_path / "boards" / "a.v2.json", BOARD)
    write(tmp_path / "boards" / "a.v2.scenarios.json", TWO)
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def traced(folder: Path, **more: object) -> Report:
    return validate(Request((folder,), runs=Runs.ONLY, **more))  # type: ignore[arg-type]


def test_the_files_of_a_workflow(project: Path) -> None:
    tracing = Tracing(Settings(project, goldens="kept"), Cache(None))
    files = tracing.files("boards/a.v2.json", project / "boards" / "a.v2.json")
    assert files[:3] == ("boards/a.v2.json", "boards/a.v2.scenarios.json", "kept/traces/boards/a.v2.trace")
    assert (files.scenarios_text, files.golden_text) == (TWO, None)


def test_a_workflow_outside_the_project_has_its_golden_beside_itself(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    place = Tracing(Settings(project), Cache(None)).places(f"{other.as_posix()}/b.json", other / "b.json")
    assert place.golden == other / "goldens" / "traces" / "b.trace"


def test_scenarios_that_are_named_mean_their_workflow(project: Path) -> None:
    scenarios = project / "boards" / "a.v2.scenarios.json"
    assert with_workflows([scenarios]) == (scenarios, project / "boards" / "a.v2.json")
    assert [checked.files.workflow for checked in traced(scenarios).traced] == ["boards/a.v2.json"]


def test_an_update_is_all_of_it_or_one_scenario(project: Path) -> None:
    golden = "goldens/traces/boards/a.v2.trace"
    assert updates(traced(project)) == [Update(golden, f"# one\n{TRACE}\n# two\n{TRACE}")]
    write(project / golden, f"# one\nsay t\ndone\n\n# two\nsay t\ndone\n\n# three\n{TRACE}")
    report = traced(project)
    assert updates(report, ["two"]) == [Update(golden, f"# one\nsay t\ndone\n\n# two\n{TRACE}\n# three\n{TRACE}")]
    assert updates(report, ["three"]) == [Update(golden, "# one\nsay t\ndone\n\n# two\nsay t\ndone\n")]
    assert updates(report, ["one", "two", "three"]) == [Update(golden, f"# one\n{TRACE}\n# two\n{TRACE}")]
    with pytest.raises(UsageError, match="did you mean “three”"):
        updates(report, ["threee"])


def test_a_golden_of_which_nothing_is_left_goes(project: Path) -> None:
    golden = write(project / "goldens" / "traces" / "boards" / "a.v2.trace", f"# one\n{TRACE}")
    stale = write(project / "goldens" / "traces" / "gone.trace", f"# one\n{TRACE}")
    (project / "boards" / "a.v2.scenarios.json").unlink()
    report = traced(project)
    assert [found.code for found in report.findings] == ["C913", "C913"]
    assert updates(report, paths=[project]) == [
        Update("goldens/traces/boards/a.v2.trace", None),
        Update(str(stale), None),
    ]
    assert updates(report, paths=[golden]) == [Update("goldens/traces/boards/a.v2.trace", None)]


def test_only_goldens_below_what_was_asked_for_are_looked_at(project: Path) -> None:
    write(project / "goldens" / "traces" / "gone.trace", TRACE)
    write(project / "goldens" / "traces" / "boards" / "b.trace", TRACE)
    found = [found.file for found in traced(project / "boards").findings if found.code == "C913"]
    assert found == ["goldens/traces/boards/b.trace"]


def test_the_pointer_of_a_step_is_the_formats_to_say(project: Path) -> None:
    write(project / "boards" / "a.v2.scenarios.json", '{"scenarios": []}')
    lost = BOARD.replace("]}", ', {"id": "lost", "type": "note.say", "title": "L", "config": {"template": "x"}}]}')
    write(project / "boards" / "a.v2.json", lost)
    write(project / "boards" / "a.v2.scenarios.json", '{"scenarios": [{"name": "one"}]}')
    found = [found for found in traced(project).findings if found.code == "C921"]
    assert [(one.step, one.start and one.start.column) for one in found] == [("lost", lost.index('{"id": "lost"') + 1)]


def test_a_run_that_needs_more_than_the_project_grants_does_not_finish(project: Path) -> None:
    write(project / "circuit.toml", "max-directives = 1\n")
    two = BOARD.replace('"config": {"template": "x"}', '"config": {"template": "x"}, "next": [{"to": "t"}]').replace(
        "]}]}", ']}, {"id": "t", "type": "note.say", "title": "T", "config": {"template": "x"}}]}'
    )
    write(project / "boards" / "a.v2.json", two)
    assert {found.code for found in traced(project).findings} >= {"C905"}


def test_scenarios_that_are_not_utf8_are_not_guessed_at(project: Path) -> None:
    (project / "boards" / "a.v2.scenarios.json").write_bytes(TWO.replace("one", "größe").encode("latin-1"))
    report = traced(project)
    assert [(found.code, found.message) for found in report.findings] == [("C901", "The scenarios are not UTF-8")]
    assert updates(report) == []
