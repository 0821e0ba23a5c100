// A bot that plays over the API, with nothing but Node.js 18 or newer.
//
//     TOKEN=tl_… node docs/examples/remote_bot.js http://localhost:8000 --work my-bot-1
//
// It plays in tournaments as that bot of its account, for as long as it runs; `--until-idle 60`
// ends it when nothing has been asked for a minute, `--client desk` tells two machines of a bot apart.
// With `--open tien-len` it plays a game at a
// live table of its own against house bots.
"use strict";

const { randomUUID } = require("node:crypto");

const RANKS = "3456789TJQKA2";
const [address, ...rest] = process.argv.slice(2);
const wanted = {};
for (let at = 0; at < rest.length; at += 2) wanted[rest[at].slice(2)] = rest[at + 1];

const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

async function ask(path, body) {
  const answer = await fetch(`${address.replace(/\/$/, "")}/api/v1/tables/${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      Authorization: `Bearer ${process.env.TOKEN}`,
      "Content-Type": "application/json",
      "Accept-Language": "en",
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30000),
  });
  if (!answer.ok) return [answer.status, await answer.json().catch(() => null)];
  return [answer.status, await answer.json()];
}

// The lowest play with the most cards, else a pass: replace this by something better.
function choose(now) {
  if (!now.legal) {
    // Too many ways to give cards back: the lowest ones.
    const lowest = now.hand.split(" ").slice(0, now.request.number);
    return `${now.request.do} ${lowest.join(" ")}`;
  }
  const plays = now.legal.filter((text) => RANKS.includes(text[0]));
  if (!plays.length) return now.legal[0];
  const cards = (text) => text.split(" ");
  const highest = (text) => Math.max(...cards(text).map((card) => RANKS.indexOf(card[0])));
  const cost = now.to_beat
    ? (text) => 100 * highest(text) + cards(text).length
    : (text) => RANKS.indexOf(text[0]) - 100 * cards(text).length;
  return plays.reduce((best, text) => (cost(text) < cost(best) ? text : best));
}

async function playTournaments(bot, untilIdle) {
  let answers = [];
  let told = 0;
  let since = Date.now();
  while (Date.now() - since < 1000 * untilIdle) {
    let status, work;
    try {
      [status, work] = await ask("work/", { bot, client: wanted.client ?? "node", most: 100, answers });
    } catch {
      await pause(2); // Sending the same again is safe: nothing counts twice.
      continue;
    }
    if (status === 429 || status >= 500) {
      await pause(5);
      continue;
    }
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(work)}`);
    for (const one of work.answers)
      if (["illegal", "late"].includes(one.result)) console.log("at fault:", one);
    answers = work.positions.map((one) => ({ position: one.position, action: choose(one.turn) }));
    told += answers.length;
    if (answers.length) since = Date.now();
    else await pause(work.ask_again);
  }
  console.log(told, "positions answered");
}

async function playTable(rules) {
  let [status, table] = await ask("", { rules, players: 4, bots: "greedy" });
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(table)}`);
  const { key } = table;
  while (!table.last) {
    const now = table.now;
    if (now && now.phase === "window" && now.wins_at_once && now.declares === null)
      await ask(`at/${key}/answer/`, { declare: true });
    else if (now && now.acts)
      await ask(`at/${key}/moves/`, {
        action: choose(now), version: table.version, client_id: randomUUID(),
      });
    await pause(0.5);
    [status, table] = await ask(`at/${key}/`);
  }
  await ask(`at/${key}/leave/`, {});
  console.log(rules, "places", table.last.placings, "net", table.last.net);
}

async function main() {
  if (wanted.open) await playTable(wanted.open);
  else await playTournaments(wanted.work, Number(wanted["until-idle"] ?? Infinity));
}

main().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
