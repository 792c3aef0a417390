"""The locations of the grammar, of the shipped rule files and of the cache; no other module knows them.

In a checkout `grammar/` and `rules/` lie beside the package; in a wheel they lie inside it,
under `interpreter/data/`. Functions take names and return paths; no file is read here.
"""

from __future__ import annotations

import os
import sys

from . import disk

PACKAGE = os.path.dirname(os.path.realpath(__file__))
_DATA = os.path.join(PACKAGE, "data")  # exists in a wheel only
HOME = _DATA if os.path.isdir(_DATA) else os.path.dirname(PACKAGE)
CODE = (PACKAGE, os.path.join(HOME, "grammar"))  # everything that affects the meaning of a rule file
LANGUAGE = os.path.join(HOME, "grammar", "rules.lark")
SHIPPED = os.path.join(HOME, "rules")
SLIPS = ".slips.yaml"  # the ending of a file that lists the accepted mutants of a rule file


def rule_file(name_or_path: str | os.PathLike[str]) -> str | None:
    """Return the file of a shipped rule set (`modern`), else the result of `local_file`."""
    name = os.fspath(name_or_path)
    return os.path.join(SHIPPED, f"{name}.yaml") if is_shipped(name) else local_file(name)


def is_shipped(name: str) -> bool:
    """Return whether a rule set of that name comes with Umpire."""
    return os.path.basename(name) == name and disk.is_file(os.path.join(SHIPPED, f"{name}.yaml"))


def is_folder(path: str) -> bool:
    """Whether a path is a folder, and neither a rule set nor a file without its `.yaml`."""
    return disk.kind(path) == "folder" and not is_shipped(path) and not disk.is_file(f"{path}.yaml")


def hides_folder(path: str) -> bool:
    """Whether a path means a rule set or a file though a folder has that name too."""
    return disk.kind(path) == "folder" and not is_folder(path)


def is_slips_file(name: str) -> bool:
    """Return whether a file, judged by its name, lists accepted mutants."""
    return name.endswith(SLIPS) and not is_shipped(name)


def local_file(name: str) -> str | None:
    """Return the given path if it is a file; else, for a bare name, `NAME.yaml` in the current folder; else None."""
    if disk.is_file(name):
        return normalized(name)
    beside = f"{name}.yaml"
    return beside if os.path.basename(name) == name != "." and disk.is_file(beside) else None


def normalized(path: str) -> str:
    """Return the path as pathlib writes it: without `.` and doubled slashes. `..` stays, as a link may precede it."""
    drive, rest = os.path.splitdrive(path.replace(os.altsep, os.sep) if os.altsep else path)
    root = os.sep if rest.startswith(os.sep) else ""
    return drive + root + os.sep.join([part for part in rest.split(os.sep) if part not in ("", ".")]) or "."


def stem(path: str) -> str:
    """Return the name of a file without its folder and its extension."""
    return os.path.splitext(os.path.basename(path))[0]


def shipped() -> list[str]:
    """Return the names of the rule sets that come with Umpire."""
    return disk.yaml_files(SHIPPED)


def cache_folder() -> str | None:
    """Return the user's cache folder for Umpire; None if there is none or `UMPIRE_CACHE=off`."""
    if os.environ.get("UMPIRE_CACHE", "").lower() in ("off", "0", "no"):
        return None
    home = os.environ.get("XDG_CACHE_HOME")
    if not home or not os.path.isabs(home):
        where = {"darwin": "~/Library/Caches", "win32": os.environ.get("LOCALAPPDATA") or "~/AppData/Local"}
        home = os.path.expanduser(where.get(sys.platform, "~/.cache"))
    return os.path.join(home, "umpire") if os.path.isabs(home) else None


def find_in_folder(name: str, folder: str) -> str | None:
    """Find the file that a file in `folder` names: in that folder or below, in a folder of `UMPIRE_PATH`, or shipped.

    The name is untrusted. It must be relative, without `..`, and lead to a YAML file that lies in one of these folders
    after all links are resolved; otherwise the result is None.
    """
    if normalized(name) == "." or ".." in name.split("/") or "\0" in name or "\\" in name or len(name) > 200:
        return None
    if os.path.isabs(name) or os.path.splitdrive(name)[0]:
        return None
    homes = [folder, *filter(None, os.environ.get("UMPIRE_PATH", "").split(os.pathsep)), SHIPPED]
    real = [os.path.realpath(home) for home in homes]
    for home in homes:
        for file in (normalized(os.path.join(home, name)), normalized(os.path.join(home, f"{name}.yaml"))):
            if os.path.splitext(file)[1] in (".yaml", ".yml") and disk.is_file(file):
                end = os.path.realpath(file)
                if any(end.startswith(os.path.join(within, "")) for within in real):
                    return file
    return None
