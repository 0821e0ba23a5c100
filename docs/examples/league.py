"""A league of all the club's bots by the API: divisions, a matchday each day, who goes up.

CLUB=https://SERVER/api/v1/clubs/CLUB TOKEN=tl_… python3 docs/examples/league.py "Our bots"

The token has the scopes read, organise and arena. The first matchday begins within two minutes.
"""

import datetime
import json
import os
import sys
import time
import urllib.request
import zoneinfo

RULES, DEALS = "tien-len", 20


def ask(path, body=None):
    """Return the server's answer to a GET, or to a POST of this body."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{os.environ['CLUB']}/{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def create(name, rules, deals):
    """Create a season of bots and a league in it that begins soon, by the club's clock."""
    season = ask("seasons/", {"name": name, "ruleset": rules, "ranks_bots": True})
    zone = zoneinfo.ZoneInfo(ask("")["time_zone"])
    soon = datetime.datetime.now(zone) + datetime.timedelta(minutes=2)
    rule = {"start": soon.date().isoformat(), "at": soon.strftime("%H:%M"), "every": "day"}
    plan = {"ruleset": rules, "deals": deals, "size": 4, "moves": 1, "rule": rule}
    return ask("leagues/", {"season": season["id"], "name": name} | plan)


def main(name, rules=RULES, deals=DEALS, pause=5):
    """Create the league and print its divisions after the first matchday."""
    league = create(name, rules, deals)
    print("The first matchday begins at", league["next_at"], flush=True)
    tables = {"is_final": False}
    while not tables["is_final"]:
        time.sleep(pause)
        tables = ask(f"leagues/{league['id']}/")
    arrows = {"up": "↑", "down": "↓", "": ""}
    for division in tables["divisions"]:
        print("Division", division["division"])
        for row in division["rows"]:
            beaten = "-" if row["beaten"] is None else f"{row['beaten']:.1%}"
            print(row["place"], row["bot"], beaten, arrows[row["change"]])


if __name__ == "__main__":
    main(*sys.argv[1:2])
