"""Every lesson is stored as readers, students and strict nbval need it: run, complete, in a standard form."""

import re

import nbformat
import pytest
from paths import ROOT

from coincourse import course
from coincourse.course.authors import KERNEL, WIDGET_VIEW

LESSONS = sorted(path for path in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)

NOT_COMPARED = re.compile(r"nbval[-_]ignore[-_]output", re.IGNORECASE)
REFUSED = re.compile(r"nbval[-_]skip|(nbval[-_])?raises[-_]exception", re.IGNORECASE)
NOT_COMPARED_AT_MOST = 3
FOLDED_SOLUTION = re.compile(
    r"<details>\n<summary>Solution</summary>\n\n.*^```python\n.+^```\n\n.*</details>", re.MULTILINE | re.DOTALL
)
# a path of the machine on which a notebook was run, or the address of an object in its memory
OF_ONE_MACHINE = re.compile(
    rf"{re.escape(str(ROOT))}|(?<![\w.:/])/(home|Users|root|tmp|private|mnt)/|[A-Z]:\\+Users|\b0x[0-9a-f]{{6,}}"
)


def shown(output) -> str:
    """Everything in an output that can be read as text."""
    texts = [output.get("text", "")]
    texts += [str(value) for kind, value in output.get("data", {}).items() if kind not in ("image/png", "image/jpeg")]
    return "\n".join(texts)


def complaints_about_cell(cell) -> list[str]:
    """What is wrong with one code cell that is not empty."""
    found = []
    tags = " ".join(cell.metadata.get("tags", []))
    if cell.execution_count is None:
        found.append("has not been run")
    if any(output.output_type == "error" for output in cell.outputs):
        found.append("stores an error")
    if REFUSED.search(tags) or REFUSED.search(cell.source):
        found.append("is left out of the comparison, or may fail")
    if (NOT_COMPARED.search(tags) or NOT_COMPARED.search(cell.source)) and "#" not in cell.source:
        found.append("is not compared and does not say why in a comment")
    if "solution" in tags.split():
        found.append("is a solution that runs")
    if any(OF_ONE_MACHINE.search(shown(output)) for output in cell.outputs):
        found.append("shows a path or an address of one machine")
    if any(WIDGET_VIEW in output.get("data", {}) for output in cell.outputs):
        found.append("stores a live widget that no longer lives")
    return found


def complaints_about_solution(cell, exercises: set[str]) -> list[str]:
    """What is wrong with a text cell that is a solution."""
    found = []
    if cell.metadata.get("coinlib", {}).get("solution") not in exercises:
        found.append("is a solution that names no exercise of its lesson")
    if not re.fullmatch(FOLDED_SOLUTION, cell.source):
        found.append("is a solution that is not folded, or holds no code")
    return found


def complaints(notebook) -> list[str]:
    """What is wrong with a notebook; an empty list if nothing is."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    found = []
    if not any(cell.outputs for cell in code):
        found.append("no cell stores an output, so there is nothing to compare")
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        found.append("asks for a kernel other than python3")
    if "widgets" in notebook.metadata:
        found.append("stores the state of widgets")
    not_compared = [cell for cell in code if NOT_COMPARED.search(f"{cell.metadata.get('tags')} {cell.source}")]
    if len(not_compared) > NOT_COMPARED_AT_MOST:
        found.append(f"{len(not_compared)} cells are not compared; at most {NOT_COMPARED_AT_MOST} may be")
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        found.append("was not run once from the top")
    exercises = {cell.metadata.get("coinlib", {}).get("exercise") for cell in code}
    for number, cell in enumerate(notebook.cells, 1):
        about = []
        if cell in code:
            about = complaints_about_cell(cell)
        elif course.is_solution(cell):
            about = complaints_about_solution(cell, exercises)
        found += [f"cell {number} {complaint}" for complaint in about]
    return found


def complaints_about_file(path) -> list[str]:
    """What is wrong with a stored lesson, including its form."""
    notebook = nbformat.read(path, 4)
    found = complaints(notebook)
    course.tidy(notebook)
    if path.read_text(encoding="utf-8") != course.as_text(notebook):
        found.append(f"is not in the form of the course; run: coinlib execute {path.name}")
    return found


def test_lessons_are_stored_as_they_should_be():
    assert len(LESSONS) > 16
    found = {path.stem: complaints_about_file(path) for path in LESSONS}
    assert {lesson: words for lesson, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "path", [path for path in LESSONS if path.parent.name == "notebooks"], ids=lambda path: path.stem
)
def test_the_way_through_ends_with_the_one_score(path):
    """The recap comes before the sections with a ★; the score and what comes next close it."""
    cells = nbformat.read(path, 4).cells
    stars = [place for place, cell in enumerate(cells) if cell.source.startswith("## ★")]
    recap = next(place for place, cell in enumerate(cells) if " · What you can do now" in cell.source)
    scores = [place for place, cell in enumerate(cells) if "\nScore(" in f"\n{cell.source}"]
    end = min([*stars, len(cells)])
    assert scores == [end - 1]
    assert recap < end


# Each of these faults is found


def good_notebook():
    """A notebook with nothing to complain about: two code cells, the second a stub, and its solution."""
    output = nbformat.v4.new_output("execute_result", {"text/plain": "2"})
    stub = {"coinlib": {"exercise": "settle"}}
    solution = {"tags": ["solution"], "coinlib": {"solution": "settle"}}
    folded = "<details>\n<summary>Solution</summary>\n\n```python\nx = 1\n```\n\nOne.\n\n</details>"
    cells = [
        nbformat.v4.new_markdown_cell("# Hats"),
        nbformat.v4.new_code_cell("1 + 1", execution_count=1, outputs=[output]),
        nbformat.v4.new_code_cell("2", execution_count=2, outputs=[output], metadata=stub),
        nbformat.v4.new_markdown_cell(folded, metadata=solution),
    ]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": dict(KERNEL)})


def tag(name, source="1 + 1"):
    return lambda nb: nb.cells[1].update(source=source, metadata=nbformat.from_dict({"tags": [name]}))


def show(text, kind="text/plain"):
    return lambda nb: nb.cells[1].outputs[0].data.update({kind: text})


def ignore_four(nb):
    nb.cells[1].source = "# NBVAL_IGNORE_OUTPUT: how long it took"
    nb.cells += [nb.cells[1]] * 3


def error(nb):
    nb.cells[1].outputs = [nbformat.v4.new_output("error", ename="E", evalue="", traceback=[])]


FAULTS = [
    (lambda nb: nb.cells[1].update(execution_count=None, outputs=[]), "cell 2 has not been run"),
    (lambda nb: nb.cells[1].update(execution_count=7), "was not run once from the top"),
    (lambda nb: [cell.update(outputs=[]) for cell in nb.cells[1:3]], "no cell stores an output"),
    (error, "cell 2 stores an error"),
    (tag("nbval-skip"), "is left out of the comparison"),
    (tag("x", "# NBVAL_SKIP\n1"), "is left out of the comparison"),
    (tag("raises-exception"), "may fail"),
    (tag("nbval-ignore-output"), "does not say why"),
    (ignore_four, "4 cells are not compared; at most 3"),
    (lambda nb: nb.metadata.update(widgets={}), "stores the state of widgets"),
    (show("{}", WIDGET_VIEW), "stores a live widget that no longer lives"),
    (lambda nb: nb.metadata.kernelspec.update(name="coinlib"), "a kernel other than python3"),
    (lambda nb: nb.cells[2].metadata.update(tags=["solution"]), "cell 3 is a solution that runs"),
    (lambda nb: nb.cells[2].metadata.pop("coinlib"), "cell 4 is a solution that names no exercise"),
    (lambda nb: nb.cells[3].update(source="```python\nx = 1\n```"), "cell 4 is a solution that is not folded"),
    (show("'/home/ada/course/data'"), "cell 2 shows a path or an address"),
    (show(str(ROOT)), "shows a path"),
    (show("<hats.Hats object at 0x7f3a5c1d2e80>"), "shows a path or an address"),
]


def test_each_fault_is_found():
    assert complaints(good_notebook()) == []
    for spoil, complaint in FAULTS:
        notebook = good_notebook()
        spoil(notebook)
        assert complaint in "; ".join(complaints(notebook))
