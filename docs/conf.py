"""How the web book is built from the lessons, the documentation and the docstrings.

The folder of the course is the source, so that nothing is copied and links work here as they do on the page
of the repository: ``sphinx-build -c docs -d build/doctrees . build/book``.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

import coinlib


def date_of_sources() -> str:
    """The date of the last commit: " of 2026-11-27", so that the same sources give the same book; "" without git."""
    command = ["git", "-C", str(HERE), "log", "-1", "--format=%cs"]
    try:
        done = subprocess.run(command, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return f" of {done.stdout.strip()}"


project = "How machines learn to win"
author = "The authors of coinlib"
release = version = coinlib.__version__
licences = "Code: BSD 3-Clause; lessons and texts: CC BY 4.0"
copyright = f"the authors of coinlib. {licences}. This is version {version}{date_of_sources()}"  # in the footer
language = "en"

extensions = [
    "myst_nb",  # Markdown and notebooks
    "sphinx.ext.autodoc",  # the reference, from the docstrings
    "sphinx.ext.autosummary",
    "numpydoc",  # which are in NumPy's style
    "sphinx_copybutton",
    "lessons",  # solutions are folded, exercises say where to do them, lessons have a map
    "python_page",  # exercises are written and checked on the page
    "links",  # mentions of lessons, sections and terms
    "live_labs",  # labs that work without Python
    "rooms",  # a table at the top of each page of the API
    "mathml",  # formulas without a script
    "captions",  # for screen readers
    "search_texts",  # what the search shows
]

# --- what belongs to the book

root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "notebooks/*.ipynb",
    "notebooks/projects/*.ipynb",
    "*.md",
    "data/README.md",
    "benchmarks/README.md",
    "benchmarks/results/*.md",
]
exclude_patterns = [".*", "**/.*", "docs/_*", "build", "dist", "my-notebooks", "coinlib", "coincourse", "tests"]
templates_path = ["_templates"]
html_additional_pages = {"index": "front.html"}  # the first page is docs/index.html

# --- Python in the page

python_in_page = True  # False: the exercises can be read in the book, and written in JupyterLab
pyodide = "314.0.7"  # the release of Pyodide that npm fetches when the book is built, and the SHA-512 of its package
pyodide_hash = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="

# --- how pages are read

autodoc_use_type_comments = False  # there are none, and to look for them takes a while
nb_execution_mode = "off"  # the lessons are stored with their outputs
nb_ipywidgets_js = {}  # the labs live by a script of the book; none comes from elsewhere
nb_merge_streams = True
addresses = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
myst_enable_extensions = ["deflist", "dollarmath", "substitution"]
# Where to get the course, for readers who have only the book
if "Repository" in addresses:
    home = f"The course with all its files is at <{addresses['Repository']}>."
else:
    home = "This book gives no web address: ask the person who gave it to you for the folder of the course."
myst_substitutions = {"home": home}
myst_heading_anchors = 3
smartquotes = False  # quotes around values of Python stay as Python writes them
default_role = "py:obj"  # a name between single backticks is a link where such a thing is described
toc_object_entries_show_parents = "hide"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say more: shapes, units, ranges
autodoc_default_options = {"members": True}
numpydoc_show_class_members = False  # autodoc describes them
numpydoc_attributes_as_param_list = True
python_use_unqualified_type_names = True

# --- how pages look

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_favicon = "_static/coin.svg"
html_css_files = ["book.css"]
html_js_files = ["book.js"]
html_math_renderer = "mathml"
html_copy_source = False  # a lesson's notebook is next to its page, and solutions are in one place only
html_search_scorer = str(HERE / "_static" / "scorer.js")
html_permalinks_icon = "#"
html_last_updated_fmt = None  # the date is in `copyright`
copybutton_prompt_text = r">>> |\.\.\.(?: |$)|\$ "
copybutton_prompt_is_regexp = True
