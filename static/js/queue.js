// Games that were entered but are not saved on the server yet. They wait in this browser, are sent
// in order as soon as that works, and carry a key by which the server saves each of them once.
// Works over plain http: no service worker, nothing but localStorage and requests.
window.gameQueue = (() => {
  "use strict";
  const { ask } = window;
  const KEY = "games-to-send", ASIDE = "games-set-aside";
  const PATIENCE = 10_000;
  const VERSION = 2; // In each game; 1.1 and before wrote none.
  const OTHER = "another_account";
  const listeners = [];
  let kept = null; // Where the browser stores nothing: it lasts for this page.
  let busy = false;
  const notices = new Map(); // Why nothing is sent to a table right now: a code, and the server's words.

  function stored(key) {
    try { return localStorage.getItem(key); } catch { return null; }
  }

  function parsed(text) {
    try { return JSON.parse(text); } catch { return undefined; }
  }

  const isGame = (one) => Object(one) === one && Number.isInteger(one.game)
    && [one.id, one.url, one.order, one.specials].every((text) => typeof text === "string");

  // Another release, or an app of the same address, may have left what this one cannot read. It is
  // set aside as it is, and shown: the games beside it are sent.
  function read() {
    if (kept) return kept;
    const text = stored(KEY);
    if (text === null) return [];
    const list = parsed(text);
    const strange = Array.isArray(list) ? list.filter((one) => !isGame(one)).map((one) => JSON.stringify(one)) : [text];
    const games = Array.isArray(list) ? list.filter(isGame) : [];
    if (strange.length && put(ASIDE, [...aside(), ...strange])) write(games);
    return games;
  }

  function aside() {
    const list = parsed(stored(ASIDE));
    return Array.isArray(list) ? list.map(String) : [];
  }

  function put(key, value) {
    try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; }
  }

  function write(games) {
    kept = put(KEY, games) ? null : games;
    tell();
  }

  function tell(news) {
    for (const listener of listeners) listener(news);
  }

  function change(id, values) {
    write(read().map((game) => (game.id === id ? { ...game, ...values } : game)));
  }

  const remove = (id) => write(read().filter((game) => game.id !== id));

  // Only what names the game has it: our answer, or a state of a server of 1.1, which sends no release.
  const isSaved = ({ status, release, said }, game) => status === 200 && said !== null
    && (said.client_id === game.id || (!release && Number.isInteger(said.version)));

  // The same of refusals. Anything else, whatever its status, is somebody else's answer.
  const OLD = ["closed", "ended", "not_allowed", "signed_out"];
  const isRefusal = ({ status, release, said }) => status >= 400 && typeof said?.code === "string"
    && (release || Number.isInteger(said.version) || OLD.includes(said.code));

  const shown = ({ release, said }) => (ask.isStale(release) ? null : said); // Parts of another release's page.

  // Sends one game; false when it is better to wait before the next try.
  async function sendOne(game) {
    const ago = Math.max(0, Math.round((Date.now() - (game.tapped || Date.now())) / 1000)); // No two clocks need to agree.
    const form = { game_no: game.game, order: game.order, specials: game.specials, client_id: game.id, by: game.by || "", ago };
    let answer = await post(game.url, form);
    // The token's cookie was gone, or of an earlier sign-in: a new one came with the refusal.
    if (answer.said?.code === "old-page") answer = await post(game.url, form);
    const { said, status } = answer;
    notices.delete(game.url);
    const isMoved = said?.code === "moved" && /^\/[^/]/.test(said.moved);
    if (isSaved(answer, game)) {
      remove(game.id);
      tell({ url: game.url, game: game.game, state: shown(answer), saved: true, names: game.names });
    } else if (!isRefusal(answer) || status >= 500) {
      notices.set(game.url, { code: "offline" });
    } else if (isMoved && said.moved !== game.url) {
      change(game.id, { url: said.moved }); // Its link was replaced, and this phone sits at the table.
      tell({ url: game.url, state: said });
      return sendOne({ ...game, url: said.moved });
    } else if (said.code === "old-page" && !ask.token()) {
      notices.set(game.url, { code: "cookies" });
    } else if (said.retry || status === 401 || status === 403) {
      notices.set(game.url, { code: said.code, message: said.message });
    } else if (said.code === "gap" && said.next < game.game) {
      change(game.id, { game: said.next }); // One before it was thrown away, or waits for a decision.
      return sendOne({ ...game, game: said.next });
    } else {
      // A closed night takes it under its number once reopened; an address that ended takes none, nor
      // does a round with all its games.
      const next = status === 404 || said.ended ? undefined : said.next || game.game;
      const code = status === 404 ? "gone" : said.code;
      change(game.id, { problem: { code, message: said.message, next, table: said.table } });
      tell({ url: game.url, state: said.played ? shown(answer) : null });
    }
    return !notices.has(game.url);
  }

  async function post(url, form) {
    try { return await ask.json(url, { form, ms: PATIENCE }); } catch { return { status: 0, said: null }; }
  }

  // At each table the games go in order; one that was refused holds nobody back.
  async function send() {
    if (busy) return;
    busy = true;
    const waits = new Set();
    const next = () => read().find((game) => !game.problem && !waits.has(game.url));
    try {
      for (let game = next(); game; game = next()) {
        tell();
        if (!(await sendOne(game))) waits.add(game.url);
        if (notices.get(game.url)?.code === "offline") break;
      }
    } finally {
      busy = false;
      tell();
    }
  }

  addEventListener("online", send);
  addEventListener("storage", (event) => { if (event.key === KEY) tell(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  setInterval(send, 4000);
  setTimeout(send);
  // What only this page holds is lost with it.
  addEventListener("beforeunload", (event) => { if (kept?.length) event.preventDefault(); });

  // Whoever entered a game may be here again. Before this version anybody's 404 stopped a table's
  // games for good: they are tried once more.
  const isTriedAgain = (game) => !game.v || game.problem?.code === OTHER;
  if (read().some(isTriedAgain)) write(read().map((game) => (isTriedAgain(game) ? { ...game, v: VERSION, problem: null } : game)));

  return {
    OTHER,
    all: read,
    send,
    at: (url) => read().filter((game) => game.url === url),
    add(game) {
      navigator.storage?.persist?.(); // Else some browsers forget it after a week without a visit.
      write([...read(), { ...game, v: VERSION, tapped: Date.now() }]);
      send();
    },
    again(id, number) { change(id, { game: number, problem: null }); send(); },
    move(id, url) { change(id, { url, problem: null }); send(); },
    drop(id) { remove(id); send(); },
    isStored: () => !kept,
    aside,
    forget(text) { put(ASIDE, aside().filter((one) => one !== text)); tell(); },
    onChange(listener) { listeners.push(listener); },
    sending: () => busy,
    notice: (url) => notices.get(url),
  };
})();
