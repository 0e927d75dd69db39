"""File lists as trees."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harvester.model.stored import StoredFile
from harvester.web.pages.tree import MAX_DEPTH, MAX_FILES, Folder, file_tree


def flat(folder: Folder, above: str = "") -> list[str]:
    found = [above + file.path for file in folder.files]
    for name, inner in folder.folders.items():
        found += flat(inner, f"{above}{name}/")
    return found


def depth(folder: Folder) -> int:
    return 1 + max((depth(inner) for inner in folder.folders.values()), default=0)


def test_folders_sum_up_what_is_below_them() -> None:
    root = file_tree([StoredFile("a/b/c", 1), StoredFile("a/d", 2), StoredFile("e", 4)])
    assert (root.n_files, root.size) == (3, 7)
    assert (root.folders["a"].n_files, root.folders["a"].size) == (2, 3)
    assert [file.path for file in root.files] == ["e"]


@given(st.lists(st.text("ab/.\\<", max_size=20), max_size=30))
def test_no_file_is_lost_whatever_its_path(paths: list[str]) -> None:
    root = file_tree([StoredFile(path, 1) for path in paths])
    assert sorted(flat(root)) == sorted(paths)


def test_a_tree_is_never_deeper_or_longer_than_a_page_can_show() -> None:
    root = file_tree([StoredFile("/".join("d" * 10_000), 1)] * (MAX_FILES + 5))
    assert depth(root) <= MAX_DEPTH + 1
    assert root.n_files == MAX_FILES
