"""Golden files by syrupy, one a snapshot, each where its name says; an update writes that file and touches no other."""

from collections.abc import Iterator
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any

from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension

MOST = 40
"""Lines of a difference that are shown: a page is long, and its first differences say enough."""
WIDEST = 200


class GoldenFile(SingleFileSnapshotExtension):
    """A snapshot is the file `folder / name`, byte for byte: `assert data == snapshot(name="board.html")`.

    By default a plugin takes whatever lies in its folder for a snapshot of its own and deletes what no test asked for.
    These discover nothing and delete nothing; that each golden is used, the tests say themselves.
    """

    folder = Path(__file__).resolve().parents[2] / "goldens" / "pages"

    @classmethod
    def get_location(cls, *, test_location: Any, index: Any) -> str:
        assert isinstance(index, str), "a golden file has a name"
        return str(cls.folder / index)

    @classmethod
    def matches_test_location(cls, *, test_location: Any, snapshot_location: str) -> bool:
        return True

    def discover_snapshots(self, *, test_location: Any, ignore_extensions: Any = None) -> SnapshotCollections:
        return SnapshotCollections()

    def delete_snapshots(self, *, snapshot_location: str, snapshot_names: set[str]) -> None:
        raise AssertionError(f"{snapshot_location} is not to be deleted")

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        before, now = (bytes(data).decode("utf-8").splitlines() for data in (snapshot_data or b"", serialized_data))
        for line in islice(unified_diff(before, now, "golden", "now", n=1, lineterm=""), MOST):
            yield line if len(line) <= WIDEST else f"{line[:WIDEST]}…"
