"""Where the course stands on the web: its repository's address, read from one place, and the links made from it.

The one place is `pyproject.toml`, `[project.urls]`, `Repository`. As long as nobody has published the
course it holds a stand-in, and whatever would show a link says so in words.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import quote

from coincourse import course

UNSET = "https://github.com/OWNER/REPOSITORY"
GITHUB = "https://github.com/"
BRANCH = "main"  # what readers are given: the branch on which the lessons are kept
PAGE = Path("docs", "online.md")  # the page that shows the links
CITATION = Path("CITATION.cff")
BEGIN, END = "<!-- made by `coinlib links --write` -->", "<!-- up to here -->"
NOT_PUBLISHED = (
    "The course has no address on the web yet, so there are no links. Whoever publishes it writes the address of "
    "the repository into `pyproject.toml` (`[project.urls]`, `Repository`) and runs `coinlib links --write`."
)


def repository(folder: Path | None = None) -> str | None:
    """The address of the course's repository.

    Parameters
    ----------
    folder : Path, optional
        The checkout (default: the one that `course.home` finds).

    Returns
    -------
    str or None
        Such as "https://github.com/ada/coins", without a slash at the end; None as long as the course is
        not published.

    Examples
    --------
    >>> repository() is None or repository().startswith("https://")
    True
    """
    file = (folder or course.home()) / "pyproject.toml"
    project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    address = project.get("urls", {}).get("Repository", UNSET).removesuffix("/").removesuffix(".git")
    if not re.fullmatch(r"https://[\w.-]+/[\w./-]+/[\w.-]+", address):
        raise course.CourseError(
            f"pyproject.toml, [project.urls], Repository: expected an address such as {UNSET}, got {address!r}."
        )
    return None if address == UNSET else address


def binder(address: str, lesson: str = "") -> str:
    """The link that opens a lesson in JupyterLab on Binder, which reads `environment.yml`.

    Parameters
    ----------
    address : str
        The repository, as `repository` gives it.
    lesson : str
        The name of a notebook in `notebooks/`; without it JupyterLab opens at the folder.

    Examples
    --------
    >>> binder("https://github.com/ada/coins", "04_hats.ipynb")
    'https://mybinder.org/v2/gh/ada/coins/main?urlpath=lab/tree/notebooks/04_hats.ipynb'
    """
    on_github = address.startswith(GITHUB)
    place = f"gh/{address.removeprefix(GITHUB)}" if on_github else f"git/{quote(address, safe='')}"
    return f"https://mybinder.org/v2/{place}/{BRANCH}?urlpath=lab/tree/notebooks/{lesson}".removesuffix("/")


def colab(address: str, lesson: str) -> str | None:
    """The link that opens a lesson in Google Colab, which reads notebooks from GitHub alone; None for others.

    Examples
    --------
    >>> colab("https://github.com/ada/coins", "04_hats.ipynb")
    'https://colab.research.google.com/github/ada/coins/blob/main/notebooks/04_hats.ipynb'
    >>> colab("https://gitlab.com/ada/coins", "04_hats.ipynb") is None
    True
    """
    if not address.startswith(GITHUB):
        return None
    place = f"{address.removeprefix(GITHUB)}/blob/{BRANCH}/notebooks/{lesson}"
    return f"https://colab.research.google.com/github/{place}"


def first_cell(address: str) -> str:
    """What a reader types into a first cell on Colab, where nothing of the course is installed.

    Examples
    --------
    >>> print(first_cell("https://github.com/ada/coins"))
    !git clone --quiet --depth 1 https://github.com/ada/coins course
    %pip install --quiet ./course
    %cd course/notebooks
    """
    clone = f"!git clone --quiet --depth 1 {address} course"
    return f"{clone}\n%pip install --quiet ./course\n%cd course/notebooks"


def of_lesson(lesson: str, folder: Path | None = None) -> dict[str, str]:
    """The links of one lesson by the name of the service; empty as long as the course is not published.

    Parameters
    ----------
    lesson : str
        The name of a notebook, such as "04_hats.ipynb".
    folder : Path, optional
        The checkout, as in `repository`.

    Examples
    --------
    >>> set(of_lesson("04_hats.ipynb")) <= {"Binder", "Colab"}
    True
    """
    address = repository(folder)
    if address is None:
        return {}
    links = {"Binder": binder(address, lesson), "Colab": colab(address, lesson)}
    return {service: link for service, link in links.items() if link}


def table(folder: Path | None = None) -> str:
    """All links as Markdown, for `docs/online.md`; before an address is set, one sentence that says so.

    Examples
    --------
    >>> "mybinder.org" in table() or "no address on the web yet" in table()
    True
    """
    folder = folder or course.home()
    address = repository(folder)
    if address is None:
        return NOT_PUBLISHED
    lines = [f"The repository: <{address}>", "", "| lesson | opens in |", "|---|---|"]
    for name in course.notebooks(course.originals(folder)):
        links = of_lesson(name.as_posix(), folder)
        lines.append(f"| {name.stem} | {', '.join(f'[{service}]({link})' for service, link in links.items())} |")
    if address.startswith(GITHUB):
        lines += ["", "The first cell on Colab:", "", "```", first_cell(address), "```"]
    return "\n".join(lines)


def write(folder: Path) -> list[str]:
    """Put the links into the page that shows them, and the address into the citation file.

    Parameters
    ----------
    folder : Path
        The checkout, as `course.home` finds it.

    Returns
    -------
    list of str
        The names of the files that have changed.
    """
    changed = []
    for name, filled in ((PAGE, _page), (CITATION, _citation)):
        file = folder / name
        before = file.read_text(encoding="utf-8")
        after = filled(before, folder)
        if after != before:
            course.write(file, after.encode())
            changed.append(name.as_posix())
    return changed


def _page(text: str, folder: Path) -> str:
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise course.CourseError(f"{PAGE.as_posix()} needs the lines {BEGIN} and {END}; the links stand between them.")
    return f"{before}{BEGIN}\n\n{table(folder)}\n\n{END}{after}"


def _citation(text: str, folder: Path) -> str:
    lines = [line for line in text.splitlines() if not line.startswith("repository-code:")]
    address = repository(folder)
    return "\n".join([*lines, f'repository-code: "{address}"'] if address else lines) + "\n"
