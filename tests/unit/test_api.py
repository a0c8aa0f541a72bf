"""The front door as a program uses it that runs for long: what it reads is what is there now."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from circuit_export import CircuitError, api, resources


def write(file: Path, *calls: str, **more: Any) -> str:
    """A board in a file, that calls others by their ids."""
    steps = [
        {"id": f"c{n}", "type": "flow.call", "title": "Call", "config": {"workflowId": id}}
        for n, id in enumerate(calls)
    ] or [{"id": "a", "type": "note.say", "title": "Say"}]
    text = json.dumps({"circuit": 1, "name": "N", **more, "steps": steps})
    file.write_text(text, "utf-8")
    return text


def called(file: Path) -> list[str]:
    return [other.text for other in api.load(file).bundle.others]


def test_what_is_called_is_read_anew_for_every_load(tmp_path: Path) -> None:
    main = tmp_path / "main.json"
    write(main, "by-stem", "by-id")
    assert called(main) == []
    stem = write(tmp_path / "by-stem.json")
    other = write(tmp_path / "other.json", id="by-id")
    assert called(main) == [stem, other]
    other = write(tmp_path / "other.json", id="by-id", description="changed")
    assert called(main) == [stem, other]
    (tmp_path / "other.json").unlink()
    assert called(main) == [stem]
    (tmp_path / "kept").mkdir()
    kept = write(tmp_path / "kept" / "x.json", id="by-id")
    (tmp_path / "circuit.toml").write_text('[workflows]\nby-id = "kept/x.json"\n')
    assert called(main) == [stem, kept]


def test_a_folder_is_told_from_another_of_the_same_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for place in ("one", "two"):
        folder = tmp_path / place / "boards"
        folder.mkdir(parents=True)
        write(folder / "main.json", "child")
        texts.append(write(folder / "x.json", id="child", name=place))
    found = []
    for place in ("one", "two"):
        monkeypatch.chdir(tmp_path / place)
        found += called(Path("boards/main.json"))
    assert found == texts


def test_a_theme_of_ones_own_is_read_anew(tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(resources.folder("themes") / "paper", own)
    workflow = api.loads(write(tmp_path / "main.json"))
    assert "#12fe34" not in api.export_page(workflow, theme=str(own))
    tokens = json.loads((own / "theme.json").read_text("utf-8"))
    tokens["light"]["rule"] = "#12fe34"
    (own / "theme.json").write_text(json.dumps(tokens), "utf-8")
    assert "#12fe34" in api.export_page(workflow, theme=str(own))
    assert api.theme("paper") is api.theme("paper")


def test_a_pick_that_is_not_there_is_an_error_for_a_plain_definition_too(tmp_path: Path) -> None:
    file = tmp_path / "main.json"
    write(file)
    assert api.load(file, pick=1).document.name == "N"
    with pytest.raises(CircuitError, match="no workflow number 2"):
        api.load(file, pick=2)


def test_no_link_leads_out_of_the_folder_to_what_is_called(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "elsewhere").mkdir()
    secret = tmp_path / "elsewhere" / "other.json"
    text = write(secret, id="other")
    main = tmp_path / "boards" / "main.json"
    write(main, "other")
    link = main.with_name("other.json")
    link.symlink_to(secret)
    assert called(main) == []
    (tmp_path / "circuit.toml").write_text("")  # now both are of one project
    assert called(main) == [text]
