// Deals a finished game again from its secret and its players' parts (docs/live-tables.md), and
// compares with what this device saw before the deal.
(() => {
  "use strict";
  const { sha256, hmac, fromHex, toHex } = window.dealHash;
  const bytesOf = (text) => new TextEncoder().encode(text);

  function bitsOf(secret, label) {
    let block = 0;
    let numbers = [];
    return (count) => {
      if (!numbers.length) {
        const view = new DataView(hmac(secret, bytesOf(`${label}:${block++}`)).buffer);
        numbers = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i));
      }
      return numbers.shift() >>> (32 - count);
    };
  }

  const length = (number) => 32 - Math.clz32(number);

  function below(bits, limit) {
    let number = bits(length(limit));
    while (number >= limit) number = bits(length(limit));
    return number;
  }

  function shuffled(decks, bits) {
    const deck = Array.from({ length: 52 * decks }, (_, i) => i % 52);
    for (let at = deck.length - 1; at > 0; at--) {
      const other = below(bits, at + 1);
      [deck[at], deck[other]] = [deck[other], deck[at]];
    }
    return deck;
  }

  const listed = (values) => values.map((value) => value || "-").join("|");
  const label = (facts, what) => `tien-len-deal/1:${facts.table}:${what}`;

  function keyOf(facts) {
    const secret = fromHex(facts.secret);
    if (!facts.parts.some(Boolean)) return secret;
    const about = `tien-len-deal/2:${facts.table}:${facts.game}`;
    return hmac(secret, bytesOf(`${about}:${listed(facts.links)}:${listed(facts.parts)}`));
  }

  // The seat dealt to first: a server that chose it would choose who gets which hand.
  function firstOf(facts) {
    if (facts.standalone) return (facts.players - facts.game % facts.players) % facts.players;
    return facts.winner ?? (facts.dealer + 1) % facts.players;
  }

  function hands(facts, key) {
    const deck = shuffled(facts.decks, bitsOf(key, label(facts, facts.game)));
    return Array.from({ length: facts.players }, (_, seat) => {
      const turn = (seat - facts.first + facts.players) % facts.players;
      return deck.slice(0, facts.used).filter((_card, i) => i % facts.players === turn).sort((a, b) => a - b);
    });
  }

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const fingerprint = (hex) => toHex(sha256(fromHex(hex)));

  function holds(facts) {
    const key = keyOf(facts);
    const dealer = facts.drawn ? below(bitsOf(key, label(facts, "dealer")), facts.players) : facts.dealer;
    return fingerprint(facts.secret) === facts.commitment && dealer === facts.dealer && firstOf(facts) === facts.first
      && facts.parts.every((part, seat) => !part || fingerprint(part) === facts.links[seat])
      && same(hands(facts, key), facts.hands);
  }

  // What this device kept of the game, from each chair that it had.
  function kept(facts) {
    try {
      return Object.keys(localStorage).filter((name) => name.startsWith(`deal:${facts.table}:`))
        .map((name) => JSON.parse(localStorage.getItem(name)).games?.[facts.game]).filter(Boolean);
    } catch {
      return [];
    }
  }

  // A saved page has with it what the device saw that saved it.
  function remember(place, facts) {
    facts.saw ??= kept(facts);
    place.textContent = JSON.stringify(facts);
    return facts;
  }

  const agrees = (facts) => (saw) => saw.fingerprint === facts.commitment
    && (!saw.links || same(saw.links, facts.links)) && (!saw.taken || facts.parts.includes(saw.part));

  function verdict(facts) {
    if (!holds(facts)) return "bad";
    if (!facts.saw.every(agrees(facts))) return "other";
    return facts.saw.length ? "seen" : "good";
  }

  const facts = document.getElementById("facts");
  const box = document.getElementById("verify");
  if (!facts || !box) return;
  const found = verdict(remember(facts, JSON.parse(facts.textContent)));
  const place = box.querySelector("[data-verdict]");
  place.textContent = box.dataset[found];
  place.className = `message ${{ seen: "success", good: "info" }[found] ?? "error"}`;
})();
