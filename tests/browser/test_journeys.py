"""The journeys of somebody who has never opened a terminal, in a real browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ours import OURS
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from visitor import Visitor

from interpreter.source import Problems
from interpreter.workbench.running import run_all

Visit = Callable[..., Visitor]
ROOT = Path(__file__).parent.parent.parent

SCRIPT = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
STRANGER = f"""game: "{SCRIPT.replace('"', "'")}"
over: modern
about: "{SCRIPT.replace('"', "'")}"
House rules:
  change:
    weapons.rifle.shots: "{SCRIPT.replace('"', "'")}"
    ../../etc/passwd: 1
  example "{SCRIPT.replace('"', "'")}":
    unit A: "{SCRIPT.replace('"', "'")}"
"""
ESCAPES = r"""game: "\x1b]0;taken\x07 \u202e\u2028 {{ constructor.constructor('document.title=1')() }}"
over: modern
about: "[here](javascript:document.title='taken') `${document.title='taken'}`"
House rules:
  table __proto__ (constructor, toString):
    valueOf: 1, 2
  mark "\0" of unit:
  change:
    weapons.rifle.shots: !!python/object/apply:os.system ["touch taken.yaml"]
    weapons.pistol.shots: &all [*all, *all]
  <<: *all
"""
STRANGERS = {
    "script": STRANGER,
    "escapes": ESCAPES,
    "size": STRANGER
    + f"  # {' ' * 300_000}x\n    {' ' * 2_000}x\n  a{' a' * 5_000}\n"
    + "    unit A: nonsense [1]\n" * 8_000,
}
ENDLESS = """game: Endless
over: modern
An example:
  example endless:
    unit A: seasoned, 60 figures, weapon rifle
    unit B: green, spotted, 60 figures, terrain soft
    facts: distance(A, B) is 20"
    do:
      rounds, repeat 20000 times:
        volley: A shoots at B
        answer: B shoots at A
    ask: [A.figures, B.figures]
"""


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (390, True)], ids=["laptop", "phone"])
def test_from_an_empty_folder_to_a_shared_page(visit: Visit, width: int, dark: bool) -> None:
    somebody = visit(width, dark)
    somebody.sees("Begin with a house rule of your own")
    somebody.shot(f"{width}-empty")
    somebody.press("Make a house rule")
    somebody.choose("Which rules it is laid over", "FUBAR Modern")
    somebody.find("[aria-label='What it is called']").send_keys("tuesday-club")
    somebody.shot(f"{width}-begin")
    somebody.press("Begin")
    somebody.sees("Every word is understood.")
    somebody.sees("The house rule changes the odds here.")
    somebody.sees("What each line is worth here")
    somebody.shot(f"{width}-effect")

    line = somebody.line("weapons.rifle.shots")
    line.click()
    line.find_element(By.XPATH, "./ancestor::*[contains(@class, 'cm-content')]").send_keys(
        Keys.END, Keys.HOME, *([Keys.ARROW_RIGHT] * 10), "x"
    )
    somebody.sees("Mistake")
    somebody.find(".u-wrong")
    somebody.shot(f"{width}-mistake")
    somebody.press("Write `rifle`")
    somebody.sees("Every word is understood.")
    assert "weapons.rifle.shots" in (somebody.line("weapons.rifle").text)

    somebody.choose("A situation", "activation (typical)")
    somebody.sees("Nothing changes here.")
    somebody.press("Find a situation in which it matters")
    somebody.sees("It matters here:")
    somebody.sees("The house rule changes the odds here.")
    somebody.shot(f"{width}-witness")

    somebody.press("Roll")
    somebody.sees("Dice: ")
    somebody.shot(f"{width}-play")
    somebody.press("Save to the folder")
    somebody.sees("is saved")
    assert "weapons.rifle.shots: 2, was 1" in (somebody.folder / "tuesday-club.yaml").read_text("utf-8")

    somebody.press("As one file")
    somebody.until(lambda: list(somebody.downloads.glob("*.html")), "the shared file")
    (shared,) = somebody.downloads.glob("*.html")
    somebody.driver.get(shared.as_uri())
    somebody.sees("A shoots at B")
    somebody.shot(f"{width}-shared")
    assert "with the house rule" in shared.read_text("utf-8")
    assert somebody.complaints() == []


def test_a_file_edited_outside_is_told_and_never_written_over(visit: Visit) -> None:
    somebody = visit(files={"ours.yaml": OURS})
    somebody.choose("A file of this folder", "ours.yaml")
    somebody.sees("Every word is understood.")
    (somebody.folder / "ours.yaml").write_text(OURS.replace("2, was 1", "3, was 1"), "utf-8")
    somebody.sees("was changed outside the studio")
    somebody.shot("outside")
    somebody.line("game: Ours").click()
    somebody.find(".cm-content").send_keys(Keys.END, " two")
    somebody.press("Save to the folder")
    somebody.sees("has changed since I read it")
    assert "3, was 1" in (somebody.folder / "ours.yaml").read_text("utf-8")
    somebody.press("Keep mine as another file")
    somebody.find("[aria-label='Its name']").send_keys("mine", Keys.TAB, Keys.ENTER)
    somebody.until(lambda: (somebody.folder / "mine.yaml").exists(), "the other file")
    assert "Ours two" in (somebody.folder / "mine.yaml").read_text("utf-8")
    assert "3, was 1" in (somebody.folder / "ours.yaml").read_text("utf-8")


def test_a_strangers_file_does_nothing_but_show_its_problems(visit: Visit) -> None:
    """Script, escapes, and sheer size; whoever opens them goes on with a file of their own as if nothing had been."""
    files = {"ours.yaml": OURS, **{f"{name}.yaml": text for name, text in STRANGERS.items()}}
    somebody = visit(files=files)
    for name in STRANGERS:
        somebody.choose("A file of this folder", f"{name}.yaml")
        somebody.sees("Mistake")
        somebody.shot(f"stranger-{name}")
        somebody.find(".cm-line").click()
        somebody.find(".cm-content").send_keys(Keys.CONTROL, Keys.END)
        somebody.find(".cm-content").send_keys(Keys.CONTROL, Keys.SPACE)
        somebody.choose("A file of this folder", "ours.yaml")
        somebody.sees("The house rule changes the odds here.")
        assert somebody.driver.title == "Umpire studio"
        assert somebody.driver.find_elements(By.CSS_SELECTOR, "img[src=x], a[href^=javascript]") == []
    assert somebody.complaints() == []
    assert sorted(path.name for path in somebody.folder.iterdir()) == sorted(files)


def test_endless_odds_are_stopped_by_a_button_and_an_endless_play_by_itself(visit: Visit) -> None:
    somebody = visit(files={"endless.yaml": ENDLESS})
    somebody.choose("A file of this folder", "endless.yaml")
    somebody.press("Stop")
    somebody.sees("stopped")
    somebody.shot("stopped")
    somebody.press("Roll")
    somebody.sees("this went on for more than 1,000,000 steps")
    assert somebody.driver.title == "Umpire studio"


def test_the_keyboard_reaches_all_of_it_and_all_of_it_has_a_name(visit: Visit) -> None:
    somebody = visit(files={"ours.yaml": OURS})
    somebody.choose("A file of this folder", "ours.yaml")
    somebody.sees("The house rule changes the odds here.")
    nameless = somebody.driver.execute_script(
        "return [...document.querySelectorAll('button, input, textarea, [role=button], [role=combobox], select')]"
        ".filter(e => e.offsetParent && !(e.innerText.trim() || e.getAttribute('aria-label') || e.labels?.length))"
        ".map(e => e.outerHTML.slice(0, 200))"
    )
    assert nameless == []
    reached = []
    for _ in range(40):
        ActionChains(somebody.driver).send_keys(Keys.ESCAPE, Keys.TAB).perform()  # Tab leaves the editor after Escape
        reached.append(somebody.driver.switch_to.active_element.text)
    for name in ("Make a house rule", "Save to the folder", "Work it out", "As one file", "Roll"):
        assert any(name in text for text in reached), (name, reached)
    headings = [e.text for e in somebody.driver.find_elements(By.CSS_SELECTOR, "h1, h2")]
    assert headings[:4] == ["Umpire studio", "The file", "What it does", "What happened"]
    wide = somebody.driver.execute_script("return document.documentElement.scrollWidth > innerWidth")
    assert not wide


def test_what_fits_is_offered_at_the_caret_and_taken_by_the_keyboard(visit: Visit) -> None:
    somebody = visit(dark=True, files={"ours.yaml": OURS})
    somebody.choose("A file of this folder", "ours.yaml")
    somebody.sees("Every word is understood.")
    somebody.line("winded: roll").click()
    text = somebody.find(".cm-content")
    assert text.get_attribute("role") == "textbox" and text.accessible_name == "The text of ours.yaml"
    text.send_keys(Keys.END, Keys.ENTER, "tired: roll -1 if unit.tr")
    offered = somebody.find(".cm-tooltip-autocomplete [role=listbox]")
    assert text.get_attribute("aria-controls") == offered.get_attribute("id")
    somebody.sees("Mistake")
    somebody.offered("training")  # still, though the mistake is underlined
    names = [each.text for each in somebody.driver.find_elements(By.CSS_SELECTOR, "[role=option] .cm-completionLabel")]
    assert names == ["training", "tried", "destroyed", "stragglers", "stride", "struck-arc"]
    somebody.shot("offered")
    text.send_keys(Keys.ENTER)  # takes it
    somebody.until(lambda: "unit.training" in somebody.line("tired:").text, "what was taken")
    text.send_keys(" is not gr")
    somebody.offered("green")
    text.send_keys(Keys.ENTER)
    somebody.sees("Every word is understood.")
    text.send_keys(" ")
    text.send_keys(Keys.CONTROL, Keys.SPACE)  # asks for it
    somebody.offered("")
    text.send_keys(Keys.ESCAPE)
    somebody.until(lambda: not somebody.driver.find_elements(By.CSS_SELECTOR, "[role=listbox]"), "the list gone")
    text.send_keys(Keys.ENTER, "# a remark, unit.tr", Keys.ENTER)  # where nothing is offered
    assert somebody.complaints() == []
    text.send_keys(Keys.CONTROL, "s")
    kept = somebody.folder / "ours.yaml"
    said = "    tired: roll -1 if unit.training is not green \n    # a remark, unit.tr\n"
    somebody.until(lambda: said in kept.read_text("utf-8"), "the lines in the file")


def test_what_is_typed_stays_when_something_else_is_shown_meanwhile(visit: Visit) -> None:
    """NiceGUI sends the text along with its colours: it may be older than what somebody has typed by then."""
    somebody = visit(files={"ours.yaml": OURS})
    somebody.choose("A file of this folder", "ours.yaml")
    somebody.sees("The house rule changes the odds here.")
    somebody.driver.execute_script(
        "const editor = getElement(Number(document.querySelector('.nicegui-codemirror').id.slice(1)));"
        "editor.editor.dispatch({changes: {from: 0, insert: '# mine'}, userEvent: 'input.type'});"
        "editor.setEditorValueFromProps()"  # as when colours arrive, before the server has heard of what was typed
    )
    assert somebody.line("game: Ours").text.startswith("# mine")
    somebody.sees("Save to the folder *")
    somebody.driver.refresh()  # whoever opens the page again goes on with what is not saved
    assert somebody.line("game: Ours").text.startswith("# mine")
    somebody.press("Save to the folder *")
    kept = somebody.folder / "ours.yaml"
    somebody.until(lambda: kept.read_text("utf-8") == f"# mine{OURS}", "what was typed in the file")


def test_a_recipe_is_found_by_words_and_put_into_the_file_or_begins_one(visit: Visit) -> None:
    somebody = visit(390, files={"ours.yaml": OURS})
    somebody.press("Look among the recipes")
    somebody.sees("30 recipes")
    wish = somebody.find("[aria-label='What you wish for']")
    wish.send_keys("exploding sixes")
    somebody.sees("Every 6 to hit adds one more die.")
    somebody.shot("recipe")
    somebody.press("Begin a file with it")
    somebody.sees("The house rule changes the odds here.")
    assert (somebody.folder / "sixes-explode.yaml").read_text("utf-8").startswith("game: Sixes explode\n")
    somebody.choose("A file of this folder", "ours.yaml")
    somebody.sees("with-our-rules")
    somebody.sees("The house rule changes the odds here.")
    somebody.press("Recipes")
    somebody.press("Put it into ours.yaml")
    somebody.find(".q-select", "one-pistol")  # the example of the recipe
    somebody.find(".u-item", "shoot.volleys.hits")  # what each line is worth
    somebody.shot("recipe-taken")
    somebody.press("Save to the folder")
    kept = somebody.folder / "ours.yaml"
    somebody.until(lambda: "\nFiring:\n  change:\n    shoot.volleys.hits:\n" in kept.read_text("utf-8"), "its lines")
    somebody.press("Recipes")
    wish = somebody.find("[aria-label='What you wish for']")
    wish.send_keys(Keys.CONTROL, "a")
    wish.send_keys("ones again")
    somebody.click(".q-expansion-item .q-item", "Reroll ones")
    somebody.press("Put it into ours.yaml")
    somebody.sees("It does not go together with what ours.yaml has")
    assert somebody.complaints() == []


def test_on_a_phone_nothing_is_wider_than_the_screen(visit: Visit) -> None:
    somebody = visit(390, files={"ours.yaml": OURS})
    somebody.choose("A file of this folder", "ours.yaml")
    somebody.sees("The house rule changes the odds here.")
    wide = somebody.driver.execute_script("return document.documentElement.scrollWidth > innerWidth")
    assert not wide


def test_a_situation_is_changed_by_its_menus_and_a_range_is_a_map(visit: Visit) -> None:
    somebody = visit(files={"ours.yaml": OURS})
    somebody.choose("A file of this folder", "ours.yaml")
    somebody.sees("The house rule changes the odds here.")
    somebody.click(".q-expansion-item .q-item", "Change it")
    somebody.choose("A weapon", "lmg")
    somebody.sees("Nothing changes here.")
    somebody.choose("A weapon", "rifle")
    somebody.sees("The house rule changes the odds here.")
    figures = somebody.find("input[aria-label='A figures']")
    figures.send_keys(Keys.BACKSPACE, "2 to 8 by 2", Keys.ENTER)
    somebody.sees("hits, before")
    distance = somebody.find("input[aria-label='distance']")
    distance.send_keys(*[Keys.BACKSPACE] * 4, '6", 20"', Keys.ENTER)
    somebody.until(lambda: somebody.driver.find_elements(By.CSS_SELECTOR, ".u-heat td[class*=u-step]"), "a heat map")
    somebody.shot("map")
    somebody.click(".q-checkbox", "exact fractions")
    somebody.until(lambda: "/" in somebody.find(".u-heat tbody td").text, "an exact fraction")
    assert somebody.complaints() == []


def test_where_nothing_changes_a_witness_is_found_and_kept(visit: Visit) -> None:
    """Two buttons: one looks for a situation in which the house rule matters, one writes it into the file."""
    wish = (ROOT / "examples" / "wishes" / "below-half.yaml").read_text("utf-8")
    somebody = visit(files={"ours.yaml": wish.partition("  example ")[0]})
    somebody.choose("A file of this folder", "ours.yaml")
    somebody.sees("Nothing changes here.")
    somebody.press("Find a situation in which it matters")
    somebody.sees("The house rule changes the odds here.")
    somebody.shot("witness")
    somebody.press("Keep it as an example")
    somebody.sees("Every word is understood.")
    somebody.press("Save to the folder")
    kept = somebody.folder / "ours.yaml"
    somebody.until(lambda: "\n  example " in kept.read_text("utf-8"), "the example in the file")
    problems = Problems()
    _, results = run_all(f"modern + {kept}", problems)
    assert not problems.has_errors
    assert [result.passed for result in results] == [True]
    somebody.shot("kept")
    assert somebody.complaints() == []
