// A table's page: what others did appears by itself, and saving puts the game into the queue.
(() => {
  "use strict";
  const table = document.querySelector("[data-table]");
  const entry = window.gameEntry;
  const queue = window.gameQueue;
  const { ask } = window;
  if (!table) return;
  const url = table.dataset.here;
  const all = new URLSearchParams(location.search).has("all") ? "&all=1" : ""; // Who asked for all games keeps them.
  let version = table.dataset.version;
  let heard = (state) => swap("[data-now]", state.now);

  function swap(selector, html) {
    const parts = document.createElement("template");
    parts.innerHTML = html;
    const part = document.querySelector(selector);
    const focused = part.contains(document.activeElement) && document.activeElement.getAttribute("href");
    part.replaceWith(parts.content.querySelector(selector));
    if (focused) document.querySelector(`${selector} [href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  async function look() {
    if (document.hidden) return;
    try {
      const { status, release, said } = await ask.json(`${url}?version=${version}${all}`);
      if (ask.isStale(release)) return;
      if (status === 204) stop("");
      if (status === 200 && (release || Number.isInteger(said?.version))) apply(said);
    } catch { /* no connection: the queue says so */ }
  }

  function apply(state) {
    if (state.version < Number(version)) return; // An answer that a newer one overtook.
    // The next round has begun: whoever sits here now needs the table as it is.
    if (state.moved && !entry?.order && !queue?.at(url).length) { location.replace(state.moved); return; }
    stop(state.stopped || "");
    if (!state.played) return; // The night is closed or the round withdrawn, and taps are here.
    version = String(state.version);
    swap("[data-played]", state.played);
    swap("[data-turn]", state.turn);
    heard(state);
  }

  // What stops the games here says so at once; the taps stay, and go on when it is open again.
  function stop(said) {
    const notice = table.querySelector("[data-halted]");
    if (!notice || notice.textContent === said) return;
    notice.textContent = said;
    notice.hidden = !said;
    table.querySelector(".save-dock")?.toggleAttribute("hidden", Boolean(said));
  }

  let ticks = 0;
  setInterval(() => { if (entry?.order || ticks % 3 === 0) look(); ticks += 1; }, 2000);
  document.addEventListener("visibilitychange", look);
  if (!entry || !queue) return; // Somebody who only reads.

  const box = table.querySelector("[data-queue]");
  const total = Number(table.dataset.total) || Infinity;
  const title = table.dataset.title;
  let next = Number(table.dataset.next);

  let mine = null; // The number of the game whose taps are here: it belongs to the first of them.
  let begun = null; // When that was.
  let latest = null; // What is told of the next game, until nothing of this phone comes before it.

  // Half-tapped places outlive a reload, and a tab that the system closed.
  const TAPS = `taps ${url}`;

  function remember() {
    const { order, specials, players } = entry;
    const taps = { game: mine, begun, order, specials, lines: entry.lines(), players: players.join() };
    try {
      if (order || specials) sessionStorage.setItem(TAPS, JSON.stringify(taps));
      else sessionStorage.removeItem(TAPS);
    } catch { /* They last as long as this page. */ }
  }

  function recall() {
    try { return JSON.parse(sessionStorage.getItem(TAPS)); } catch { return null; }
  }

  const sendable = () => queue.at(url).filter((game) => !game.problem);
  const number = () => Math.max(next, ...sendable().map((game) => game.game + 1));

  function key() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  entry.form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!entry.complete || !card.hidden || !table.querySelector("[data-halted]").hidden) return;
    const game = {
      id: key(), url, title, game: mine ?? number(), order: entry.order, specials: entry.specials,
      names: entry.names(), lines: entry.lines(), by: table.dataset.by,
    };
    expect(game);
    entry.fill("", "", []);
    queue.add(game);
    focus();
    table.scrollIntoView({ block: "start" });
  });

  function focus() {
    table.tabIndex = -1;
    if (entry.form.hidden) table.focus({ preventScroll: true });
    else entry.focus();
  }

  // Until the server answers: the loser deals, and who leads follows from the rules; where others
  // sit down after each game, that this is not known yet.
  function expect(saved) {
    const game = saved.game + 1, [first, last] = entry.ends(saved.order);
    const stop = game > total && table.querySelector("template[data-stop]");
    const guess = (stop || table.querySelector("template[data-guess]")).content.cloneNode(true);
    const fill = (name, word) => {
      const node = guess.querySelector(`[data-${name}]`);
      if (node) node.textContent = node.textContent.replace("%s", word(node));
    };
    fill("game", () => game);
    fill("dealer", () => last);
    fill("leader", (node) => (node.dataset.leader === "last" ? last : first));
    if (game <= total || stop) table.querySelector("[data-now]").replaceChildren(guess);
    entry.form.hidden = game > total;
  }

  heard = (state) => {
    next = state.next;
    latest = state;
    compare();
    showNext();
  };

  function showNext() {
    if (!latest || sendable().length || !card.hidden) return;
    swap("[data-now]", latest.now);
    entry.form.hidden = latest.over;
    if (latest.players.join() !== entry.players.join() && !entry.order) location.reload();
    latest = null;
  }

  // Somebody else has saved the game whose taps are here: they stay, beside what is saved.
  const card = table.querySelector("[data-overtaken]");
  const same = table.querySelector("[data-same]"), draft = table.querySelector("[data-draft]");
  const rowOf = (game) => document.querySelector(`[data-played] [data-game="${game}"]`);
  const isSame = (row) => row?.dataset.order === entry.order && row.dataset.specials === entry.specials;

  function compare() {
    const later = mine === null ? [] : Array.from({ length: Math.max(next - mine, 0) }, (_, i) => mine + i);
    const twin = entry.complete && later.find((game) => isSame(rowOf(game)));
    if (twin) {
      same.textContent = same.dataset.same.replace("%s", twin);
      entry.fill("", "", []);
      same.hidden = false;
      return;
    }
    card.hidden = !later.length;
    if (!later.length) return;
    const row = rowOf(mine);
    const fill = (name, value) => {
      const node = card.querySelector(`[data-${name}]`);
      node.textContent = node.dataset[name].replace("%s", value);
    };
    fill("said", mine);
    fill("another", number());
    card.querySelector("[data-another]").hidden = number() > total;
    card.querySelector("[data-theirs]").replaceChildren(...(row ? row.cells[1].cloneNode(true).querySelectorAll(".finish, .small, s") : []));
    const finish = document.createElement("ol");
    finish.className = "finish";
    finish.setAttribute("role", "list");
    finish.append(...entry.ranked().map(([rank, name]) => {
      const item = document.createElement("li");
      const medal = document.createElement("span");
      medal.className = `medal medal-${rank === entry.players.length ? "last" : rank}`;
      medal.textContent = rank;
      item.append(medal, ` ${name}`);
      return item;
    }));
    card.querySelector("[data-mine]").replaceChildren(finish);
    const way = card.querySelector("[data-correct]");
    way.hidden = !row?.querySelector("a[href]") || !entry.complete;
    way.href = `${url}games/${mine}/?${new URLSearchParams({ order: entry.order, specials: entry.specials })}`;
  }

  // In the middle of the felt, until the next tap: which game was saved, and the way to correct it.
  const hint = table.querySelector("[data-hint]"), asks = hint.textContent;
  function showSaved(sentence, game) {
    if (entry.order) return;
    const way = rowOf(game)?.querySelector("td > a");
    hint.replaceChildren(sentence, ...(way ? [" ", way.cloneNode(true)] : []));
  }

  entry.onChange(() => {
    if (entry.order) hint.textContent = asks;
    [mine, begun] = entry.order || entry.specials ? [mine ?? number(), begun ?? Date.now()] : [null, null];
    remember();
    same.hidden = true;
    draft.hidden ||= !begun; // A tap moves no tile.
    compare();
    showNext();
  });
  for (const button of table.querySelectorAll("[data-clear]")) {
    button.addEventListener("click", () => { entry.fill("", "", []); focus(); });
  }
  card.querySelector("[data-another]").addEventListener("click", () => {
    mine = number();
    compare();
    showNext();
  });

  // Only when something looks different: what is read aloud is not read again, and a button that
  // is about to be pressed stays.
  let drawn = "";
  function draw() {
    const games = queue.all().filter(isShown), strange = queue.aside();
    const rows = [...games.map(row), ...strange.map(unreadable)];
    const looks = rows.map((item, i) => (games[i]?.id ?? "") + item.outerHTML).join();
    if (looks === drawn) return;
    drawn = looks;
    const focused = box.contains(document.activeElement);
    box.hidden = !rows.length;
    box.querySelector("ul").replaceChildren(...rows);
    if (focused) focus();
  }

  // A game of another table is dealt with there, unless that table takes no more at its address.
  const isShown = (game) => game.url === url || game.problem?.code === "gone";

  function row(game) {
    const item = box.querySelector("template").content.firstElementChild.cloneNode(true);
    const what = item.querySelector("[data-what]");
    what.textContent = `${game.title} · ${what.dataset.game.replace("%s", game.game)}`;
    item.querySelector("[data-order]").textContent = game.names;
    const state = item.querySelector("[data-state]");
    const message = item.querySelector("[data-message]");
    if (game.problem) {
      state.remove();
      message.textContent = game.problem.message || box.dataset.gone;
      message.hidden = false;
      offer(item, game);
      return item;
    }
    const notice = queue.notice(game.url);
    state.textContent = queue.sending() && !notice ? box.dataset.sending : box.dataset.waiting;
    if (notice) {
      const words = {
        offline: entry.form.hidden ? box.dataset.stopped : box.dataset.offline,
        signed_out: box.dataset.signedOut,
        not_allowed: box.dataset.notAllowed,
        "old-page": box.dataset.oldPage,
        cookies: box.dataset.cookies,
      };
      message.textContent = words[notice.code] || `${notice.message} ${box.dataset.kept}`;
      message.hidden = false;
      item.querySelector("[data-elsewhere]").hidden = notice.code !== "cookies";
      item.querySelector("[data-sign-in]").hidden = notice.code !== "signed_out";
    }
    if (!queue.isStored()) {
      message.textContent = box.dataset.unstored;
      message.hidden = false;
    }
    return item;
  }

  // What this release cannot read: its taps may still be told from it.
  function unreadable(text) {
    const item = box.querySelector("template").content.firstElementChild.cloneNode(true);
    item.querySelector("[data-state]").remove();
    item.querySelector("[data-order]").textContent = text;
    const message = item.querySelector("[data-message]");
    message.textContent = box.dataset.unreadable;
    message.hidden = false;
    item.querySelector("[data-choices]").hidden = false;
    item.querySelector("[data-again]").remove();
    item.querySelector("[data-edit]").remove();
    item.querySelector("[data-drop]").addEventListener("click", () => queue.forget(text));
    return item;
  }

  function offer(item, game) {
    item.querySelector("[data-choices]").hidden = false;
    const again = item.querySelector("[data-again]");
    const as = game.url === url ? number() : game.problem.next;
    again.hidden = !game.problem.next || game.problem.code in entry.problems || game.problem.code === queue.OTHER;
    again.textContent = again.dataset.again.replace("%s", as);
    again.addEventListener("click", () => queue.again(game.id, as));
    // The form here takes no game after the last one, and none of people who sit elsewhere.
    const areHere = game.order.split(/[,+]/).every((player) => entry.players.includes(player));
    const edit = item.querySelector("[data-edit]");
    edit.hidden = game.url !== url || !game.problem.next || !areHere;
    edit.addEventListener("click", () => {
      entry.form.hidden = false;
      entry.fill(game.order, game.specials, game.lines);
      queue.drop(game.id);
      focus();
      table.scrollIntoView({ block: "start" });
    });
    item.querySelector("[data-drop]").addEventListener("click", () => queue.drop(game.id));
  }

  // What the phone keeps of this page, for where there is no network (service_worker.js).
  let keeping = 0;
  function keep() {
    clearTimeout(keeping);
    keeping = setTimeout(() => navigator.serviceWorker?.controller?.postMessage({ keep: location.pathname }), 1000);
  }

  queue.onChange((news) => {
    // The taps here come after every game of this phone, whatever numbers those get.
    const own = [...sendable().map((game) => game.game), ...(news?.saved && news.url === url ? [news.game] : [])];
    if (mine !== null) mine = Math.max(mine, ...own.map((game) => game + 1));
    if (news && news.url === url && news.state) apply(news.state);
    else showNext();
    if (news && news.url === url && news.saved) {
      keep();
      const saved = box.dataset.saved.replace("{game}", news.game).replace("{name}", news.names?.split(", ")[0] || "?");
      showSaved(saved, news.game);
      document.getElementById("live").textContent = `${saved} ${table.querySelector("[data-now]").textContent.trim().replace(/\s+/g, " ")}`;
    }
    draw();
  });
  if (sendable().length) expect(sendable().pop());

  // The link of this table was replaced: what was entered by the old one is sent by this one, once
  // the old one says so. Each game once: pages of two replaced links would go on handing it over.
  const taken = new Set();
  const ROUND = /rounds\/\d+\//;
  const isHere = ({ id, problem }) => problem?.code === "gone" && problem.table === table.dataset.table && !taken.has(id);
  function take() {
    for (const game of queue.all().filter(isHere)) {
      const here = url.replace(ROUND, game.url.match(ROUND)?.[0] ?? "$&");
      if (here === game.url) continue;
      taken.add(game.id);
      queue.move(game.id, here);
    }
  }
  queue.onChange(take);
  take();
  draw();

  const taps = recall();
  if (taps && !entry.order && !entry.specials && taps.players === entry.players.join()) {
    [mine, begun] = [taps.game, taps.begun];
    entry.fill(taps.order, taps.specials, taps.lines);
    draft.firstElementChild.textContent = draft.dataset.draft.replace("%s", ask.hour(begun, table.dataset.zone));
    draft.hidden = !taps.begun; // Release 1.1 noted no time.
  }
})();
