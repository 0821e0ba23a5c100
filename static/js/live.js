// A table that lives: the public board comes by a stream, moves go out as plain forms.
(() => {
  "use strict";
  const root = document.getElementById("the-table");
  const hand = window.tableHand;
  const sounds = window.tableSounds;
  const talk = window.tableTalk;
  const { announcer, ask } = window;
  if (!root || !hand) return;
  if (document.documentElement.matches(".large-text") && !location.search) return location.replace("?look=plain");
  const words = root.dataset;
  const title = document.title;
  const lost = document.querySelector("[data-connection]");
  let token = words.token;
  let stream = null;
  let open = false;
  let sending = null; // The move that is on its way.
  let deadline = after(words.left);
  let hints = null;
  let cheering = 0;
  let warned = Infinity;
  let heardTalk = ""; // By a page without a stream.
  let shown = document.getElementById("board-public").outerHTML; // The board as it came last.

  const board = () => document.getElementById("board-public");
  const own = () => document.getElementById("own");
  const seat = () => Number(own().dataset.seat);
  const version = () => Number(board().dataset.version);
  const myTurn = () => seat() >= 0 && board().dataset.turn === String(seat());
  const mark = () => board().dataset.marks.split(" ").at(seat());
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));

  // The server says how much time is left, for its clock and ours need not agree. An answer that was
  // long on its way gives no time back: it counts from the question, or what was known before counts.
  function after(left, since = performance.now()) {
    return left === "" || left === null ? null : since + Number(left);
  }

  function say(text, more = "", place = own().querySelector("[data-say]")) {
    if (!place) return;
    place.classList.remove("say-no");
    const small = document.createElement("small");
    small.textContent = more;
    place.replaceChildren(text, ...(more ? [small] : []));
  }

  // Suits are said by their names: not every voice has a word for the sign.
  const SIGNS = "♠♣♦♥";
  const suits = words.suits.split("|");

  function announce(text) {
    announcer.say(text.replace(/([♠♣♦♥])/g, (sign) => ` ${suits[SIGNS.indexOf(sign)]}`), "now");
  }

  // What an element says to who does not see it.
  function heard(element) {
    const copy = element.cloneNode(true);
    for (const part of copy.querySelectorAll("[aria-hidden=true], [data-unsaid]")) part.remove();
    const parts = copy.matches("ol") ? [...copy.children] : [copy];
    return parts.map((part) => part.textContent.trim().replace(/\s+/g, " ")).join(", ");
  }

  // What the server says of the table and of one's own seat; what is new of it is heard.
  const tell = () => announcer.hear([board(), own()].map((part) => part.querySelector("[data-told]")), seat());

  function tellChosen() {
    const cards = hand.boxes().filter((box) => box.checked).map((box) => heard(box.closest("label")));
    announce(`${words.chosen}: ${cards.join(", ") || 0}`);
  }

  // ---- what the page shows -------------------------------------------------------------------

  // Chairs stand around the table as its players sit: the first is at one's right hand.
  function seatAround() {
    const seats = [...board().querySelectorAll(".seat")];
    const turned = board().dataset.direction === "clockwise";
    const me = Math.max(seat(), 0);
    seats.forEach((one, i) => {
      const at = (turned ? me - i : i - me) + seats.length;
      one.className = `${one.className.replace(/ ?\bp\d\b/, "")} p${at % seats.length}`;
    });
    for (const line of board().querySelectorAll(".result-places > li")) line.classList.toggle("mine", Number(line.dataset.seat) === seat());
    root.toggleAttribute("data-watches", seat() < 0);
  }

  // What stands beside the table comes with the board and with one's own part.
  function toSides(part) {
    for (const fresh of part.querySelectorAll("[data-side]")) {
      const slot = root.querySelector(`[data-slot="${fresh.dataset.side}"]`);
      const focused = slot.contains(document.activeElement) && document.activeElement;
      const opened = [...slot.querySelectorAll("details[open]")].map((details) => details.id);
      slot.replaceChildren(...fresh.childNodes);
      for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
      if (focused) follow(focused, slot);
    }
  }

  function showTurn(before) {
    const mine = myTurn();
    const playing = seat() >= 0 && board().dataset.turn !== "";
    for (const button of own().querySelectorAll("[data-turn-only], [data-hint]")) button.disabled = !mine && (button.value !== "play" || !playing);
    for (const button of own().querySelectorAll("[data-pass]")) {
      button.disabled = mine ? !board().dataset.pass : !playing;
      button.textContent = mine ? words.passWord : words.passAhead;
      button.classList.toggle("off", !mine);
      button.setAttribute("aria-pressed", String(ahead === "pass"));
    }
    own().classList.toggle("own-turn", mine);
    if (before !== version()) sayTurn();
    light();
    if (mine && before !== version()) {
      goAhead();
      passByItself();
    }
    document.title = mine ? `● ${words.yourTurn} · ${title}`
      : board().dataset.turnName ? `${board().dataset.turnName} · ${title}` : title;
    if (mine && before !== version()) {
      if (navigator.vibrate && navigator.userActivation?.hasBeenActive && !still.matches) navigator.vibrate(60);
    }
  }

  function sayTurn() {
    if (own().querySelector("[data-request]") || sending || board().dataset.phase !== "play") return;
    if (!myTurn() && board().dataset.turnName) say(words.thinks.replace("%s", board().dataset.turnName), hand.boxes().length ? words.ahead : "");
    else if (myTurn() && !own().querySelector("[data-say] .card-words")) say(words.yourTurn, words.lit);
  }

  function showClock() {
    const left = deadline === null ? null : Math.max(0, deadline - performance.now());
    for (const clock of root.querySelectorAll("[data-clock]")) showLeft(clock, left);
    warn(left);
  }

  // A turn has the time of a move, and then the bank: each is shown by itself, one after the other.
  function showLeft(clock, left) {
    clock.hidden = left === null;
    if (left === null) return;
    const bank = Number(clock.dataset.bank || 0);
    const spends = left <= bank;
    const whole = spends ? bank : Number(clock.dataset.time);
    const rest = spends ? left : left - bank;
    clock.querySelector("[data-clock-seconds]").textContent = Math.ceil(rest / 1000);
    clock.style.setProperty("--left", Math.min(1, rest / whole || 0).toFixed(3));
    clock.classList.toggle("clock-bank", spends && bank > 0);
    clock.classList.toggle("clock-late", left <= 5000);
    const word = clock.querySelector("[data-clock-bank]");
    if (word) word.hidden = !(spends && bank > 0);
  }

  // The last ten seconds of one's own turn are heard: each by a tick, the first and the fifth in words.
  const LATE = 10_000;

  function warn(left) {
    const seconds = left === null || !myTurn() ? Infinity : Math.ceil(left / 1000);
    if (seconds < warned && seconds > 0 && seconds * 1000 <= LATE) {
      sounds.play("tick");
      if (seconds === 10 || seconds === 5) announce(words.secondsLeft.replace("%s", seconds));
    }
    warned = seconds;
  }

  function placed() {
    seatAround();
    showClock();
    talk.bubbles();
  }

  // Phones hand the link to any app; it comes with the own part, which changes.
  function offerShare() {
    for (const button of own().querySelectorAll("[data-send]")) button.hidden = !navigator.share;
  }

  // ---- motion ----------------------------------------------------------------------------------
  // Cards fly from the player to the trick, and the trick to its winner. Nothing waits for it, and a
  // move that comes sooner ends it.

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const OUT = "cubic-bezier(0.16, 1, 0.3, 1)";
  const IN = "cubic-bezier(0.5, 0, 0.8, 0.4)";
  const box = (element) => element.getBoundingClientRect();
  const laid = () => [...board().querySelectorAll(".middle > .pile > .pile-play")];
  const nameOf = (play) => `${play.dataset.by} ${play.querySelector(".hand").textContent.trim()}`;
  const cardsOf = (play) => [...play.querySelectorAll(".hand > li")];

  function middleOf(element) {
    const { x, y, width, height } = box(element);
    return { x: x + width / 2, y: y + height / 2 };
  }

  function placeOf(seatNo) {
    const mine = seatNo === seat() && own().querySelector(".own-hand");
    return mine || seatOf(seatNo);
  }

  // What lies on the table now, to be told from what lies there after the next move.
  function lying() {
    if (still.matches || document.hidden) return null;
    const shown = laid();
    const top = shown.at(-1);
    const left = top ? cardsOf(top).map((card) => ({ card: card.firstElementChild, at: box(card) })) : [];
    return { names: new Set(shown.map(nameOf)), left, playing: board().dataset.status === "playing" };
  }

  function animate(before) {
    if (!before) return;
    const now = laid();
    for (const play of now) {
      const from = !before.names.has(nameOf(play)) && placeOf(Number(play.dataset.by));
      if (from) cardsOf(play).forEach((card, i) => fly(card, middleOf(from), i));
    }
    const winner = board().dataset.turn;
    if (before.left.length && !now.some((play) => before.names.has(nameOf(play))) && winner) gather(before.left, placeOf(Number(winner)));
    if (board().dataset.cheer.startsWith("chop")) chop();
    if (before.playing && board().querySelector(".result-places")) showEnd();
  }

  function fly(card, from, i) {
    const to = middleOf(card);
    const start = { transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(0.6)`, opacity: 0.2 };
    card.animate([start, { transform: "none", opacity: 1 }], { duration: 220, delay: 25 * i, easing: OUT, fill: "backwards" });
  }

  // Cards are dealt from the middle of the felt, one after the other.
  function deal() {
    if (still.matches || document.hidden) return;
    sounds.play("deal");
    const from = middleOf(board().querySelector(".middle"));
    for (const [i, box] of hand.boxes().entries()) {
      const card = box.nextElementSibling, to = middleOf(card);
      card.animate([{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(0.5)`, opacity: 0 }, {}], { duration: 260, delay: 35 * i, easing: OUT, fill: "backwards" });
    }
  }

  function gather(left, winner) {
    const to = winner && middleOf(winner);
    for (const { card, at } of to ? left : []) {
      if (!card) continue;
      const ghost = card.cloneNode(true);
      ghost.style.setProperty("--w", `${at.height / 1.42}px`);
      over(ghost, at, to, { duration: 260, easing: IN });
    }
  }

  // What is only seen, above everything, on its way from here to there: it takes no room.
  // Coins go by a bend, stay as large as they are, and lie there a moment.
  function over(ghost, at, to, timing, isCoin = false) {
    ghost.setAttribute("aria-hidden", "true");
    Object.assign(ghost.style, { position: "fixed", left: `${at.x}px`, top: `${at.y}px`, margin: 0, zIndex: 3, pointerEvents: "none" });
    root.append(ghost);
    const [x, y] = [to.x - at.x - at.width / 2, to.y - at.y - at.height / 2];
    const way = `translate(${x}px, ${y}px)`;
    const bend = { transform: `translate(${x / 2}px, ${y / 2 + 28}px)`, offset: 0.5 };
    const coin = [{ transform: "none", opacity: 0 }, { opacity: 1, offset: 0.1 }, bend, { transform: way, opacity: 1, offset: 0.85 }, { transform: way, opacity: 0 }];
    const flight = ghost.animate(isCoin ? coin : [{ transform: "none" }, { transform: `${way} scale(0.3)`, opacity: 0.2 }], timing);
    flight.onfinish = flight.oncancel = () => ghost.remove();
  }

  const seatOf = (seatNo) => [...board().querySelectorAll(`[data-seat="${seatNo}"]`)].findLast((one) => one.offsetParent);

  function pay(from, to, delay = 0) {
    const { x, y } = middleOf(from);
    for (let i = 0; i < 5; i++) {
      const coin = document.createElement("i");
      coin.className = "coin";
      over(coin, { x: x - 8, y: y - 8, width: 16, height: 16 }, middleOf(to), { duration: 800, delay: delay + 110 * i, fill: "backwards" }, true);
    }
  }

  // A chop is felt: who was beaten shakes, and pays where chops cost.
  function chop() {
    const [beaten, by] = laid().slice(-2).map((play) => seatOf(play.dataset.by));
    if (!beaten || !by) return;
    const shaken = ["0", "-5px", "5px", "0"].map((x) => ({ transform: `translateX(${x})` }));
    beaten.animate(shaken, { duration: 300, delay: 320, iterations: 2 });
    if (board().dataset.chopsPay) pay(beaten, by, 320);
  }

  // The end comes place by place, and then the coins.
  function showEnd() {
    const places = [...board().querySelectorAll(".result-places > li")];
    const winner = places.find((place) => Number(place.dataset.net) > 0);
    places.forEach((place, i) => {
      place.animate([{ opacity: 0, transform: "translateX(-1rem)" }, {}], { duration: 260, delay: 150 * i, easing: OUT, fill: "backwards" });
      if (winner && Number(place.dataset.net) < 0) pay(seatOf(place.dataset.seat), seatOf(winner.dataset.seat), 150 * places.length);
    });
  }

  function fresh(html) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    return holder.content.firstElementChild;
  }

  // The table cheers what is new, once: not what was on it when the page came.
  function cheer() {
    root.classList.remove("cheering");
    requestAnimationFrame(() => root.classList.add("cheering"));
    clearTimeout(cheering);
    cheering = setTimeout(() => root.classList.remove("cheering"), 2800);
  }

  // One board may come twice, by the stream and by an answer: what moves on it goes on moving.
  function showBoard(html, number, gotUp = false) {
    if ((number < version() && !gotUp) || html === shown) return;
    shown = html;
    const before = version();
    const status = board().dataset.status;
    const news = board().querySelector("[data-news]")?.textContent.trim();
    const cheered = board().dataset.cheer;
    const plays = laid().length;
    const hadResult = board().querySelector(".result");
    const played = own().contains(document.activeElement);
    const focused = board().contains(document.activeElement) ? document.activeElement : null;
    const lay = before === number ? null : lying();
    board().replaceWith(fresh(html));
    toSides(board());
    if (focused) follow(focused, board());
    placed();
    if (lay) animate(lay);
    showTurn(before);
    const now = board().querySelector("[data-news]")?.textContent.trim();
    tell();
    if (played && !hadResult) toResult();
    if (before !== number && (now !== news || (board().dataset.cheer && !cheered))) {
      sounds.play(board().dataset.cheer || (myTurn() ? "turn" : laid().length > plays ? "play" : "pass"));
      if (board().dataset.cheer) cheer();
    }
    if (status === "playing" && board().dataset.status !== "playing") sounds.play("over");
  }

  // The focus goes on where it was on the board, or to the same card or button, or to the card in its place.
  function follow(old, within) {
    const id = old.closest("details")?.id;
    const same = id ? `#${id} > summary` : `[href="${CSS.escape(old.getAttribute("href") ?? "")}"]`;
    within.querySelector(same)?.focus({ preventScroll: true });
  }

  function refocus(value, at, byKeys) {
    const fields = [...own().querySelectorAll("input:not([type=hidden]), button:not(:disabled), select")];
    const cards = hand.boxes();
    const same = fields.find((field) => field.value && field.value === value);
    own().tabIndex = -1;
    const next = same || cards[Math.min(at, cards.length - 1)] || own().querySelector(".go:not(:disabled)") || own();
    next.focus({ preventScroll: !byKeys });
  }

  function showOwn(html) {
    const picked = hand.chosen();
    const focused = own().contains(document.activeElement) ? document.activeElement : null;
    const at = Math.max(0, hand.boxes().indexOf(focused));
    const byKeys = focused?.matches(":focus-visible");
    const sat = seat() >= 0;
    const hadHand = hand.boxes().length > 0;
    window.typing.replace(own(), fresh(html));
    toSides(own());
    if (sat && seat() < 0) setTimeout(goAlong);
    if (sat !== seat() >= 0) again();
    const dealt = !hadHand && hand.boxes().length > 0;
    hand.keep(picked);
    if (dealt) {
      ahead = "";
      deal();
    }
    placed();
    offerShare();
    showTurn(version());
    sayTurn();
    tell();
    if (focused && focused !== document.activeElement) refocus(focused.value, at, byKeys);
  }

  // Who played goes on at the result: the hand, where the focus was, is gone.
  function toResult() {
    const heading = board().querySelector(".result-winner h2");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }

  // Whom the table took along to another one gets there without a tap; a result is read before.
  const READ = 8000;
  function goAlong() {
    const way = own().querySelector("[data-follow]");
    if (way?.href) setTimeout(() => way.isConnected && way.click(), READ);
    else way?.requestSubmit();
  }

  // A button that is replaced under the finger takes no tap: news waits for it, for a moment.
  let down = 0;
  const held = [];

  function lift() {
    clearTimeout(down);
    down = 0;
    for (const news of held.splice(0)) show(...news);
  }

  document.addEventListener("pointerdown", ({ target }) => {
    if (target.closest("#the-table button")) down ||= setTimeout(lift, 2000);
  }, true);
  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, () => { if (down) setTimeout(lift, 50); }, true);
  }

  function show(data, how = {}, due = after(data.left)) {
    if (down) return held.push([data, how, due]);
    const { always = false } = how;
    // Who got up at a delayed table watches an earlier state of it; a closed one stays as it ended.
    const gotUp = token && !data.token && board().dataset.status !== "closed";
    token = data.token;
    if (data.talk && data.talk !== heardTalk) talk.show(heardTalk = data.talk);
    if (data.version < version() && !gotUp) return;
    deadline = data.version === version() && deadline && due ? Math.min(deadline, due) : due;
    showBoard(data.board, data.version, gotUp);
    if (data.own && (always || gotUp || own().dataset.mark !== mark())) showOwn(data.own);
  }

  // ---- news from the server ------------------------------------------------------------------

  // Between turns this page gives way to a newer release, whose boards it cannot show. With a turn
  // it waits for the move, or for news of what was made of it.
  let other = false, played = false;
  ask.holds.push(() => sending || (myTurn() && !played));

  function isOther(mark) {
    other = ask.isStale(mark);
    played ||= other && Boolean(sending);
    return other;
  }

  async function refresh() {
    const asked = performance.now();
    try {
      const response = await ask.ours(words.view);
      if (response.ok && !isOther(ask.markOf(response))) {
        const data = await response.json();
        show(data, {}, after(data.left, asked));
      }
      return response.ok;
    } catch {
      return false;
    }
  }

  function showWatchers(count) {
    const place = document.querySelector("[data-watchers]");
    place.hidden = !count;
    place.title = place.dataset.watchers.replace("%s", count);
    place.querySelector("b").textContent = count;
  }

  // A phone without a network and a server that is away are not the same thing to wait for.
  function connected(yes) {
    lost.hidden = yes;
    if (!yes) lost.textContent = navigator.onLine ? words.serverAway : words.offline;
  }

  function listen() {
    if (!token || stream || document.hidden || board().dataset.status === "closed") return;
    const query = new URLSearchParams({ token, language: words.language, release: ask.own() });
    stream = new EventSource(`${words.stream}?${query}`);
    stream.onopen = () => connected(open = true);
    stream.addEventListener("release", ({ data }) => { isOther(data); ask.hear(200, data); });
    stream.onmessage = (event) => {
      const data = JSON.parse(event.data);
      if (other) { played ||= data.version > version(); return; }
      showBoard(data.board, data.version);
      if ((!sending || isNextTurn()) && own().dataset.mark !== mark()) refresh();
    };
    stream.addEventListener("clock", (event) => { deadline = after(event.data); });
    stream.addEventListener("talk", (event) => talk.show(JSON.parse(event.data).talk));
    stream.addEventListener("watchers", (event) => showWatchers(Number(event.data)));
    stream.addEventListener("renew", renew);
    stream.onerror = () => {
      connected(open = false);
      if (stream && stream.readyState === EventSource.CLOSED) hush();
    };
  }

  // The token ends in a minute: the page comes with a new one, not at the same moment as all others.
  async function renew() {
    await wait(Math.random() * 40_000);
    if (!stream || !(await refresh())) return;
    hush();
    listen();
  }

  function hush() {
    stream?.close();
    stream = null;
    open = false;
  }

  function cut() {
    hush();
    connected(false);
  }

  // Where no stream comes through, the page asks, and where one's own part did not come with the
  // stream's board; a token that has ended is renewed by it.
  setInterval(async () => {
    if (document.hidden || (open && (sending || own().dataset.mark === mark()))) return;
    connected(await refresh());
    if (!stream) listen();
  }, 2500);
  setInterval(showClock, 250);

  // What the judge found for one's own seat stands below the result as soon as it is there.
  setInterval(async () => {
    const lines = board().querySelector("[data-lines]");
    if (document.hidden || !lines?.hidden) return;
    const answer = await ask.ours(lines.dataset.lines).catch(() => null);
    if (answer?.status !== 200) return;
    lines.innerHTML = await answer.text();
    lines.hidden = false;
  }, 4000);

  async function again() {
    hush();
    if (document.hidden) return;
    connected(await refresh());
    listen();
  }

  // A stream whose network went away hears nothing and does not know it.
  document.addEventListener("visibilitychange", again);
  addEventListener("offline", cut);
  addEventListener("online", again);

  // ---- moves ---------------------------------------------------------------------------------

  function key() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // The same key travels with every try, so that a move that did arrive is not made twice. A server
  // that fails is asked three times; where no answer comes, it goes on for as long as a tunnel lasts.
  async function post(url, data) {
    const until = performance.now() + 180_000;
    for (let attempt = 1; ; attempt++) {
      let response = null;
      try {
        response = await ask.ours(url, { body: data });
        if (response.status < 500) return response;
      } catch { /* no answer */ }
      const away = !response || response.status > 501; // So says a proxy whose server is away.
      if (away ? performance.now() > until : attempt >= 3) throw new Error("not taken");
      if (away) cut();
      const kept = navigator.onLine ? words.sendingAway : words.sending;
      if (away && attempt === 1) [say, announce].forEach((tell) => tell(kept));
      await wait(800);
    }
  }

  // The stream may bring one's next turn before the answer to one's last move: a tap then waits for
  // it. Any other tap meanwhile is the second one of the same move.
  const isNextTurn = () => myTurn() && version() > sending.version;

  function send(form, submitter) {
    if (sending && !isNextTurn()) return;
    const data = new FormData(form);
    if (submitter?.name) data.set(submitter.name, submitter.value);
    data.set("version", version());
    data.set("client_id", key());
    const move = { url: form.action, data, version: version(), then: null };
    if (sending) sending.then ??= move;
    else {
      if (data.get("do") === "play") layAtOnce(data.getAll("cards"), hints?.at === version() ? hints.found : null);
      take(move);
    }
  }

  // A legal play flies at once; if it is refused after all, the last board comes back with the hand.
  let early = false;

  function layAtOnce(cards, legal) {
    if (!legal?.some((play) => same(play) === same(cards))) return;
    early = true;
    const lay = lying();
    const laid = hand.boxes().filter((box) => cards.includes(box.value)).sort((a, b) => hand.byRank(a.value, b.value));
    let pile = board().querySelector(".middle > .pile");
    if (!pile) {
      pile = document.createElement("ol");
      pile.className = "pile";
      board().querySelector(".middle").replaceChildren(pile);
    }
    const play = document.createElement("li");
    play.className = "pile-play";
    play.dataset.by = seat();
    const list = document.createElement("ol");
    list.className = "hand";
    for (const box of laid) {
      const item = document.createElement("li");
      item.append(box.nextElementSibling.cloneNode(true));
      list.append(item);
      box.closest("li").classList.add("gone");
    }
    play.append(list);
    pile.append(play);
    if (lay) cardsOf(play).forEach((card, i) => fly(card, middleOf(laid[i].closest("li")), i));
    sounds.play("play");
  }

  function takeBack() {
    if (!early) return;
    early = false;
    for (const item of own().querySelectorAll(".gone")) item.classList.remove("gone");
    board().replaceWith(fresh(shown));
    board().querySelectorAll("[data-side]").forEach((side) => side.remove());
    placed();
    showTurn(version());
  }

  async function take(move) {
    let taken = false;
    sending = move;
    own().setAttribute("aria-busy", "true");
    try {
      const response = await post(move.url, move.data);
      if (isOther(ask.markOf(response))) return;
      const answer = await ask.said(response);
      if (!answer) return;
      if (response.ok && answer.version >= version()) hand.choose([]);
      taken = response.ok;
      if (taken) early = false;
      else takeBack();
      show(answer, { always: response.ok });
      if (answer.reason) refused(answer.reason);
    } catch (error) {
      takeBack();
      refused(error.said || words.lost);
    } finally {
      sending = null;
      own().removeAttribute("aria-busy");
      if (taken) sayTurn();
      if (move.then) take(move.then);
      else if (own().dataset.mark !== mark()) refresh();
    }
  }

  function refused(reason) {
    const place = own().querySelector("[data-say], .say");
    say(reason, "", place);
    announce(reason);
    requestAnimationFrame(() => place?.classList.add("say-no"));
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("#the-table :is([data-act], [data-post])")) return;
    event.preventDefault();
    const what = event.submitter?.value;
    if (form.matches("[data-act]") && !myTurn() && (what === "play" || what === "pass")) choose(what);
    else send(form, event.submitter);
  });

  // Every play of this turn, asked for once: the seat's own, and nobody else's.
  async function plays() {
    const at = version();
    if (hints?.at !== at) {
      const mine = hints = { at, asked: askPlays(), next: 0, found: null };
      mine.asked.then((found) => { mine.found = found; }, () => {});
    }
    return hints.asked.catch((error) => { hints = null; throw error; });
  }

  async function askPlays() {
    const answer = await ask.ours(words.hints);
    return (await answer.json()).plays;
  }

  // Lit means legal: on one's turn the cards of no play go grey, and the button names what it
  // plays, or why not. Who presses it all the same is told in a sentence.
  const same = (play) => [...play].sort().join(" ");

  async function light() {
    const button = own().querySelector("[value=play]");
    if (!button) return;
    const cards = hand.chosen();
    let legal = [];
    try { legal = myTurn() && !sending ? await plays() : null; } catch { legal = null; }
    if (!button.isConnected || same(cards) !== same(hand.chosen())) return;
    const may = Boolean(legal?.some((play) => same(play) === same(cards)));
    for (const box of hand.boxes()) box.closest("li").classList.toggle("no", Boolean(legal) && !legal.some((play) => play.includes(box.value)));
    if (legal?.length === 0 && own().querySelector("[data-say] small")) say(words.noHint);
    button.classList.toggle("lit", may);
    button.classList.toggle("off", !may);
    button.setAttribute("aria-pressed", String(ahead === "play"));
    const what = !myTurn() ? words.onTurn : may || !legal ? named(cards) : !cards.length ? "" : board().dataset.pass ? words.tooLow : words.noPlay;
    button.querySelector("[data-what]").textContent = what;
  }

  const printed = (card) => (card[0] === "T" ? "10" : card[0]);
  const named = (cards) => cards.map((card) => (cards.length < 3 ? printed(card) + SIGNS["SCDH".indexOf(card[1])] : printed(card))).join(" ");

  // A play or a pass chosen ahead waits here for one's turn, and goes if it still may.
  let ahead = "";

  function choose(what) {
    ahead = ahead === what ? "" : what;
    showTurn(version());
    if (ahead) say(words.kept);
    else sayTurn();
  }

  async function goAhead() {
    const what = ahead, at = version();
    if (!what) return;
    ahead = "";
    if (what === "pass") return board().dataset.pass ? passSoon(at) : say(words.yourTurn, words.leadsInstead);
    const cards = same(hand.chosen());
    const legal = await plays().catch(() => []);
    if (at !== version() || !myTurn()) return;
    if (legal.some((play) => same(play) === cards)) press("[value=play]");
    else say(words.yourTurn, words.aheadGone);
  }

  document.addEventListener("picked", light);

  // What is asked for stands on the button that asks.
  document.addEventListener("change", ({ target }) => {
    const button = target.name === "rank" && own().querySelector("[value=ask]");
    if (!button) return;
    button.classList.add("lit");
    button.textContent = button.dataset.for.replace("%s", target.nextElementSibling.textContent);
  });

  // What somebody likes is kept in this browser.
  function setting(name, apply) {
    const button = root.querySelector(`[data-setting="${name}"]`);
    let on = false;
    try { on = localStorage.getItem(name) === "yes"; } catch { /* private mode: it lasts for this page */ }
    const show = () => { button.setAttribute("aria-pressed", String(on)); apply(on); };
    button.addEventListener("click", () => {
      on = !on;
      try { localStorage.setItem(name, on ? "yes" : "no"); } catch { /* as above */ }
      show();
    });
    show();
  }

  // Who wants it passes by itself where nothing beats, after a time that chance alone decides.
  let passes = false;
  setting("lefty", (on) => root.classList.toggle("lefty", on));
  setting("autopass", (on) => {
    passes = on;
    if (myTurn()) passByItself();
  });

  async function passByItself() {
    const at = version();
    if (!passes || !board().dataset.pass) return;
    const found = await plays().catch(() => null);
    if (found?.length === 0 && passes) passSoon(at);
  }

  // A pass chosen ahead takes as long as one by itself, so that neither tells who could not beat.
  async function passSoon(at) {
    await wait(1000 + Math.random() * 2000);
    if (myTurn() && at === version() && !sending) press("[data-pass]");
  }

  async function hint() {
    const button = own().querySelector("[data-hint]");
    let found = [];
    button?.setAttribute("aria-busy", "true");
    try {
      found = await plays();
    } catch {
      return refused(navigator.onLine ? words.serverAway : words.offline);
    } finally {
      button?.removeAttribute("aria-busy");
    }
    if (!found.length) return refused(words.noHint);
    hand.choose(found[hints.next++ % found.length]);
    say(words.yourTurn, words.lit);
    tellChosen();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-hint]")) hint();
    if (event.target.closest("[data-sort]")) {
      const way = { rank: words.sortedRank, sets: words.sortedSets, suit: words.sortedSuit }[hand.next()];
      say(way);
      announce(way);
    }
  });

  // The whole screen, where the browser gives it to a page.
  const full = document.querySelector("[data-full]");
  if (full) full.hidden = !document.fullscreenEnabled;
  full?.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => {});
  });
  document.addEventListener("fullscreenchange", () => full?.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement))));

  const press = (selector) => own().querySelector(`${selector}:not(:disabled)`)?.click();
  const keys = {
    ArrowRight: () => hand.step(1),
    ArrowLeft: () => hand.step(-1),
    Enter: () => press("[value=play], [value=return], [value=give], [value=ask]"),
    p: () => press("[data-pass]"),
    h: () => press("[data-hint]"),
    s: () => press("[data-sort]"),
  };
  const move = { ArrowRight: 1, ArrowLeft: -1 };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input:not([type=checkbox]), textarea, select");
    const pressing = event.key === "Enter" && event.target.closest("a, button, summary");
    if (typing || pressing) return;
    if (event.shiftKey && move[event.key]) {
      const put = hand.shift(move[event.key]);
      if (put) announce(`${document.activeElement.closest("li").textContent.trim().split("\n")[0]}: ${put.join(" / ")}`);
      return event.preventDefault();
    }
    if (/^[1-9]$/.test(event.key)) {
      hand.toggle(Number(event.key) - 1);
      tellChosen();
    } else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  });

  // The panel of a phone closes without a place in the history.
  let opener = root.querySelector(".topl .menu");
  root.addEventListener("click", ({ target }) => { opener = target.closest("a[href='#side']") ?? opener; });
  function close() {
    location.replace("#the-table");
    opener.focus();
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape" && location.hash === "#side") close(); });
  root.querySelector(".close").addEventListener("click", (event) => {
    event.preventDefault();
    close();
  });

  toSides(own());
  hand.keep(hand.remembered());
  placed();
  offerShare();
  showTurn(null);
  tell();
  listen();
})();
