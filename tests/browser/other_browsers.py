"""WebKitGTK and Firefox, driven by what they speak themselves: no driver of ours to install."""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from script import ports

MINI_BROWSER = "usr/lib/*/webkit2gtk-4.*/MiniBrowser"
FIREFOX = "firefox-esr"
SIZE = (360, 740)
STARTED = 60
"""Seconds after which a browser that does not answer is not there."""
PREFERENCES = {
    "layout.css.prefers-color-scheme.content-override": 0,  # dark
    "dom.w3c_touch_events.enabled": 1,
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "intl.accept_languages": "en-GB",
}
WATCH = """
window.faults ??= [];
if (!window.watched) {
    window.watched = true;
    addEventListener("error", (event) => faults.push(String(event.message)));
    addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
    addEventListener("securitypolicyviolation", (event) => faults.push(event.violatedDirective));
}
"""
POINT = """
const element = document.querySelector(arguments[0]);
element.scrollIntoView({ block: "nearest" });
const box = element.getBoundingClientRect();
return [Math.round(box.x + Math.min(box.width / 2, 12)), Math.round(box.y + box.height / 2)];
"""


class Driver:
    """A browser of one window, by the commands that WebDriver and Marionette share."""

    name = ""

    def command(self, name: str, **parameters: Any) -> Any:
        raise NotImplementedError

    def console(self) -> list[str]:
        """What the browser's own console says of the product's scripts and styles."""
        raise NotImplementedError

    def go(self, address: str) -> None:
        self.command("Navigate", url=address)
        self.js(WATCH)

    def js(self, script: str, *args: Any) -> Any:
        return self.command("ExecuteScript", script=script, args=list(args))

    def wait(self, condition: str, seconds: float = 20) -> Any:
        """What this expression gives as soon as it is something."""
        until = time.monotonic() + seconds
        while not (found := self.js(f"return {condition}")):
            assert time.monotonic() < until, (self.name, condition, self.js(WHERE))
            time.sleep(0.05)
        return found

    def shot(self, name: str) -> None:
        """Keeps a picture of what is in sight, where SHOTS names a folder."""
        if folder := os.environ.get("SHOTS"):
            picture = base64.b64decode(self.command("TakeScreenshot", full=False))
            Path(folder).mkdir(parents=True, exist_ok=True)
            Path(folder, f"{self.name}-{name}.png").write_bytes(picture)

    def touch(self, *places: str | tuple[int, int], hold: int = 0) -> None:
        """A finger that comes down on the first, is held there, and is drawn over the others."""
        points = [self.js(POINT, at) if isinstance(at, str) else at for at in places]
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 40} for x, y in points]
        steps = [
            moves[0],
            {"type": "pointerDown", "button": 0},
            {"type": "pause", "duration": hold},
            *moves[1:],
            {"type": "pointerUp", "button": 0},
        ]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}}
        self.command("PerformActions", actions=[{**finger, "actions": steps}])


WHERE = "return location.href + ' ' + document.body.innerText.slice(0, 600)"


class WebKit(Driver):
    """WebKitGTK behind its own driver: WebDriver over HTTP."""

    name = "webkit"
    PATHS = {
        "Navigate": "url",
        "ExecuteScript": "execute/sync",
        "PerformActions": "actions",
        "SetWindowRect": "window/rect",
        "TakeScreenshot": "screenshot",
    }

    def __init__(self, port: int, log: Path) -> None:
        self.log, self.address = log, f"http://127.0.0.1:{port}"
        binary = next(Path("/").glob(MINI_BROWSER))
        args = ["--automation", "--geometry=360x740", "--enable-write-console-messages-to-stdout=1"]
        options = {"webkitgtk:browserOptions": {"binary": str(binary), "args": args}}
        body = {"capabilities": {"alwaysMatch": options}}
        until = time.monotonic() + STARTED
        while True:
            try:
                found = self.ask("/session", body)
                break
            except (ConnectionError, urllib.error.URLError):
                assert time.monotonic() < until, log.read_text()
                time.sleep(0.2)
        self.version = found["capabilities"]["browserVersion"]
        self.session = f"/session/{found['sessionId']}"
        self.command("SetWindowRect", width=SIZE[0], height=SIZE[1])

    def ask(self, path: str, body: dict | None = None, method: str | None = None) -> Any:
        data = None if method else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=STARTED) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def command(self, name: str, **parameters: Any) -> Any:
        return self.ask(
            f"{self.session}/{self.PATHS[name]}",
            parameters,
            "GET" if name == "TakeScreenshot" else None,
        )

    def console(self) -> list[str]:
        lines = self.log.read_text(errors="replace").splitlines()
        return [line for line in lines if "CONSOLE" in line and " ERROR" in line]

    def close(self) -> None:
        self.ask(self.session, method="DELETE")


class Firefox(Driver):
    """Firefox by Marionette, its own protocol: JSON with its length before it, over a socket."""

    name = "firefox"

    def __init__(self, port: int, log: Path) -> None:
        self.number = 0
        until = time.monotonic() + STARTED
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), STARTED)
                break
            except ConnectionError:
                assert time.monotonic() < until, log.read_text()
                time.sleep(0.2)
        self.stream = self.socket.makefile("rb")
        self.answer()
        found = self.ask("WebDriver:NewSession", {})
        self.version = found["capabilities"]["browserVersion"]
        self.width = self.command("SetWindowRect", width=SIZE[0], height=SIZE[1])["width"]

    def go(self, address: str) -> None:
        super().go(address)
        with self.chrome():  # Its windows are no narrower than 500: the page is made larger.
            self.js(f"gBrowser.selectedBrowser.browsingContext.fullZoom = {self.width / SIZE[0]}")

    @contextmanager
    def chrome(self) -> Iterator[None]:
        """Commands inside of it go to the browser itself, not to the page."""
        self.ask("Marionette:SetContext", {"value": "chrome"})
        yield
        self.ask("Marionette:SetContext", {"value": "content"})

    def answer(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self.stream.read(1) or b":"
        return json.loads(self.stream.read(int(length[:-1])))

    def ask(self, name: str, parameters: dict[str, Any]) -> Any:
        self.number += 1
        body = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(body), body))
        _, _, error, result = self.answer()
        assert not error, error
        return result

    def command(self, name: str, **parameters: Any) -> Any:
        found = self.ask(f"WebDriver:{name}", parameters)
        return found.get("value", found)

    def console(self) -> list[str]:
        with self.chrome():
            found = self.js("return Services.console.getMessageArray().map(String)")
        return [line for line in found if "localhost" in line and "[JavaScript Error" in line]

    def close(self) -> None:
        self.ask("Marionette:Quit", {"flags": ["eForceQuit"]})


@contextmanager
def running(command: Sequence[str], log: Path, **more: Any) -> Iterator[subprocess.Popen]:
    """A process with its output in a file; it ends with the block."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, **more)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)


@contextmanager
def webkit(folder: Path) -> Iterator[Driver]:
    """WebKitGTK in a system of dark colours, on a screen of its own."""
    (port,), drawn = ports.free(1), folder / "screen"
    xvfb = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24"]
    with running(xvfb, drawn) as display:
        until = time.monotonic() + STARTED
        while not drawn.read_text().endswith("\n"):
            assert display.poll() is None, drawn.read_text()
            assert time.monotonic() < until
            time.sleep(0.05)
        number = drawn.read_text().split()[-1]
        system = {"DISPLAY": f":{number}", "GTK_THEME": "Adwaita:dark", "LANG": "en_GB.UTF-8"}
        command, log = ["WebKitWebDriver", f"--port={port}"], folder / "webkit"
        with running(command, log, env={**os.environ, **system}):
            yield from driven(WebKit(port, log))


@contextmanager
def firefox(folder: Path) -> Iterator[Driver]:
    """Firefox without a screen, in a new profile of dark colours."""
    (port,), log = ports.free(1), folder / "firefox"
    lines = {**PREFERENCES, "marionette.port": port}.items()
    profile = folder / "profile"
    profile.mkdir()
    text = "".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in lines)
    (profile / "user.js").write_text(text)
    command = [FIREFOX, "--headless", "--marionette", "--remote-allow-system-access"]
    with running([*command, "--no-remote", "--profile", str(profile)], log):
        yield from driven(Firefox(port, log))


def driven(driver: Driver) -> Iterator[Driver]:
    try:
        yield driver
    finally:
        driver.close()


def is_here(name: str) -> bool:
    """Whether this machine has all that the browser is driven with."""
    if name == "firefox":
        return bool(shutil.which(FIREFOX))
    found = shutil.which("WebKitWebDriver") and shutil.which("Xvfb")
    return bool(found and list(Path("/").glob(MINI_BROWSER)))
