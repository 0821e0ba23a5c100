"""A night by the API: people come, rounds are drawn, games entered, and the night is closed.

CLUB=https://SERVER/api/v1/clubs/CLUB TOKEN=tl_… python3 docs/examples/night.py An Bình Chi Dũng

The token has the scopes read and organise. The results here are by lot: send your own.
"""

import datetime
import json
import os
import random
import sys
import urllib.request
import uuid

ROUNDS = 2


def ask(path, body=None):
    """Return the server's answer to a GET, or to a POST of this body."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{os.environ['CLUB']}/{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def play(night, number):
    """Draw a round, release it and enter its games."""
    drawn = ask(f"{night}/rounds/", {"number": number})
    drawn = ask(f"{night}/rounds/{number}/release/", {"version": drawn["version"]})
    for table in drawn["tables"]:
        order = [place["entrant"] for place in table["places"]]
        random.shuffle(order)
        game = {"round": number, "table": table["table"], "game": 1}
        places = {"groups": [[entrant] for entrant in order]}
        ask(f"{night}/results/", game | places | {"client_id": str(uuid.uuid4())})


def main(names):
    """Hold a night with these people, new ones among them, in the club's open season."""
    known = {one["name"]: one["id"] for one in ask("players/?page_size=200")["results"]}
    people = [known.get(name) or ask("players/", {"name": name})["id"] for name in names]
    seasons = [one for one in ask("seasons/")["results"] if one["status"] == "open"]
    season = seasons[0] if seasons else ask("seasons/", {"name": "By a program"})
    today = datetime.date.today().isoformat()
    plan = {"season": season["id"], "name": f"Night {today}", "date": today, "games_per_round": 1}
    night = f"events/{ask('events/', plan)['id']}"
    ask(f"{night}/entrants/", {"players": people, "presence": "here"})
    for number in range(1, ROUNDS + 1):
        play(night, number)
    ask(f"{night}/status/", {"status": "closed"})
    for row in ask(f"{night}/standings/")["results"]:
        print(row["rank"], row["name"], row["points"])


if __name__ == "__main__":
    main(sys.argv[1:])
