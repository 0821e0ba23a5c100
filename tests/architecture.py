"""What may import what: the rooms of docs/architecture.md in order, read from the sources.

`faults` takes the sources as text, so that tests can hand it a repository with one import too many.
"""

import ast
import functools
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = ("engine", "accounts", "tables", "league", "launcher", "config")

# Each list is a house of floors: a room may import the rooms named before it, and what stands
# beside it on its own floor only where it is itself.
FLOORS: dict[str, list[set[str]]] = {
    "packages": [{"engine", "accounts", "launcher"}, {"tables"}, {"league"}, {"config"}],
    "engine": [
        {"rules"},
        {"core"},
        {"records", "bots", "statistics"},
        {"sim", "adapters", "push"},
        {"cli"},
        {"__main__"},
    ],
    "tables": [
        {"signals", "numbers", "models"},
        {"base"},
        {"refusals", "programs", "hosts"},
        {"chairs"},
        {"bots", "people", "chat"},
        {"play"},
        {"reviews"},
        {"web"},
        {"runs", "live"},
        {"views", "api"},
        {"tasks"},
        {"urls", "receivers", "templatetags", "management"},
        {"apps"},
    ],
    "league": [
        {"seating"},
        {"base", "models"},
        {"clubs"},
        {"seasons"},
        {"money"},
        {"nights"},
        {"arena", "turnout"},
        {"schedules"},
        {"learn", "log", "online", "proof", "news", "recap"},
        {"exchange", "me"},
        {"api", "urls", "tasks", "demo", "templatetags"},
        {"receivers", "management"},
        {"apps"},
    ],
}
"""The engine's wings, the rooms of `tables`, the nouns of `league`, from the ground up."""

LAYERS: list[set[str]] = [
    {"domain"},
    {"models"},
    {"signals", "ports"},
    {"facts"},
    {"acts"},
    {"pages"},
    {"forms"},
    {"views", "api"},
    {"urls"},
]
"""Inside the league's nouns and across them, from the ground up."""

PURE = ["league", "seating"]
"""The room that is a domain as a whole: plain Python, as the engine is."""

LAYER_OF = {
    "league.nights.online": "ports",
    "league.online.nights": "pages",
    "league.online.host": "acts",
}
"""Modules that are a layer by themselves: the door of nights, and who stands behind doors."""

KNOWS_HTTP = {"forms", "views", "api", "urls"}
HTTP = ("django.http", "django.shortcuts", "django.template", "django.contrib.messages",
        "rest_framework")  # fmt: skip

CLOCKS = {"time", "datetime", "secrets", "uuid"}
HAS_A_CLOCK = {
    "engine.push", "engine.sim.bench", "engine.sim.bench_bots", "engine.sim.bench_judge",
    "engine.sim.command",
}  # fmt: skip

OPTIONAL = {
    "engine.core.compiled": {"numba", "numpy"},
    "engine.adapters.gym": {"gymnasium", "numpy"},
    "engine.adapters.samples": {"numpy"},
    "engine.adapters.vector": {"numpy"},
    "engine.adapters.aec": {"gymnasium", "numpy", "pettingzoo"},
}
"""Who may import what need not be there, and only in a function: most processes never do."""

ALLOWED: dict[tuple[str, str], str] = {
    ("league.proof.facts.verify_cached", "league.seasons.acts.ratings"): (
        "The proof computes again what the service computed, by the service's own functions."
    ),
    ("league.base.domain.amounts", "tables.base.currencies"): (
        "The table of currencies is plain data, and online tables write amounts too."
    ),
    ("league.base.domain.names.clean", "tables.base.words"): (
        "What hides in a text is plain data, and online tables clean texts of it too."
    ),
    ("league.nights.domain.entry", "tables.base.placings"): (
        "The ranks of places are plain values, and online tables rank their players too."
    ),
    ("league.models.event", "league.seasons.domain.scoring"): "A model reads its JSON as a value.",
    ("league.models.event", "league.nights.domain.night_formats"): (
        "A model reads its JSON as a value."
    ),
    ("league.models.event", "league.nights.domain.night_plans"): (
        "A model reads its columns as a value."
    ),
}
"""Imports that stand against the order, each with its reason."""


@dataclass(frozen=True)
class Import:
    """One import statement, or call of `import_module`, resolved to a full name.

    `when_called` marks one that stands in a function.
    """

    importer: str
    target: str
    name: str = ""
    when_called: bool = False


def read_sources() -> dict[str, str]:
    """Return the text of every module of the product by its name, migrations left out."""
    found = {}
    for package in OURS:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                parts = path.relative_to(ROOT).with_suffix("").parts
                found[".".join(parts).removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return found


def packages_of(modules: Mapping[str, str]) -> set[str]:
    """Return the modules that have others below them."""
    return {name.rpartition(".")[0] for name in modules}


def imports_of(modules: Mapping[str, str]) -> list[Import]:
    """Return every import of these modules; relative ones, in functions and for types too."""
    packages = packages_of(modules)
    found = []
    for module, text in modules.items():
        for base, name, when_called in _statements(module, text, module in packages):
            full = f"{base}.{name}" if name else base
            is_module = not name or full in modules or full in packages
            target, inner = (full, "") if is_module else (base, name)
            found.append(Import(module, target, inner, when_called))
    return found


@functools.cache
def _statements(module: str, text: str, is_package: bool) -> list[tuple[str, str, bool]]:
    """Return from where a module imports, what, and whether in a function."""
    home = (module if is_package else module.rpartition(".")[0]).split(".")
    calls = "import_module" in text or "__import__" in text
    found = []
    for node, in_function in _nodes(ast.parse(text), calls=calls):
        if isinstance(node, ast.Import):
            found += [(alias.name, "", in_function) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = home[: len(home) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found += [(base, alias.name, in_function) for alias in node.names]
        elif isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
            given = node.args[0] if node.args else None
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                found.append((given.value, "", in_function))
    return found


def _nodes(tree: ast.Module, *, calls: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Yield what may import, and whether it stands in a function: statements, and `calls` too."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_function = waiting.pop()
        yield node, in_function
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        inner = ast.iter_child_nodes(node) if calls else _statements_in(node)
        waiting += [(each, inside) for each in inner]


def _statements_in(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(node, name, ())
        yield from inner if isinstance(inner, list) else ()


def _called(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def faults(modules: Mapping[str, str]) -> set[str]:
    """Return a sentence for each import that the documents forbid, and for each circle."""
    imports = imports_of(modules)
    return {
        *(fault for each in imports for fault in _faults_of(each)),
        *_circles(modules, imports),
        *_circles_of_rooms(imports),
    }


@functools.cache
def _faults_of(each: Import) -> tuple[str, ...]:
    if (each.importer, each.target) in ALLOWED:
        return ()
    fault = f"{each.importer} imports {each.target}{'.' + each.name if each.name else ''}"
    rules = (_package, _room, _layer, _plain, _clock, _web, _private)
    return tuple(f"{fault}: {reason}" for rule in rules if (reason := rule(each)))


def _package(each: Import) -> str:
    mine, theirs = each.importer.split(".")[0], each.target.split(".")[0]
    if theirs == "tests":
        return "tests are not part of the product"
    if theirs not in OURS or mine == theirs:
        return ""
    return _above(FLOORS["packages"], mine, theirs)


def _room(each: Import) -> str:
    package, _dot, mine = each.importer.partition(".")
    if package not in FLOORS or not each.target.startswith(f"{package}.") or not mine:
        return ""
    mine, theirs = mine.split(".")[0], each.target.split(".")[1]
    if mine == theirs or _is_domain(each.target):
        return "" if mine == theirs else _domain_above(each)
    if package == "league" and {mine, theirs} == {"base", "models"}:
        return ""
    return _above(FLOORS[package], mine, theirs)


def _is_domain(module: str) -> bool:
    parts = module.split(".")
    return parts[:2] == PURE or (parts[0] == "league" and parts[2:3] == ["domain"])


def _domain_above(each: Import) -> str:
    """Models and other domains read a domain below them; the order of nouns holds there too."""
    return _above(FLOORS["league"], each.importer.split(".")[1], each.target.split(".")[1])


def _above(floors: list[set[str]], mine: str, theirs: str) -> str:
    floor = {room: number for number, rooms in enumerate(floors) for room in rooms}
    if mine not in floor or theirs not in floor:
        return f"{mine if mine not in floor else theirs} has no place in the order"
    if floor[theirs] > floor[mine]:
        return f"{theirs} lies above {mine}"
    return f"{theirs} and {mine} lie side by side" if floor[theirs] == floor[mine] else ""


def layer_of(module: str) -> str:
    """Return the layer of a module in a room; "" for what only puts the parts together."""
    parts = module.split(".")
    if module in LAYER_OF:
        return LAYER_OF[module]
    if parts[1:2] == ["models"] and parts[0] in ("league", "tables"):
        return "models"
    if parts[:2] == PURE:
        return "domain"
    known = {layer for layers in LAYERS for layer in layers}
    if parts[0] == "tables" and parts[1:2] and parts[1] in known:
        return parts[1]
    return parts[2] if parts[0] in ("league", "tables") and parts[2:3] and parts[2] in known else ""


def _layer(each: Import) -> str:
    mine, theirs = layer_of(each.importer), layer_of(each.target)
    same_package = each.importer.split(".")[0] == each.target.split(".")[0]
    if not mine or not theirs or mine == theirs or not same_package:
        return ""
    return _above(LAYERS, mine, theirs)


def _plain(each: Import) -> str:
    is_engine = each.importer.startswith("engine.")
    if not is_engine and not _is_domain(each.importer):
        return ""
    top = each.target.split(".")[0]
    if top == "engine" or top in sys.stdlib_module_names or _is_domain(each.target):
        return ""
    if top in OPTIONAL.get(each.importer, ()):
        return "" if each.when_called else "what is optional is imported when it is asked for"
    return "rules and domains are plain Python"


def _clock(each: Import) -> str:
    if not each.importer.startswith("engine") or each.importer in HAS_A_CLOCK:
        return ""
    if each.target in CLOCKS:
        return "the engine has no clock"
    if each.target == "random" and each.name != "Random":
        return "the engine has no dice of its own: take a Random as an argument"
    return ""


def _web(each: Import) -> str:
    layer = layer_of(each.importer)
    if not layer or layer in KNOWS_HTTP:
        return ""
    is_web = any(each.target == web or each.target.startswith(f"{web}.") for web in HTTP)
    return f"{layer} know nothing of HTTP" if is_web else ""


def _private(each: Import) -> str:
    is_ours = each.target.split(".")[0] in OURS
    is_private = each.name.startswith("_") and not each.name.startswith("__")
    return "a private name of another module" if is_ours and is_private else ""


def _circles(modules: Mapping[str, str], imports: list[Import]) -> set[str]:
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for each in imports:
        if each.target in graph and each.target != each.importer:
            graph[each.importer].add(each.target)
    return {f"circle: {', '.join(sorted(circle))}" for circle in circles(graph)}


def _circles_of_rooms(imports: list[Import]) -> set[str]:
    graph: dict[str, set[str]] = {}
    for each in imports:
        mine, theirs = _room_of(each.importer), _room_of(each.target)
        if mine and theirs and mine != theirs and (each.importer, each.target) not in ALLOWED:
            graph.setdefault(mine, set()).add(theirs)
            graph.setdefault(theirs, set())
    return {f"circle of rooms: {', '.join(sorted(circle))}" for circle in circles(graph)}


def _room_of(module: str) -> str:
    parts = module.split(".")
    if parts[0] not in FLOORS or len(parts) < 2:
        return ""
    if _is_domain(module) or module.startswith("league.models"):
        return "league.models and domains"
    return ".".join(parts[:2])


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the strongly connected parts with more than one member (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for after in sorted(graph[node]):
            if after not in index:
                visit(after)
                low[node] = min(low[node], low[after])
            elif after in stack:
                low[node] = min(low[node], index[after])
        if low[node] == index[node]:
            part = set(stack[stack.index(node) :])
            del stack[stack.index(node) :]
            if len(part) > 1:
                found.append(part)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10 * len(graph) + 1000))
    try:
        for node in sorted(graph):
            if node not in index:
                visit(node)
    finally:
        sys.setrecursionlimit(limit)
    return found
