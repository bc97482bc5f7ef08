"""What texts of lessons ask for can be done in the book: tasks with a lab whose answer the text names."""

import pytest
from lab import expect

pytestmark = pytest.mark.browser

Q_LAB = "What does a Q-learner learn?"

# the lesson, the title of the lab and which of several, what is moved, and the words that the text promises
TASKS = [
    ("00_start_here", "How much practice", 0, {"Practice games": "10"}, "After 10 practice games"),
    ("00_start_here", "How much practice", 0, {"Practice games": "10,000"}, "After 10,000 practice games"),
    ("07_exploration_and_opponents", Q_LAB, 0, {"Exploration": "0.30"}, "Exploration is now 0.30"),
    ("07_exploration_and_opponents", Q_LAB, 0, {"Games": "0"}, "3 of 7"),
    ("07_exploration_and_opponents", Q_LAB, 0, {"Opponent": "a random player"}, "7 of 7"),
    ("07_exploration_and_opponents", Q_LAB, 0, {"Opponent": "a perfect player"}, "7 of 7"),
    ("07_exploration_and_opponents", Q_LAB, 0, {"Opponent": "itself, with one table"}, "7 of 7"),
    ("07_exploration_and_opponents", Q_LAB, 1, {}, "7 of 7"),
    ("07_exploration_and_opponents", Q_LAB, 1, {"Exploration": "0.00"}, "6 of 7"),
    ("07_exploration_and_opponents", Q_LAB, 1, {"Its decay": "300 games"}, "7 of 7"),
    ("07_exploration_and_opponents", Q_LAB, 1, {"Learning rate": "1.00"}, "4 of 7"),
    ("06_q_learning", Q_LAB, 0, {"Exploration": "0.30"}, "7 of 7"),
]
MOST_STEPS = 60


def move(lab, name: str, value: str) -> None:
    """Choose a value in a menu, or move a slider by its keys until it stands there."""
    chosen = lab.get_by_role("combobox", name=name)
    if chosen.count():
        chosen.select_option(label=value)
        return
    handle = lab.get_by_role("slider", name=name)
    handle.press("Home")
    for _ in range(MOST_STEPS):
        if handle.get_attribute("aria-valuetext") == value:
            return
        handle.press("ArrowRight")
    raise AssertionError(f"{name} does not live at {value}")


@pytest.mark.parametrize(("lesson", "title", "place", "moved", "words"), TASKS)
def test_a_task_of_a_lesson_can_be_done(chromium, built_book, lesson, title, place, moved, words):
    page = chromium.new_page()
    page.goto((built_book.folder / "notebooks" / f"{lesson}.html").as_uri())
    lab = page.locator(".living").filter(has_text=title).nth(place)
    lab.scroll_into_view_if_needed()
    expect(lab.locator(".page > :not(style)").first).to_be_visible()
    for name, value in moved.items():
        move(lab, name, value)
    expect(lab).to_contain_text(words)
    page.close()
