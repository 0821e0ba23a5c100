"""A bot that plays over the API, with nothing but Python's own library.

    TOKEN=tl_… python3 docs/examples/remote_bot.py http://localhost:8000 --name my-bot

It takes challenges and plays wherever its account has a chair. With `--open tien-len` it opens a
table of its own against house bots, plays `--games` games there and says how they ended. With
`--work my-bot-1` it plays in tournaments as that bot of its account, for as long as it runs;
`--until-idle` ends it when nothing has been asked for that many seconds.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import secrets
import threading
import time
import urllib.error
import urllib.request
import uuid

RANKS = "3456789TJQKA2"


class Api:
    """One installation and the token that opens it."""

    def __init__(self, address, token):
        self.address = address.rstrip("/") + "/api/v1/tables/"
        self.headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept-Language": "en",
        }

    def ask(self, path, body=None, method=None):
        """Return the status and the JSON of the answer; 4xx are answers too."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + path, data=data, headers=self.headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            body = error.read()
            try:
                return error.code, json.loads(body or b"null")
            except ValueError:  # A server in between answered with a page of its own.
                return error.code, None

    def lines(self, path):
        """Yield the objects of a stream, one after the other; a lost line is opened again.

        An empty line keeps it open. It ends where it is refused, as that of a closed table.
        """
        request = urllib.request.Request(self.address + path, headers=self.headers)
        while True:
            try:
                with urllib.request.urlopen(request, timeout=60) as stream:
                    for line in stream:
                        if line.strip():
                            yield json.loads(line)
            except urllib.error.HTTPError as error:
                if error.code < 500 and error.code != 429:
                    return
            except (OSError, http.client.HTTPException, ValueError):
                pass  # The line was lost.
            time.sleep(2)


def choose(now):
    """Return the lowest play with the most cards, else a pass: replace this by something better."""
    legal = now["legal"]
    if legal is None:  # Too many ways to give cards back: the lowest ones.
        cards = now["hand"].split()[: now["request"]["number"]]
        return f"{now['request']['do']} {' '.join(cards)}"
    plays = [text for text in legal if text[0] in RANKS]
    if not plays:
        return legal[0]

    def strength(text):
        cards = text.split()
        return (-len(cards), RANKS.index(cards[0][0])) if not now["to_beat"] else rank(cards)

    def rank(cards):
        return max(RANKS.index(card[0]) for card in cards), len(cards)

    return min(plays, key=strength)


class Mixer:
    """Our part in the deals of a table, fixed before we see any other (docs/live-tables.md).

    `seen` has the fingerprint and the links that a game's record must have.
    """

    def __init__(self):
        self.chain, self.seen = [secrets.token_hex(32)], {}
        while len(self.chain) <= 512:
            self.chain.append(hashlib.sha256(bytes.fromhex(self.chain[-1])).hexdigest())

    def take_part(self, api, key, seat):
        """Give our part in the next deal, once, if our link is in its list."""
        status, told = api.ask(f"at/{key}/mix/", {"link": self.chain[-1]})
        if status != 200 or not told["links"] or told["game"] in self.seen:
            return
        self.seen[told["game"]] = (told["fingerprint"], told["links"])
        if len(self.chain) > 1 and told["links"][seat] == self.chain[-1]:
            self.chain.pop()
            api.ask(f"at/{key}/mix/", {"game": told["game"], "part": self.chain[-1]})


def play(api, key, *, games=None):
    """Plays at one table until it closes, or a number of games; the games that ended, by number."""
    ended, mixer = {}, Mixer()
    for table in api.lines(f"at/{key}/stream/"):
        while table is not None:
            if table["last"] and table["last"]["game"] not in ended:
                ended[table["last"]["game"]] = table["last"]
            if table["status"] == "closed" or table["seat"] is None:
                return ended
            if games and len(ended) >= games:
                return ended
            table = act(api, table, mixer)
    return ended


def act(api, table, mixer):
    """Do what the table waits for; return the table, or None where it is others' turn."""
    key, now = table["key"], table["now"]
    if now is None:
        if table["status"] in ("waiting", "between"):
            mixer.take_part(api, key, table["seat"])
            api.ask(f"at/{key}/deal/", {"version": table["version"]})
        return None
    if now["phase"] == "window":
        if now["wins_at_once"] and now["declares"] is None:
            return told(api.ask(f"at/{key}/answer/", {"declare": True}))
        return None
    if now["phase"] == "trade":
        if not now["ready"]:
            return told(api.ask(f"at/{key}/trade/", {"do": "ready"}))
        return None
    if not now["acts"]:
        return None
    move = {"action": choose(now), "version": table["version"], "client_id": str(uuid.uuid4())}
    return told(api.ask(f"at/{key}/moves/", move))


def told(answer):
    """Return the fresh table of an answer: 200 is the table, 409 has it inside."""
    status, body = answer
    if status == 200:
        return body
    if status == 409:
        return body["table"]
    raise SystemExit(f"{status}: {body}")


def open_and_play(api, rules, players, games):
    """Play at a new table against house bots; return how its games ended."""
    asked = {"rules": rules, "players": players, "bots": "greedy"}
    status, table = api.ask("", asked)
    if status != 201:
        raise SystemExit(f"{status}: {table}")
    ended = play(api, table["key"], games=games)
    api.ask(f"at/{table['key']}/leave/", {})
    for last in ended.values():
        print(rules, "game", last["game"], "places", last["placings"], "net", last["net"])
    return len(ended)


def play_tournaments(api, bot, client, until_idle=None):
    """Answer positions of tournaments, many at a time; a lost line is asked again, as it was."""
    answers, told, idle_since = [], 0, time.monotonic()
    while until_idle is None or time.monotonic() - idle_since < until_idle:
        asked = {"bot": bot, "client": client, "most": 100, "answers": answers}
        try:
            status, work = api.ask("work/", asked)
        except (OSError, http.client.HTTPException, ValueError):
            # The line, or half an answer, was lost. The same again is safe: nothing counts twice.
            time.sleep(2)
            continue
        if status == 429 or status >= 500:
            time.sleep(5)
            continue
        if status != 200:
            raise SystemExit(f"{status}: {work}")
        for one in work["answers"]:
            if one["result"] in ("illegal", "late"):
                print("at fault:", one)
        answers = [
            {"position": one["position"], "action": choose(one["turn"])}
            for one in work["positions"]
        ]
        if answers:
            told, idle_since = told + len(answers), time.monotonic()
        else:
            time.sleep(work["ask_again"])
    return told


def wait_for_tables(api):
    """Take every challenge and play at every table, each in a thread of its own."""
    playing = set()
    for news in api.lines("stream/"):
        for challenge in news["challenges"]:
            api.ask(f"challenges/{challenge['id']}/", {"accept": True})
        for table in news["tables"]:
            if table["key"] not in playing:
                playing.add(table["key"])
                threading.Thread(target=play, args=(api, table["key"]), daemon=True).start()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--name", help="say that this account is a bot of this name")
    parser.add_argument("--open", metavar="RULES", help="open a table by these rules and play")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--work", metavar="BOT", help="play in tournaments as this bot")
    parser.add_argument("--client", default="", help="a name for this machine, where there are two")
    parser.add_argument("--until-idle", type=float, metavar="SECONDS")
    wanted = parser.parse_args()
    api = Api(wanted.address, os.environ["TOKEN"])
    if wanted.name:
        status, body = api.ask("bot/", {"name": wanted.name}, method="PUT")
        if status != 200:
            raise SystemExit(f"{status}: {body}")
    if wanted.work:
        told = play_tournaments(api, wanted.work, wanted.client, wanted.until_idle)
        print(told, "positions answered")
    elif wanted.open:
        print(open_and_play(api, wanted.open, wanted.players, wanted.games), "games played")
    else:
        wait_for_tables(api)


if __name__ == "__main__":
    main()
