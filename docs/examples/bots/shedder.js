// A bot in JavaScript: it plays as many cards at once as it can, and otherwise passes or beats.
const lines = require("node:readline").createInterface({ input: process.stdin });

const answer = (message) => console.log(JSON.stringify(message));

function choose(turn) {
  // "legal" holds texts: "3S 3C" plays these cards, others are "pass", "declare", "give 2S" …
  const plays = turn.legal.filter((text) => /^[2-9TJQKA][SCDH]/.test(text));
  if (plays.length === 0) return turn.legal[0];
  const cards = (text) => text.split(" ").length;
  return plays.reduce((best, text) => (cards(text) > cards(best) ? text : best));
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") answer({ type: "ready" });
  if (message.type === "turn") answer({ action: choose(message) });
  // "game" tells the rules, the seat and a seed before the first turn; "end" how it ended.
});
