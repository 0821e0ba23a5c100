// The plain table: news comes by the table's stream, the server draws it as words, and the field stays.
(() => {
  "use strict";
  const root = document.getElementById("plain");
  const { announcer, ask, tableTalk: talk } = window;
  if (!root) return;
  const words = root.dataset;
  const holder = root.querySelector("[data-parts]");
  const field = () => document.getElementById("typed-words");
  const told = () => announcer.hear([holder.querySelector("[data-told]")]);
  const timer = document.querySelector("[data-time]");
  const away = root.querySelector("[data-away]");
  const title = document.title;
  const typed = [];
  let token = words.token, stream = null, open = false, version = 0, due = after(words.left), warned = Infinity, at = 0, number = 0, sending = false, behind = false;

  function after(left, since = performance.now()) {
    return left === "" || left === null ? null : since + Number(left);
  }

  // What is the same stays: the focus and what is typed are nobody's but the player's.
  function show(html) {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    for (const old of [...holder.children]) if (old.id && !fresh.content.getElementById(old.id)) old.remove();
    let before = null;
    for (const part of [...fresh.content.children]) {
      const old = part.id ? document.getElementById(part.id) : holder.querySelector("[data-told]");
      if (!old) (before ? before.after(part) : holder.prepend(part));
      else if (part.matches("form")) renew(old, part);
      else if (old.innerHTML !== part.innerHTML) exchange(old, part);
      before = old?.isConnected ? old : part;
    }
    head();
  }

  function renew(old, part) {
    const label = old.querySelector("label"), button = old.querySelector(".btn-primary");
    if (label) [label, button].forEach((one) => { one.innerHTML = part.querySelector(one.tagName === "LABEL" ? "label" : ".btn-primary").innerHTML; });
    for (const inner of part.querySelectorAll("[data-part]")) {
      const shown = document.getElementById(inner.id);
      if (shown.id === "answer" ? inner.textContent.trim() : shown.innerHTML !== inner.innerHTML) exchange(shown, inner);
    }
  }

  function exchange(old, part) {
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const like = focused && [...part.querySelectorAll("a, button, input")].find((one) => one.textContent.trim() === focused.textContent.trim() && one.value === focused.value);
    window.typing.replace(old, part);
    if (focused && focused !== document.activeElement) (like || (old.id === "typed-rest" ? field() : document.getElementById("headline"))).focus();
  }

  const head = () => { document.title = `${document.getElementById("headline").textContent} · ${title}`; };

  // An answer that was long on its way gives no time back.
  function take(answer, asked) {
    const gotUp = token && !answer.token; // Who watches a delayed table sees an earlier state of it.
    if (answer.version < version && !gotUp) return;
    const next = after(answer.left, asked);
    due = answer.version === version && due && next ? Math.min(due, next) : next;
    ({ version, token } = answer);
    show(answer.plain);
    told();
  }

  async function refresh() {
    const mine = ++number, asked = performance.now();
    try {
      const response = await ask.ours(words.view);
      const answer = await ask.said(response);
      if (mine === number) {
        take(answer, asked);
        behind = false;
        cut(false);
      }
      return true;
    } catch {
      if (behind) cut(true);
      behind = true; // It is asked again, though the stream goes on.
      return false;
    }
  }

  // Said once, and shown until an answer comes.
  function cut(isCut) {
    if (away.hidden !== isCut) return;
    away.hidden = !isCut;
    if (!isCut) return;
    away.textContent = navigator.onLine ? words.serverAway : words.offline;
    announcer.say(away.textContent, "now");
  }

  // The field keeps its words until the play is taken; a refusal is said each time.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!root.contains(form) || !form.matches("[data-typed], [data-post], [data-act]")) return;
    event.preventDefault();
    if (sending) return;
    sending = true;
    const data = new FormData(form);
    if (event.submitter?.name) data.set(event.submitter.name, event.submitter.value);
    data.set("client_id", [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
    const isTyped = form.matches("[data-typed]");
    try {
      number += 1;
      const response = await ask.ours(form.action, { body: data });
      const answer = await ask.said(response);
      if (!answer) return;
      if (!isTyped) {
        if (answer.reason) announcer.say(answer.reason, "now");
        return void refresh();
      }
      number += 1;
      take(answer);
      if (form.id === "typed") reply(data.get("words"), answer.played);
      const said = document.getElementById("answer")?.textContent.trim();
      if (said && !answer.played && !document.getElementById("typed-reply").textContent.trim()) announcer.say(said, "now");
    } catch (error) {
      announcer.say(error.said || words.lost, "now");
    } finally { sending = false; }
  }, true); // Before the page's own listener, which keeps a form from being sent twice.

  function reply(text, played) {
    const refusal = document.getElementById("typed-reply"), choices = [...root.querySelectorAll(".plain-choices .btn")];
    const isRefused = Boolean(refusal?.textContent.trim());
    if (text && typed.at(-1) !== text) typed.push(text);
    at = typed.length;
    field().toggleAttribute("aria-invalid", isRefused);
    if (isRefused) field().setAttribute("aria-invalid", "true");
    if (played || !isRefused || choices.length) field().value = "";
    if (isRefused) announcer.say([refusal, ...choices].map((one) => one.textContent.trim().replace(/\s+/g, " ")).join(" "), "now");
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey && event.shiftKey && /^Digit[1-6]$/.test(event.code)) {
      event.preventDefault();
      root.querySelectorAll("#asked [name=ask]")[event.code.at(-1) - 1]?.click();
    }
    if (event.target !== field() || event.isComposing) return;
    if (event.key === "Escape" && root.querySelector(".plain-choices")) {
      field().value = typed.at(-1) ?? "";
      root.querySelector("[name=before]").remove();
      root.querySelector(".plain-choices").remove();
    }
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !typed.length) return;
    event.preventDefault();
    at = Math.min(typed.length, Math.max(0, at + step));
    field().value = typed[at] ?? "";
  });

  function tick() {
    const left = due === null ? null : Math.max(0, due - performance.now());
    timer.hidden = left === null;
    if (left === null) return void (warned = Infinity);
    const seconds = Math.ceil(left / 1000);
    timer.textContent = words.secondsLeft.replace("%s", seconds);
    if (seconds < warned && [10, 5].includes(seconds) && document.getElementById("now").dataset.mine) announcer.say(timer.textContent, "now");
    warned = seconds;
  }

  function listen() {
    if (!token || stream || document.hidden) return;
    const query = new URLSearchParams({ token, language: words.language, release: ask.own() });
    stream = new EventSource(`${words.stream}?${query}`);
    stream.onopen = () => { open = true; };
    stream.addEventListener("release", ({ data }) => ask.hear(200, data));
    stream.onmessage = () => refresh();
    stream.addEventListener("talk", (event) => talk.show(JSON.parse(event.data).talk));
    stream.addEventListener("renew", async () => { if (await refresh()) { hush(); listen(); } });
    stream.onerror = () => { open = false; if (stream?.readyState === EventSource.CLOSED) hush(); };
  }

  function hush() {
    stream?.close();
    stream = null;
    open = false;
  }

  async function again() {
    hush();
    if (document.hidden) return;
    await refresh();
    listen();
  }

  document.addEventListener("visibilitychange", again);
  addEventListener("online", again);
  addEventListener("offline", () => { // What is on its way was asked before.
    number += 1;
    behind = true;
    cut(true);
  });
  setInterval(async () => {
    if (document.hidden || (open && !behind)) return;
    await refresh();
    listen();
  }, 2500);
  setInterval(tick, 250);
  told();
  head();
  listen();
})();
