// Games that were entered but are not saved on the server yet. They wait in this browser, are sent
// in order as soon as that works, and carry a key by which the server saves each of them once.
// Works over plain http: no service worker, nothing but localStorage and fetch.
window.gameQueue = (() => {
  "use strict";
  const KEY = "games-to-send";
  const PATIENCE = 10_000;
  const listeners = [];
  let kept = null; // Where the browser stores nothing: it lasts for this page.
  let busy = false;
  let notice = "";

  function read() {
    if (kept) return kept;
    try { return JSON.parse(localStorage.getItem(KEY)) || []; } catch { return []; }
  }

  function write(games) {
    try { localStorage.setItem(KEY, JSON.stringify(games)); kept = null; } catch { kept = games; }
    tell();
  }

  function tell(news) {
    for (const listener of listeners) listener(news);
  }

  function change(id, values) {
    write(read().map((game) => (game.id === id ? { ...game, ...values } : game)));
  }

  // A game that is thrown away leaves no hole in the numbers of those behind it at its table.
  function remove(id, { dropped = false } = {}) {
    const gone = read().find((game) => game.id === id);
    if (!gone) return;
    const later = (game) => dropped && game.url === gone.url && game.game > gone.game;
    write(read().filter((game) => game.id !== id)
      .map((game) => (later(game) ? { ...game, game: game.game - 1, problem: null } : game)));
  }

  // At each table the games go in order: behind one that was refused the others wait.
  function next() {
    const stopped = new Set();
    for (const game of read()) {
      if (game.problem) stopped.add(game.url);
      else if (!stopped.has(game.url)) return game;
    }
    return null;
  }

  const token = () => (document.cookie.match(/(?:^|; )csrftoken=([^;]*)/) || [])[1] || "";

  async function post(game) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PATIENCE);
    try {
      return await fetch(game.url, {
        method: "POST", redirect: "manual", signal: stop.signal,
        headers: { Accept: "application/json", "X-CSRFToken": token() },
        body: new URLSearchParams({
          game_no: game.game, order: game.order, specials: game.specials, client_id: game.id,
        }),
      });
    } finally {
      clearTimeout(timer);
    }
  }

  // Sends one game; false when it is better to wait before the next try.
  async function sendOne(game) {
    let answer, state;
    try {
      answer = await post(game);
      const isJson = (answer.headers.get("Content-Type") || "").includes("json");
      state = isJson ? await answer.json() : {};
    } catch {
      notice = "offline";
      return false;
    }
    notice = "";
    if (answer.status === 200) {
      remove(game.id);
      tell({ url: game.url, game: game.game, state, saved: true });
      return true;
    }
    if (answer.status === 409) {
      const next = state.next || game.game; // A closed night takes it under its number once reopened.
      change(game.id, { problem: { code: state.code, message: state.message, next } });
      tell({ url: game.url, state: state.played ? state : null });
      return true;
    }
    if (answer.status === 404) {
      change(game.id, { problem: { code: "gone", message: state.message } });
      return true;
    }
    // The game stays, and is sent again once the cause is gone.
    if (answer.status === 401 || answer.type === "opaqueredirect") notice = "signed-out";
    else if (answer.status === 403) notice = state.code || (await renewToken(game.url));
    else notice = "offline";
    return false;
  }

  // The token's cookie is gone or belongs to an earlier sign-in: a fresh page brings a new one.
  async function renewToken(url) {
    try { await fetch(url, { redirect: "manual" }); } catch { return "offline"; }
    return "old-page";
  }

  async function send() {
    if (busy) return;
    busy = true;
    try {
      for (let game = next(); game; game = next()) {
        tell();
        if (!(await sendOne(game))) break;
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

  return {
    all: read,
    at: (url) => read().filter((game) => game.url === url),
    add(game) { write([...read(), game]); send(); },
    again(id, number) { change(id, { game: number, problem: null }); send(); },
    drop(id) { remove(id, { dropped: true }); send(); },
    onChange(listener) { listeners.push(listener); },
    sending: () => busy,
    notice: () => notice,
  };
})();
