"""README and docs: no dead link, no command that does not run, no picture that is missing."""

import ast
import importlib
import inspect
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

from tests.architecture import OURS

ROOT = Path(settings.BASE_DIR)
KEPT = ("*.md", "docs/**/*.md", "tests/rules/pages/*.md", "engine/README.md", "script/lab/*.md")
PAGES = sorted(page for kept in KEPT for page in ROOT.glob(kept))
LINK = re.compile(r"""\]\(([^()\s]+)\)|(?:src|href)="([^"]+)\"""")
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```(?:sh|console)?\n(.*?)^```", re.S | re.M)
COMMAND = re.compile(
    r"(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\.venv/bin/)?(?:python3? )?(script/|manage\.py |-m engine)"
)
OPTION = re.compile(r"--[a-z][a-z-]*")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def links_of(page: Path) -> list[str]:
    plain = re.sub(r"^```.*?^```", "", text_of(page), flags=re.S | re.M)
    return [markdown or html for markdown, html in LINK.findall(plain)]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@cache
def anchors(page: Path) -> set[str]:
    """What links into a page may name: its headings as GitHub spells them."""
    plain = re.sub(r"^```.*?^```", "", text_of(page), flags=re.S | re.M)
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", plain, re.M):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]|\]\([^)]*\)", "", heading).lower())
        anchor = words.strip().replace(" ", "-")
        again = sum(other.rpartition("-")[0] == anchor or other == anchor for other in found)
        found.add(f"{anchor}-{again}" if again else anchor)
    return found


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_link_is_dead(page):
    dead = []
    for link in links_of(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _mark, anchor = link.partition("#")
        to = (page.parent / path).resolve() if path else page
        if not to.exists() or (anchor and to.suffix == ".md" and anchor not in anchors(to)):
            dead.append(link)
    assert dead == []


ROOMS = "engine|tables|league|accounts|config|launcher|tests|script|static|templates"
FILE_OR_MODULE = re.compile(rf"(?:{ROOMS})(?:/[\w./-]+|(?:\.(?!py$)\w+)+)")


def is_there(name: str) -> bool:
    """Return True if the sources have this file, or this module and the word in it."""
    if "/" in name:
        return (ROOT / name).exists()
    parts = name.split(".")
    for depth in range(len(parts), 0, -1):
        module = ROOT.joinpath(*parts[:depth])
        source = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
        if source.exists():
            return depth == len(parts) or parts[depth] in text_of(source)
    return False


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_part_of_the_sources_that_a_page_names_is_there(page):
    named = [name for name in CODE.findall(text_of(page)) if FILE_OR_MODULE.fullmatch(name)]
    assert [name for name in named if not is_there(name)] == []


def test_every_name_of_a_file_that_a_page_leads_to_is_there():
    named = {name for page in PAGES for name in CODE.findall(text_of(page)) if ".py: " in name}
    ways = [name.split(": ") for name in named]
    assert [way for way in ways if not re.search(rf"\b{way[1]}\b", text_of(ROOT / way[0]))] == []
    assert len(ways) > 8


def test_every_picture_of_the_docs_is_shown_and_made_by_the_gallery():
    shown = {Path(link).name for page in PAGES for link in links_of(page)}
    kept = {picture.name for picture in ROOT.glob("docs/pictures/*")}
    made = set(re.findall(r'^    "([\w-]+)",$', text_of(ROOT / "script/gallery"), re.M))
    assert kept - shown == set()
    assert {name.removesuffix(".png") for name in kept} == made


def commands() -> list[tuple[str, str]]:
    """Every command line of ours in the docs, with its page."""
    found = []
    for page in PAGES:
        text = text_of(page)
        lines = [line for block in FENCE.findall(text) for line in block.splitlines()]
        for line in [*CODE.findall(FENCE.sub("", text)), *lines]:
            start = COMMAND.match(line)
            if start:
                found.append((line[start.start(1) :].split("#")[0].strip(), name_of(page)))
    return sorted(set(found))


def test_the_docs_have_commands():
    assert len(commands()) > 20


@pytest.mark.parametrize(("line", "page"), commands(), ids=str)
def test_a_command_of_the_docs_exists_with_its_options(line, page):
    words = shlex.split(re.sub(r"\s[|>&].*", "", line))
    options = set(OPTION.findall(" ".join(words[1:])))
    if words[0].startswith("script/"):
        assert os.access(ROOT / words[0], os.X_OK), f"{page}: {words[0]} is no program"
        known = help_of(ROOT / words[0]) if options - {"--help"} else ""
    elif words[0] == "manage.py":
        command = load_command_class(get_commands()[words[1]], words[1])
        known = command.create_parser("manage.py", words[1]).format_help()
    else:
        module = words[1]
        importlib.import_module(module)
        known = help_of("-m", module) if options - {"--help"} else ""
        if module == "engine" and len(words) > 2 and not words[2].startswith("-"):
            known = help_of("-m", "engine", words[2])
    assert {option for option in options - {"--help"} if option not in known} == set(), page


@cache
def help_of(*program: object) -> str:
    """What a program says of itself when it is asked; for a shell script, what its text says."""
    first = program[0]
    if isinstance(first, Path) and "bash" in text_of(first).splitlines()[0]:
        return text_of(first)
    done = subprocess.run(
        [sys.executable, *map(str, program), "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "name",
    [
        "server",
        "test",
        "gallery",
        "lab/bench-arena",
        "lab/bench-duplicate",
        "lab/bench-seating",
        "lab/bench-tables",
        "lab/kill-run",
    ],
)
def test_a_program_says_what_it_does(name):
    assert "usage: " in help_of(ROOT / "script" / name)


SCRIPTS = sorted(path for path in [*ROOT.glob("script/*"), *ROOT.glob("script/lab/*")]
                 if path.is_file())  # fmt: skip


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_takes_from_our_modules_only_what_is_there(script):
    """Few tests run what measures or kills: a renamed act would be missed until somebody does."""
    if script.suffix != ".py" and "python" not in text_of(script).partition("\n")[0]:
        return
    tree, found = ast.parse(text_of(script)), defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in OURS:
            package = importlib.import_module(str(node.module))
            for name in (alias.name for alias in node.names):
                if not hasattr(package, name):
                    importlib.import_module(f"{node.module}.{name}")
                found[name].append(getattr(package, name))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            modules = list(filter(inspect.ismodule, found[node.value.id]))
            assert not modules or any(hasattr(each, node.attr) for each in modules), ast.unparse(
                node
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            first, _, last = ast.unparse(node.func).rpartition(".")
            called = [getattr(each, last, None) for each in found[first]] if first else found[last]
            takes = [inspect.getfullargspec(each) for each in filter(inspect.isfunction, called)]
            given = {keyword.arg for keyword in node.keywords if keyword.arg}
            assert not takes or any(each.varkw or given <= {*each.args, *each.kwonlyargs}
                                    for each in takes), ast.unparse(node)  # fmt: skip
