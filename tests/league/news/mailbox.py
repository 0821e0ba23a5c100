"""A mail server on this machine: real SMTP, with refusals on order."""

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage


class Mailbox:
    """What arrived, and which answers the next recipients get instead of a yes."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.calls = 0
        """How often a program connected."""
        self.held = 0
        """How many of its connections are still open."""
        self.let_go = threading.Event()
        """Ends whatever it lets programs wait for."""
        self.got: list[tuple[str, EmailMessage]] = []
        self.refusals: dict[str, list[str]] = {}
        self.from_whom = "250 yes"
        self.before_data = 0.0
        """The time until it takes a mail."""
        self.cuts = False
        """Whether it hangs up in the middle of a mail."""
        self.after_data = "250 taken"
        """The answer to a whole mail, which arrived whatever it is; "" for a hang-up."""
        self.seconds = 0.0
        """The time that it takes."""

    def told(self) -> list[tuple[str, str]]:
        """Who got which subject since the last look, in the order of names."""
        found = sorted((to.partition("@")[0], str(mail["Subject"])) for to, mail in self.got)
        self.got.clear()
        return found


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    """Listen on a free port until the block ends."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            found.calls += 1
            found.held += 1
            try:
                self.talk()
            finally:
                found.held -= 1

        def talk(self) -> None:
            self.say("220 here")
            to = ""
            while line := self.rfile.readline().decode().strip():
                word = line.upper()
                if word.startswith("RCPT"):
                    to = line.partition("<")[2].partition(">")[0]
                    waiting = found.refusals.get(to) or found.refusals.get("") or []
                    self.say(waiting.pop(0) if waiting else "250 yes")
                elif word.startswith("MAIL"):
                    self.say(found.from_whom)
                elif word == "DATA":
                    found.let_go.wait(found.before_data)
                    self.say("354 go on")
                    if found.cuts:
                        return
                    self.keep(to)
                    found.let_go.wait(found.seconds)
                    if not found.after_data:
                        return
                    self.say(found.after_data)
                elif word == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 yes")

        def keep(self, to: str) -> None:
            lines = []
            while (line := self.rfile.readline()) != b".\r\n":
                if not line:
                    return
                lines.append(line)
            text = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
            assert isinstance(text, EmailMessage)
            found.got.append((to, text))

        def say(self, line: str) -> None:
            with suppress(OSError):  # The client has hung up.
                self.wfile.write(f"{line}\r\n".encode())

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    found = Mailbox(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=[0.05], daemon=True)
    thread.start()
    try:
        yield found
    finally:
        found.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join()
