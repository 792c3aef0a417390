"""Somebody in front of the studio: finds, presses, chooses and sees as a person would."""

import base64
import os
from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException, StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

WAIT = 120  # seconds for something to appear, on a machine that has other things to do
SHOTS = os.environ.get("UMPIRE_SCREENSHOTS")  # a folder for pictures of what was seen


class Visitor:
    """Somebody at the page of a studio on `folder`."""

    def __init__(self, driver: webdriver.Chrome, folder: Path, downloads: Path) -> None:
        self.driver, self.folder, self.downloads = driver, folder, downloads

    def until(self, found: Callable[[], object], what: str) -> object:
        """What is found at last; the page may take away what was about to be looked at, and put it there again."""
        waiting = WebDriverWait(self.driver, WAIT, 0.2, [StaleElementReferenceException])
        return waiting.until(lambda _: found(), f"never seen: {what}")

    def sees(self, text: str) -> None:
        self.until(lambda: text in self.text, text)

    @property
    def text(self) -> str:
        return self.driver.find_element(By.TAG_NAME, "body").text

    def _named(self, selector: str, says: str) -> WebElement | None:
        for each in self.driver.find_elements(By.CSS_SELECTOR, selector):
            if each.is_displayed() and says in (each.get_attribute("innerText") or ""):
                return each
        return None

    def find(self, selector: str, says: str = "") -> WebElement:
        found = self.until(lambda: self._named(selector, says), f"{selector} {says}")
        assert isinstance(found, WebElement)
        return found

    def click(self, selector: str, says: str = "") -> None:
        def clicked() -> bool:
            found = self._named(selector, says)
            if found is None:
                return False
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
            try:
                found.click()
            except ElementClickInterceptedException:  # by something that is about to go
                return False
            return True

        self.until(clicked, f"{selector} {says}")

    def press(self, says: str) -> None:
        self.click("button", says)

    def choose(self, label: str, option: str) -> None:
        self.click(".q-select", label)
        self.click(".q-menu .q-item", option)

    def offered(self, says: str) -> None:
        """What the editor offers first: it may be taken when it has stood there for a moment."""
        first = ".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [role=option][aria-selected]"
        looks: list[bool] = []

        def stands() -> bool:
            looks.append(self._named(first, says) is not None)
            return looks[-2:] == [True, True]

        self.until(stands, f"offered: {says}")

    def line(self, says: str) -> WebElement:
        """A line of the editor, which shows those only that it has room for."""
        scroller = self.find(".cm-scroller")
        for place in range(0, 4000, 250):
            self.driver.execute_script("arguments[0].scrollTop = arguments[1]", scroller, place)
            found = self._named(".cm-line", says)
            if found is not None:
                return found
        raise LookupError(says)

    def shot(self, name: str) -> None:
        if SHOTS:
            size = self.driver.execute_script("return [innerWidth, document.documentElement.scrollHeight]")
            clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
            told = {"clip": clip, "captureBeyondViewport": True}
            png = self.driver.execute_cdp_cmd("Page.captureScreenshot", told)["data"]
            Path(SHOTS, f"{name}.png").write_bytes(base64.b64decode(png))

    def complaints(self) -> list[str]:
        """What the browser itself had to say: an error of a script, something blocked."""
        return [e["message"] for e in self.driver.get_log("browser") if e["level"] == "SEVERE"]
