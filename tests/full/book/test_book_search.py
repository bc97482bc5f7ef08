"""A reader finds their way: searches, folds and unfolds answers, predicts, and downloads the notebook."""

import re
from pathlib import Path

import pytest
from browser import expect
from paths import NOTEBOOKS
from reader import NARROW

pytestmark = pytest.mark.browser

HATS = "notebooks/04_hats.html"


def test_the_search_finds_words_with_accents_in_a_good_order(reader):
    page = reader.goes_to("search.html?q=mis%C3%A8re", NARROW)
    found = page.locator("#search-results li")
    page.get_by_text(re.compile(r"found \d+ pages")).wait_for()
    found.get_by_role("link", name=re.compile("^14 · The proof: why multiples of four lose")).wait_for()
    assert found.count() >= 13
    titles = found.get_by_role("link").all_inner_texts()
    assert titles.index("Glossary") < titles.index("01 · The coin game") < titles.index("09 · Three piles")
    found.get_by_role("link", name=re.compile("^01 · The coin game")).click()
    page.wait_for_url("**/notebooks/01_the_coin_game.html*")


@pytest.mark.parametrize("query", ["marking", "plans", "q-learning"])
def test_pages_with_the_word_in_their_title_come_first(reader, query):
    page = reader.goes_to(f"search.html?q={query}")
    page.get_by_text(re.compile(r"found \d+ pages")).wait_for()
    titles = page.locator("#search-results li").get_by_role("link").all_inner_texts()
    pages = [each.split(" > ")[0].lower() for each in titles if not each.startswith(("coinlib.", "coincourse."))]
    with_word = [query in each for each in pages]
    assert any(with_word) and with_word == sorted(with_word, reverse=True), pages[:10]


def test_the_search_field_of_a_page_leads_to_the_results(reader):
    page = reader.goes_to("docs/api/index.html")
    page.get_by_placeholder("Search").fill("greedy_margin")
    page.keyboard.press("Enter")
    page.locator("#search-results").get_by_role("link", name="coinlib.solvers.greedy_margin").click()
    page.wait_for_url("**/docs/api/solvers.html#coinlib.solvers.greedy_margin")


def test_answers_are_folded_and_the_book_keeps_what_was_predicted(reader):
    page = reader.goes_to(HATS, NARROW)
    code = page.locator("details[id^=solution-] pre").first
    opens = page.locator("button:visible, summary:visible").get_by_text("Solution", exact=True).first
    assert not code.is_visible()
    opens.click()
    assert code.is_visible()
    opens.click()
    assert not code.is_visible()
    answer = page.locator("details", has_text="By chance").first
    folded = answer.bounding_box()["height"]
    answer.locator("summary").click()
    assert answer.bounding_box()["height"] > 2 * folded

    score = page.locator(".live-lab", has=page.get_by_text("What you have done")).first  # another one ends the page
    says = score.get_by_role("status").first
    expect(says).to_contain_text("3 still open")
    page.get_by_role("button", name="It is empty").click()
    expect(says).to_contain_text("2 still open")
    page.reload()
    expect(page.get_by_text("It is empty (your answer)")).to_be_visible()
    expect(says).to_contain_text("2 still open")
    score.get_by_role("button", name="Begin again").click()
    expect(score.locator(".live-lab-note")).to_contain_text("press “Begin again” once more")
    expect(says).to_contain_text("2 still open")
    score.get_by_role("button", name="Begin again").click()
    expect(says).to_contain_text("3 still open")
    assert score.get_by_role("link", name="lesson 05").get_attribute("href") == "05_training_hats.html"


def test_a_newcomer_finds_the_way_with_the_folder_alone(reader):
    page = reader.goes_to("docs/index.html", NARROW, as_file=True)
    page.get_by_role("link", name="04 · Hats").last.click()
    page.get_by_text("In this lesson", exact=True).click()
    page.get_by_role("link", name="4 · Write the update").first.click()
    page.wait_for_url("**#write-the-update*")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download this notebook").first.click()
    assert download.value.suggested_filename in ("04_hats_empty.ipynb", "04_hats.ipynb")  # the latter without Python
    assert Path(download.value.path()).read_bytes() == (NOTEBOOKS / "04_hats.ipynb").read_bytes()

    reader.goes_to("search.html", NARROW, as_file=True)  # a page opened as a file may not read other pages
    page.get_by_label("Search for").fill("misere")
    page.keyboard.press("Enter")
    first = page.locator("#search-results li").first
    expect(first.locator(".context")).to_contain_text("misère")
    first.get_by_role("link", name="Glossary").click()
    page.wait_for_url("file:**/glossary.html#term-misere-play")
