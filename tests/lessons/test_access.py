"""Access for everybody: what stands in place of figures, the order of headings, contrast, and colours.

What only a browser can tell is in tests/full/jupyterlab/test_access_live.py.
"""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import colours
import matplotlib
import mistune
import nbformat
import numpy as np
import pytest
import referee
from colours import READABLE, WEAK, contrast, contrasts, distance, distance_for_all
from paths import ROOT

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex, to_rgb

from coincourse.course import alternative_text, notebooks, tidy
from coincourse.course.authors import FIGURE
from coincourse.labs import Board, PileLab, ProofLab, TriangleLab
from coincourse.labs.base import looks
from coincourse.labs.boards.words import COIN, GONE
from coinlib import QLearner, RandomAgent, plots, sticks, train
from coinlib.plots import look, memory, trees

LESSONS = [ROOT / "notebooks" / name for name in notebooks(ROOT / "notebooks")]  # and projects
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "data/*.md", "benchmarks/*.md")
    for path in ROOT.glob(pattern)
    if not any(part.startswith("_") for part in path.relative_to(ROOT).parts)
)


# --- alternative text of figures ------------------------------------------------------------------------

SHORTEST, LONGEST = 40, 450  # letters: a name is too little, and nobody can leaf through what is read to them
IDLE = re.compile(r"(a |an |the )?(picture|image|figure|plot|graphic|screenshot) (of|that|show)", re.IGNORECASE)
SAME_IN_WORDS = re.compile(r"\b(table|list|lines|text|output|tuple)\b[^.]*\b(above|below|next)\b")


def figures(notebook):
    """The code cells that show a figure, each with the outputs that do."""
    for cell in notebook.cells:
        shown = [output for output in cell.get("outputs", []) if FIGURE in output.get("data", {})]
        if shown:
            yield cell, shown


def complaints_about_figure(cell, shown) -> list[str]:
    """What is wrong with the alternative text of one cell's figure."""
    words = alternative_text(cell)
    if not words.strip():
        return ["has a figure without alternative text: see CONTRIBUTING.md"]
    found = []
    if not SHORTEST <= len(words) <= LONGEST:
        found.append(f"has {len(words)} letters for its figure, not {SHORTEST} to {LONGEST}")
    if IDLE.match(words):
        found.append("says that its figure is a figure; say what it shows")
    if not SAME_IN_WORDS.search(words):
        found.append("does not say where the same stands as a table or as text")
    if len(shown) > 1:
        found.append("has several figures and one text: give each a cell of its own")
    if any(output.metadata.get(FIGURE, {}).get("alt") != words for output in shown):
        found.append("keeps another text in its output: run `coinlib execute`")
    return found


def complaints(notebook) -> list[str]:
    """What is wrong with the figures of a lesson."""
    found = []
    said = {}  # which cell has said these words
    for cell, shown in figures(notebook):
        found += [f"{cell.id} {complaint}" for complaint in complaints_about_figure(cell, shown)]
        words = alternative_text(cell)
        if words in said:
            found.append(f"{cell.id} says the same as {said[words]}")
        said[words] = cell.id
    return found


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_figure_is_told_in_words(path):
    assert complaints(nbformat.read(path, 4)) == []


WORDS = "A line that climbs from one half to nearly all. The table above has the numbers."


def lesson_with_figure(words=WORDS):
    """A lesson with one figure, as `coinlib execute` stores it."""
    figure = nbformat.v4.new_output("display_data", {FIGURE: "iVBORw0KGgo=", "text/plain": "<Figure>"})
    metadata = {"mystnb": {"image": {"alt": words}}} if words is not None else {}
    cell = nbformat.v4.new_code_cell("plt.show()", outputs=[figure], metadata=metadata)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Hats"), cell])
    tidy(notebook)
    return notebook


def test_a_poor_text_is_refused():
    notebook = lesson_with_figure()
    assert complaints(notebook) == []
    assert notebook.cells[1].outputs[0].metadata == {FIGURE: {"alt": WORDS}}  # where Jupyter looks for it
    for words, complaint in {
        None: "without alternative text",
        "   ": "without alternative text",
        "See the table below.": "20 letters",
        WORDS * 6: "letters for its figure",
        "Picture of a line. The table above has all of its numbers.": "say what it shows",
        "The figure shows a line that climbs. The table above has the numbers.": "say what it shows",
        "A line that climbs from one half to nearly all.": "does not say where the same stands",
    }.items():
        assert complaint in "; ".join(complaints(lesson_with_figure(words))), words


# --- headings -------------------------------------------------------------------------------------------

read_markdown = mistune.create_markdown(renderer="ast")
HTML_HEADING = re.compile(r"<h[1-6]\b", re.IGNORECASE)


def levels(markdown: str) -> list[int]:
    """The levels of all headings of a page, from the top."""
    body = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)  # settings of the page, not its text
    return [part["attrs"]["level"] for part in read_markdown(body) if part["type"] == "heading"]


def disorder(markdown: str) -> list[str]:
    """What is wrong with the headings of a page."""
    found = []
    order = levels(markdown)
    if order.count(1) != 1 or order[0] != 1:
        found.append(f"expected one heading of level 1, and that first; got levels {order}")
    found += [f"level {after} after level {before}" for before, after in pairwise(order) if after > before + 1]
    if HTML_HEADING.search(re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)):
        found.append("a heading in HTML, which no list of contents has")
    return found


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_headings_of_a_lesson_are_in_order(path):
    notebook = nbformat.read(path, 4)
    assert disorder("\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")) == []
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        shown = "".join(str(output.get("data", {}).get(kind, "")) for kind in ("text/html", "text/markdown"))
        assert not HTML_HEADING.search(shown) and not levels(shown)  # labs and tables have none of their own


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_headings_of_a_page_are_in_order(path):
    assert disorder(path.read_text(encoding="utf-8")) == []


def test_disorder_is_found():
    assert disorder("---\ntitle: x\n---\n# One\n\n## Two\n\n### Three\n\n## Two\n") == []
    assert disorder("# One\n\n### Three\n") == ["level 3 after level 1"]
    for page, words in {
        "# One\n\n# One more\n": "got levels [1, 1]",
        "```\n# in a program\n```\n": "got levels []",
        "## Two\n\n# One\n": "got levels [2, 1]",
        "# One\n\n<h2>Two</h2>\n": "in HTML",
    }.items():
        assert words in disorder(page)[0]


# --- contrast: figures ----------------------------------------------------------------------------------


def texts_on(figure):
    """Every text of a figure that has letters: legends and the numbers along the axes as well."""
    figure.draw_without_rendering()
    found = figure.findobj(lambda part: isinstance(part, matplotlib.text.Text))
    return [text for text in found if text.get_text().strip() and text.get_visible()]


def hard_to_read(figure):
    """The texts that stand on a ground from which they hardly differ; the texts are taken away for that."""
    texts = texts_on(figure)
    for text in texts:
        text.set_alpha(0)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3] / 255
    high, wide = pixels.shape[:2]
    for text in texts:
        left, low, right, top = np.round(text.get_window_extent().extents).astype(int)
        behind = pixels[max(high - top, 0) : high - max(low, 0), max(left, 0) : min(right, wide)]
        if behind.size and (share := (contrasts(text.get_color(), behind) >= READABLE).mean()) < 0.7:  # lines may pass
            yield f"{text.get_text()!r} can be read on {share:.0%} of its ground"


def faint(figure):
    """The colours of lines and marks that hardly differ from the ground of their axes."""
    for ax in figure.axes:
        if ax.images:  # the ground differs from cell to cell
            continue
        looks = [[line.get_color()] for line in ax.lines if line.get_linestyle() != "None"]
        looks += [[line.get_markeredgecolor()] for line in ax.lines if line.get_marker() not in ("None", "", None)]
        dots = [group for group in ax.collections if isinstance(group, matplotlib.collections.PathCollection)]
        looks += [[*group.get_facecolor(), *group.get_edgecolor()] for group in dots]  # bands lie behind their lines
        for look_of_one in looks:
            if max(contrast(to_rgb(part), to_rgb(ax.get_facecolor())) for part in look_of_one) < WEAK:
                yield to_hex(look_of_one[0])


@pytest.mark.parametrize("name", referee.PICTURES)
def test_texts_and_lines_of_a_figure_stand_out(name):
    figure = referee.PICTURES[name]().figure
    figure.set_dpi(60)  # enough for what is measured here
    assert texts_on(figure)
    assert list(faint(figure)) == []
    assert list(hard_to_read(figure)) == []
    plt.close(figure)


def test_what_cannot_be_read_is_found():
    figure, (grey, white) = plt.subplots(1, 2, figsize=(6, 2))
    grey.imshow(np.zeros((2, 2)), cmap="gray")
    grey.text(0.5, 0.5, "dark on dark", color="#333333", ha="center")
    white.plot([0, 1], [0, 1], color="#E69F00")
    white.scatter([0, 1], [1, 0], color="#56B4E9")
    white.scatter([0, 1], [1, 0], color="#56B4E9", edgecolor="black")
    assert list(faint(figure)) == ["#e69f00", "#56b4e9"]
    assert [words.split(" can")[0] for words in hard_to_read(figure)] == ["'dark on dark'"]
    plt.close(figure)


def test_colours_that_lessons_name_stand_out_on_white():
    poor = []
    for path in LESSONS:
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type == "code":
                named = re.findall(r"#[0-9A-Fa-f]{6}\b", cell.source)
                poor += [f"{path.stem} {cell.id}: {colour}" for colour in named if contrast(colour, "white") < WEAK]
    assert poor == []


# --- contrast: labs and boards --------------------------------------------------------------------------

LABS = ROOT / "coincourse" / "labs"
LIGHT = ["#ffffff", "#eeeeee"]  # JupyterLab's light grounds; white is the book's as well
DARK = ["#111111", "#212121", "#131416"]  # JupyterLab's dark grounds, and that of the book
STYLES = {
    "board": Board.style,
    "piles": PileLab.style,
    "triangle": TriangleLab.style,
    "proof": ProofLab.style,
    "linked": looks.lights_up([1]),
}
HEX = r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b"


def rules(css):
    """The rules of a style sheet, as pairs of selector and declarations."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return [(selector.strip(), body) for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css)]


def inks_and_grounds(css):
    """Where a rule fixes both the colour of the text and the ground: the ink, and each ground."""
    for _, body in rules(css):
        ink = re.search(rf"(?<![-\w])color:\s*({HEX})", body)
        for ground in re.findall(HEX + "|white", " ".join(re.findall(r"background:([^;]*)", body))) if ink else ():
            yield ink[1], ground


def test_text_on_a_ground_of_its_own_can_be_read():
    pairs = [pair for css in STYLES.values() for pair in inks_and_grounds(css)]
    assert len(pairs) >= 5
    pairs += [(looks.INK, ball) for ball in looks.BALLS]
    pairs += [(looks.INK, ground) for ground in (looks.WON, looks.ORANGE, looks.SKY, "white")]
    pairs += [(looks.INK, ground) for ground in ("#CFE8F7", "#D3F0E5", "#F0B32E")]  # cells and coins of the triangle
    pairs += [("#ffffff", "#0072b2")]  # lost cells of the three piles
    assert [pair for pair in pairs if contrast(*pair) < READABLE] == []


def variable(css, name):
    return re.search(rf"{name}: ({HEX})", css)[1]


@pytest.mark.parametrize("grounds", [LIGHT[:1], DARK], ids=["light", "dark"])
def test_what_is_drawn_stands_out_in_both_themes(grounds):
    dark = grounds is DARK
    triangle, piles = STYLES["triangle"], STYLES["piles"]
    marks = [COIN, GONE, variable(STYLES["board"], "--line")]
    marks += [variable(triangle, "--unknown")]
    marks += re.findall(rf"--focus: ({HEX})", piles)[dark : dark + 1]
    marks += re.findall(rf"--(?:alice|bob): ({HEX})", triangle)[2 * dark : 2 * dark + 2]
    assert len(marks) == 7
    assert [(mark, ground) for mark in marks for ground in grounds if contrast(mark, ground) < WEAK] == []


def test_a_coin_stands_out_by_its_face_or_its_edge():
    coins = {selector: re.findall(HEX, body) for selector, body in rules(STYLES["board"] + STYLES["piles"])}
    coins = {
        selector: found
        for selector, found in coins.items()
        if re.search(r"\.coin(\.far|\.picked|\.lit)?$", selector) and found
    }
    assert len(coins) >= 4
    for ground in (LIGHT[0], *DARK):
        assert [name for name, found in coins.items() if max(contrast(part, ground) for part in found) < WEAK] == []


# --- colours for all eyes -------------------------------------------------------------------------------

APART = 25  # CIE 1976: ten times what can just be told apart side by side


def curve_looks():
    """Colour, and dash with mark, of each of the six curves, which are as many as there are looks."""
    runs = {str(seed): [train(QLearner(sticks(4)), RandomAgent(), games=40, seed=seed)] for seed in range(6)}
    ax = plots.win_rate(runs)
    found = {line.get_label(): (line.get_color(), (line.get_linestyle(), line.get_marker())) for line in ax.lines}
    plt.close("all")
    return found


def two(first, second, marks=(None, None)):
    return {"first": (first, marks[0]), "second": (second, marks[1])}


MEANINGS = {  # what each colour means, and what else is different where it means something else
    "curves": curve_looks,
    "moves in hats, by hatching": lambda: {number: kind for number, kind in enumerate(memory.MOVE_LOOKS)},
    "players of a tree, by frame": lambda: {who.name: (who.colour, who.box) for who in trees.PLAYERS.values()},
    "Alice and Bob of a triangle, by the head of the arrow": lambda: two(
        look.GREEDY_PLAYERS[1].colour,
        look.GREEDY_PLAYERS[2].colour,
        (look.GREEDY_PLAYERS[1].head, look.GREEDY_PLAYERS[2].head),
    ),
    "lost and won in a heat map": lambda: two(look.ORANGE, look.SKY),
    "nothing and won in a heat map": lambda: two("white", look.SKY),
    "lost and nothing in a heat map": lambda: two(look.ORANGE, "white"),
    "values below and above 0": lambda: two(look.ORANGE, look.BLUE),
    "positions": lambda: two(look.BLUE, "#E8E8E8"),
    "policies": lambda: two(look.SKY, look.ORANGE),
    "red and blue coins": lambda: two(look.VERMILION, look.BLUE),
    "proof lab": lambda: two(looks.WON, looks.ORANGE),
    "training lab": lambda: two(looks.BLUE, looks.ORANGE),
    "lost cells of the piles, on a light page": lambda: two("#0072b2", "white"),
    "lost cells of the piles, on a dark page": lambda: two("#0072b2", DARK[0]),
    "coins of the board, there and marked": lambda: two("#e69f00", "#0072b2"),
    "won and lost on the board, by the sign before the words": lambda: two("#009e73", "#d55e00", ("★", "✕")),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_no_meaning_hangs_on_colour_alone(what):
    looks = MEANINGS[what]()
    assert len(looks) >= 2
    for (one, (colour, mark)), (other, (second, its_mark)) in combinations(looks.items(), 2):
        apart = distance_for_all(colour, second)
        assert apart >= APART or mark != its_mark, f"{one} and {other}: {apart:.0f}, and nothing else is different"


def test_marks_are_not_only_claimed():
    """What the table above calls different is drawn differently."""
    assert len({kind for _, kind in curve_looks().values()}) == 6
    assert len({hatch for _, hatch in memory.MOVE_LOOKS}) == len(memory.MOVE_LOOKS)
    css = STYLES["board"]
    assert 'won { --sign: "★ "' in css and 'lost { --sign: "✕ "' in css


def test_eyes_that_are_simulated():
    greys = [(part, part, part) for part in (0, 0.3, 1)]
    for eyes in colours.EYES:  # greys stay grey, for everybody
        assert [distance(grey, tuple(colours.picture(grey, eyes).clip(0, 1))) < 1 for grey in greys] == [True] * 3
    assert distance("black", "white") == pytest.approx(100, abs=0.1)
    assert contrast("black", "white") == pytest.approx(21)
    red, green = "#C00000", "#4A6B00"  # as far apart as ripe and unripe
    assert distance(red, green) > 80
    assert distance(red, green, "deuteranopia") < 30
    assert distance(red, green, "tritanopia") > 60
    assert distance("#E69F00", "#CC79A7", "tritanopia") < APART < distance("#E69F00", "#CC79A7")
