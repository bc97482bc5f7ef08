"""Giving letters back: into each student's folder, or into a zip for students who have none."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePath

from coincourse.classroom.handed_in import GIVEN_BACK
from coinlib.arguments import counted
from coinlib.files import whole_file

ARCHIVE = "letters.zip"


def give_back(
    letters: Mapping[str, Path], folders: Mapping[str, list[PurePath]], hand_ins: Path, results: Path
) -> list[str]:
    """Put each letter into its student's folders; return what was done, as sentences.

    Letters for students who have no folder go into letters.zip, which has a folder for each of them.

    Parameters
    ----------
    letters : dict of str to Path
        The letter of each student.
    folders : dict of str to list of PurePath
        The folders of each student, relative to `hand_ins`.
    hand_ins : Path
    results : Path
        The folder for letters.zip.
    """
    root = hand_ins.resolve()
    of_folder: dict[Path, list[Path]] = {}
    without = []
    for student, letter in letters.items():
        for folder in folders.get(student, []):
            of_folder.setdefault(root / folder, []).append(letter)
        if not folders.get(student):
            without.append(letter)
    refused = [folder for folder, given in of_folder.items() if not _put_into(folder, given)]
    archive = results / ARCHIVE
    archive.unlink(missing_ok=True)
    if without:
        with whole_file(archive) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as made:
            for letter in without:
                made.write(letter, f"{letter.stem}/{letter.name}")
    said = []
    if of_folder:
        said.append(f"Letters were put into {counted(len(of_folder) - len(refused), 'folder')} in {hand_ins}.")
    said += [f"No letter could be put into {folder}." for folder in refused]
    if without:
        said.append(f"Letters for {counted(len(without), 'student')} with no folder in {hand_ins} are in {archive}.")
    return said


def _put_into(folder: Path, letters: list[Path]) -> bool:
    """Replace the letters in a folder; return whether that was possible. No link is followed."""
    try:
        if folder.resolve() != folder:
            return False
        for old in folder.glob(f"{GIVEN_BACK}*.html"):
            old.unlink()
        for letter in letters:
            with open(folder / f"{GIVEN_BACK}{letter.name}", "xb") as file:
                file.write(letter.read_bytes())
    except OSError:
        return False
    return True
