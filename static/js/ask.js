// What pages ask of the server. Between a phone and the server stand others: a Wi-Fi's sign-in page,
// a proxy, a tunnel. Any of them may answer, with any status; ours carries the release's mark.
window.ask = (() => {
  "use strict";
  const RELEASE = "Tien-Len-Release", RENEWED = "renewed-for";
  const own = () => JSON.parse(document.body.getAttribute("hx-headers") || "{}")[RELEASE] || "";
  const token = () => (document.cookie.match(/(?:^|; )csrftoken=([^;]*)/) || [])[1] || "";

  function ask(url, { body, ms = 8000, headers, ...how } = {}) {
    const stop = new AbortController(); // AbortSignal.timeout is of 2022.
    setTimeout(() => stop.abort(), ms);
    return fetch(url, {
      method: body ? "POST" : "GET", body, headers: { [RELEASE]: own(), ...headers }, signal: stop.signal, ...how,
    });
  }

  // Our server's answer; an error where none came in time, or where somebody else gave one.
  async function ours(url, how) {
    const answer = await ask(url, { headers: { "X-Requested-With": "fetch" }, ...how });
    const mark = answer.headers.get(RELEASE);
    hear(answer.status, mark);
    if (!mark) throw new Error("not ours");
    return answer;
  }

  const isJson = (answer) => (answer.headers.get("Content-Type") || "").includes("json");

  // What our server says as JSON; nothing where it leads elsewhere, which is where the page goes then.
  // A refusal is an error with its sentence; a server that fails has none in the reader's language.
  async function said(answer) {
    const told = isJson(answer) ? await answer.json() : null;
    if (told && !told.code) return told;
    if (!told && answer.redirected) return location.assign(answer.url);
    throw Object.assign(new Error("refused"), { said: answer.status < 500 && told?.message });
  }

  // The answer and what it says as JSON, null where it says nothing: of whomever, as games may be
  // taken by a server of 1.1, which has no mark.
  async function json(url, { form, ms } = {}) {
    const headers = { Accept: "application/json" };
    if (form) headers["X-CSRFToken"] = token();
    const answer = await ask(url, { body: form && new URLSearchParams(form), ms, headers, redirect: "manual" });
    const said = isJson(answer) ? await answer.json().catch(() => null) : null;
    const release = answer.headers.get(RELEASE);
    hear(answer.status, release || (Number.isInteger(said?.version) ? own() : null));
    return { status: answer.status, release, said: Object(said) === said ? said : null };
  }

  // ---- one line that stays ---------------------------------------------------------------------

  // It comes above the page, which moves: never under a finger.
  const lines = new Set(), shown = new Set();
  const SETTLE = 1000;

  function line(id) {
    lines.add(id);
    if (Date.now() - touched < SETTLE) setTimeout(() => lines.has(id) && draw(id), SETTLE);
    else draw(id);
  }

  function draw(id) {
    if (shown.has(id)) return;
    const made = document.getElementById(id)?.content.firstElementChild.cloneNode(true);
    if (!made) return;
    shown.add(id);
    made.dataset.line = id;
    const kept = made.querySelector("[data-kept]"), games = waiting();
    if (kept && games) kept.textContent = kept.dataset.kept.replace("{n}", games);
    const isAtTop = !scrollY; // Who reads further down is not moved.
    document.getElementById("messages").append(made);
    if (isAtTop) scrollTo(0, 0);
  }

  function unline(id) {
    lines.delete(id);
    shown.delete(id);
    document.querySelector(`[data-line="${id}"]`)?.remove();
  }

  function waiting() {
    try { return JSON.parse(localStorage.getItem("games-to-send"))?.length; } catch { return 0; }
  }

  // Games may wait wherever their phone goes, and so may what it said. A page that enters games shows
  // their queue itself; some others have it without showing it.
  function load(id) {
    const parts = document.getElementById(id)?.dataset.load.split(" ") || [];
    const missing = parts.filter((src) => !(window.gameQueue && src.includes("/queue.")));
    for (const src of missing) document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
  }

  function saysLater() {
    try { return JSON.parse(localStorage.getItem("acts-to-send"))?.length; } catch { return 0; }
  }

  document.addEventListener("DOMContentLoaded", () => {
    if (document.body.matches(".wall, .at-table")) return;
    if (waiting() && !document.querySelector("[data-queue]")) load("unsaved");
    if (saysLater() || document.querySelector("form[data-later]")) load("later");
  });

  // A failing proxy of our own is no connection, and each page has its words for that; 511 asks to sign in.
  function hear(status, mark) {
    if (!mark && (status < 500 || status === 511)) line("in-between");
    if (!mark) return;
    heard = Date.now();
    unline("in-between");
    unline("old-news");
    unline("seen");
    delete document.body.dataset.seen;
    if (mark !== own()) newer(mark);
  }

  // A redirect to another site is refused to scripts, and sounds like no network.
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    if (effectiveDirective === "connect-src" && blockedURI.startsWith(location.origin)) line("in-between");
  });

  const hour = (at, timeZone) => new Date(at).toLocaleString(document.documentElement.lang,
    { timeZone, hour: "2-digit", minute: "2-digit", ...(Date.now() - at > 12 * 3_600_000 && { day: "numeric", month: "numeric" }) });

  // The service worker gave a page that it had kept.
  document.addEventListener("DOMContentLoaded", () => {
    const { seen } = document.body.dataset;
    if (!seen) return;
    line("seen");
    const time = document.querySelector("[data-line=seen] [data-time]");
    if (time) time.textContent = time.dataset.time.replace("{t}", hour(+seen));
  });

  // Who looks at a page that asks for news and hears none is told how old it is.
  const MINUTE = 60_000;
  let heard = Date.now(), looked = heard;
  document.addEventListener("visibilitychange", () => { looked = Date.now(); });
  setInterval(() => {
    if (document.hidden || Date.now() - Math.max(heard, looked) < MINUTE) return;
    if (!document.querySelector("[hx-trigger^=every], [data-table]")) return;
    line("old-news");
    const age = document.querySelector("[data-line=old-news] [data-age]");
    if (age) age.textContent = age.dataset.age.replace("{n}", Math.floor((Date.now() - heard) / MINUTE));
  }, 5000);

  // ---- a release in the middle of a night ------------------------------------------------------

  // What a reload would take away is never taken unasked. Pages add what only they know.
  const holds = [() => window.gameEntry?.order || window.gameEntry?.specials, isTyped];
  const changed = new Set();
  let touched = 0, newest = "";

  function isTyped() {
    return [...changed].some((field) => field.isConnected
      && (field.options || field.value !== field.defaultValue || field.checked !== field.defaultChecked));
  }

  for (const kind of ["pointerdown", "keydown", "wheel", "touchmove"]) {
    document.addEventListener(kind, () => { touched = Date.now(); }, { capture: true, passive: true });
  }
  document.addEventListener("input", ({ target }) => changed.add(target), true);

  const isInUse = () => Date.now() - touched < 4000
    || document.querySelector("[aria-busy], dialog[open], :is(input, textarea, select):focus");

  // Two releases answer side by side during an update, and a proxy may replay an old page: for one
  // mark a page reloads once. Without storage it cannot know, and only says so.
  function renewedFor() {
    try { return (sessionStorage.getItem(RENEWED) || "").split(" "); } catch { return null; }
  }

  const had = (mark) => renewedFor()?.includes(mark) ?? true;

  function reload() {
    // What this page was is behind it: an answer of that release is no news either.
    try { sessionStorage.setItem(RENEWED, [...renewedFor(), own(), newest].slice(-8).join(" ")); } catch { /* a tap asked for it */ }
    location.replace(location.pathname + location.search);
  }

  const isStale = (mark) => Boolean(mark) && mark !== own() && !had(mark);

  function spread() {
    if (document.body.matches(".wall")) return Math.random() * 500;
    return document.body.matches(".at-table") ? Math.random() * 4000 : 2000 + Math.random() * 40_000;
  }

  function newer(mark) {
    if (newest === mark) return;
    newest = mark;
    // The answer to a form has no address to come back to: its next tap brings the newer version.
    if (document.body.matches("[data-answer], :has([data-stateful])")) return;
    if (had(mark)) { line("newer-version"); return; }
    const due = Date.now() + spread();
    const timer = setInterval(() => {
      const isHeld = holds.some((hold) => hold());
      if (isHeld) line("newer-version");
      if (Date.now() < due || isHeld || isInUse()) return;
      clearInterval(timer);
      reload();
    }, 250);
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-reload]")) return;
    event.preventDefault();
    reload();
  });

  // ---- what htmx asks for ----------------------------------------------------------------------

  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { xhr, elt, requestConfig } = event.detail, mark = xhr.getResponseHeader(RELEASE);
    hear(xhr.status, mark);
    const isNews = requestConfig.verb === "get" && !requestConfig.triggeringEvent;
    if (mark && !(isNews && isStale(mark)) && hasPart(xhr, elt)) return;
    event.preventDefault();
    elt.dispatchEvent(new CustomEvent("htmx:responseError", { bubbles: true, detail: event.detail }));
  });

  // A whole page goes into no part of one, unless the part is picked from it; without that part
  // nothing would take its place, and nothing asks for news.
  function hasPart({ status, responseText: html }, elt) {
    const wanted = elt.closest("[hx-select]")?.getAttribute("hx-select");
    if (status !== 200) return true;
    return wanted ? new DOMParser().parseFromString(html, "text/html").querySelector(wanted) : !/<main[\s>]/.test(html);
  }

  const markOf = (answer) => answer.headers.get(RELEASE);

  return { json, ours, said, own, token, holds, isStale, hear, hour, markOf, line, unline };
})();
