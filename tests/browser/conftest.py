"""A studio on a folder, and a real browser in front of it: Chromium of the distribution, offline, with nothing kept."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from visitor import Visitor

_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--force-prefers-reduced-motion",
    "--proxy-server=127.0.0.1:9",  # whatever asks for anything but this machine gets nothing
)  # fmt: skip


def _address(process: subprocess.Popen[str]) -> str:
    said = ""
    for line in process.stdout or ():
        said += line
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise RuntimeError(f"the studio did not begin: {said}")


def _end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Callable[..., Visitor]]:
    """`visit(width)` begins a studio on an empty folder, or on one with `files`, and opens it in a browser."""
    ended: list[Callable[[], object]] = []

    def visit(width: int = 1400, dark: bool = False, files: dict[str, str] | None = None) -> Visitor:
        folder, downloads, profile = (tmp_path / name for name in ("folder", "downloads", "profile"))
        for each in (folder, downloads, profile):
            each.mkdir()
        for name, text in (files or {}).items():
            (folder / name).write_text(text, "utf-8")
        command = [sys.executable, "-m", "interpreter", "studio", str(folder), "--no-browser"]
        plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        process = subprocess.Popen(command, env=plain, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        ended.append(lambda: _end(process))
        address = _address(process)
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or "chromium"
        for option in (*_OPTIONS, f"--user-data-dir={profile}", f"--window-size={width},1000"):
            options.add_argument(option)
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        ended.append(driver.quit)
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [theme]})
        driver.get(address)
        return Visitor(driver, folder, downloads)

    yield visit
    for end in reversed(ended):
        end()
