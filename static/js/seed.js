// Deals the downloaded games of a bot tournament again from its seed, in this browser alone: also from a
// saved page. As engine/sim/verify.py, with Python's generator (Mersenne Twister) written out.
(() => {
  "use strict";
  const { sha256, hmac, toHex } = window.dealHash;
  const bytesOf = (text) => new TextEncoder().encode(text);
  const N = 624;

  function begun(number) {
    const state = new Uint32Array(N);
    state[0] = number;
    for (let i = 1; i < N; i++) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    return state;
  }

  // The state that a number of many words sets, its lowest word first.
  function seeded(words) {
    const state = begun(19650218);
    let i = 1;
    const step = (factor, more) => {
      const before = state[i - 1];
      state[i] = (state[i] ^ Math.imul(before ^ (before >>> 30), factor)) + more;
      if (++i === N) {
        state[0] = state[N - 1];
        i = 1;
      }
    };
    for (let k = 0; k < N; k++) step(1664525, words[k % words.length] + (k % words.length));
    for (let k = 1; k < N; k++) step(1566083941, -i);
    state[0] = 0x80000000;
    return state;
  }

  function bitsOf(words) {
    const state = seeded(words);
    let at = N;
    function turn() {
      for (let i = 0; i < N; i++) {
        const both = (state[i] & 0x80000000) | (state[(i + 1) % N] & 0x7fffffff);
        state[i] = state[(i + 397) % N] ^ (both >>> 1) ^ (both & 1 ? 0x9908b0df : 0);
      }
      at = 0;
    }
    return (count) => {
      if (at === N) turn();
      let word = state[at++];
      word ^= word >>> 11;
      word ^= (word << 7) & 0x9d2c5680;
      word ^= (word << 15) & 0xefc60000;
      word ^= word >>> 18;
      return word >>> (32 - count);
    };
  }

  // Of the first 16 bytes of the code, a number with its highest byte first.
  function wordsOf(seed, purpose) {
    const key = bytesOf(seed);
    const view = new DataView(hmac(key.length > 64 ? sha256(key) : key, bytesOf(purpose)).buffer);
    const words = [12, 8, 4, 0].map((at) => view.getUint32(at));
    while (words.length > 1 && !words[words.length - 1]) words.pop();
    return words;
  }

  function shuffled(decks, bits) {
    const deck = Array.from({ length: 52 * decks }, (_, i) => i % 52);
    for (let at = deck.length - 1; at > 0; at--) {
      const size = 32 - Math.clz32(at + 1);
      let other = bits(size);
      while (other > at) other = bits(size);
      [deck[at], deck[other]] = [deck[other], deck[at]];
    }
    return deck;
  }

  const name = (card) => "3456789TJQKA2"[card >> 2] + "SCDH"[card & 3];
  const sorted = (hand) => [...hand].sort().join(" ");

  function dealt({ seed, players, decks, used }, number) {
    const deck = shuffled(decks, bitsOf(wordsOf(seed, `deck|${number}`))).slice(0, used);
    return Array.from({ length: players }, (_, seat) =>
      sorted(deck.filter((_card, i) => i % players === seat).map(name)));
  }

  // Those of another tournament have another seed.
  function games(text, run) {
    try {
      return text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line))
        .filter((one) => Array.isArray(one.hands) && one.event && one.event.run === run);
    } catch {
      return [];
    }
  }

  function verdict(facts, text) {
    if (toHex(sha256(bytesOf(facts.seed))) !== facts.commitment) return ["seed", ""];
    const found = games(text, facts.run);
    const isWrong = ({ event, hands }) =>
      dealt(facts, event.deal - 1).join("/") !== hands.map((hand) => sorted(String(hand).split(" "))).join("/");
    const wrong = new Set(found.filter(isWrong).map((one) => one.event.deal));
    if (wrong.size) return ["bad", [...wrong].slice(0, 20).join(", ")];
    return found.length ? ["good", found.length] : ["none", ""];
  }

  document.addEventListener("change", async (event) => {
    const form = event.target.closest("[data-cards]");
    if (!form || !event.target.files.length) return;
    const facts = JSON.parse(document.getElementById("cards").textContent);
    const [what, told] = verdict(facts, await event.target.files[0].text());
    const place = form.querySelector("[data-verdict]");
    place.hidden = false;
    place.textContent = `${form.dataset[what]} ${told}`;
    place.className = `message ${what === "good" ? "success" : "error"}`;
  });
})();
