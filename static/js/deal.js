// A browser's part in the deal (docs/live-tables.md): random numbers that it fixed before it saw
// anyone else's, given just before the cards. What it saw stays here, for the page of the proof.
(() => {
  "use strict";
  const root = document.getElementById("the-table");
  const { sha256, toHex, fromHex } = window.dealHash;
  if (!root) return;
  const LENGTH = 512;
  const KEPT_DAYS = 60;
  const SOONEST = 3000, LATEST = 60_000; // Until a part is tried again.
  const own = () => document.getElementById("own");
  const board = () => document.getElementById("board-public");
  const name = () => `deal:${root.dataset.deals}:${own().dataset.chair}`;
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  let busy = false;
  let seen = "";
  let pause = SOONEST;

  function load() {
    try { return JSON.parse(localStorage.getItem(name())); } catch { return null; }
  }

  function save(state) {
    localStorage.setItem(name(), JSON.stringify(state));
  }

  // Without a place to keep what was seen there is nothing to check later, and no part.
  function begin() {
    try {
      const oldest = Date.now() - KEPT_DAYS * 86_400_000;
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith("deal:") && JSON.parse(localStorage.getItem(key)).at < oldest) localStorage.removeItem(key);
      }
      const start = toHex(crypto.getRandomValues(new Uint8Array(32)));
      save({ at: Date.now(), start, last: LENGTH, games: {} });
      return load();
    } catch {
      return null;
    }
  }

  function chainOf(state) {
    const chain = [state.start];
    while (chain.length <= LENGTH) chain.push(toHex(sha256(fromHex(chain.at(-1)))));
    return chain;
  }

  async function ask(fields) {
    const body = new FormData();
    body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "");
    for (const [field, value] of Object.entries(fields)) body.set(field, value);
    const response = await window.ask.ours(root.dataset.mix, { body });
    if (!response.ok) throw new Error("not taken");
    return response.json();
  }

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  // True once there is nothing more to do for the next deal.
  async function takePart() {
    const state = load() ?? begin();
    if (!state) return true;
    const chain = chainOf(state);
    const told = await ask({ link: chain[LENGTH] });
    if (told.game === null) return true;
    const known = state.games[told.game];
    if (known && (known.fingerprint !== told.fingerprint || (known.links && !same(known.links, told.links)))) return true;
    if (!known || (!known.links && told.links)) {
      // At tables with the same deals all links of the round are listed, and one part is for all deals.
      const mine = Boolean(told.links?.includes(chain[state.last])) && state.last > 0;
      if (mine) state.last -= 1;
      const part = mine ? chain[state.last] : "";
      for (const [game, fingerprint] of Object.entries({ ...told.following, [told.game]: told.fingerprint })) {
        if (state.games[game] && state.games[game].fingerprint !== fingerprint) return true;
        state.games[game] = { fingerprint, links: told.links, part, taken: false };
      }
      save(state);
    }
    const game = state.games[told.game];
    if (!game.part || game.taken) return Boolean(told.links);
    const taken = await ask({ game: told.game, part: game.part });
    if (taken.part !== game.part) return true;
    for (const each of Object.values(state.games)) each.taken ||= each.part === game.part;
    save(state);
    return true;
  }

  async function step() {
    const now = board();
    if (busy || !["waiting", "between"].includes(now?.dataset.status) || Number(own()?.dataset.seat) < 0) return;
    if (now.dataset.version === seen) return;
    busy = true;
    seen = now.dataset.version;
    try {
      for (let tries = 0; tries < 8 && !(await takePart()); tries++) await wait(1500);
      pause = SOONEST;
    } catch { // No answer, or no place to keep anything: the deal may go on without this part.
      await wait(pause);
      pause = Math.min(2 * pause, LATEST);
      seen = "";
    }
    busy = false;
    if (board()?.dataset.version !== seen) step();
  }

  new MutationObserver(step).observe(root, { childList: true });
  step();
})();
