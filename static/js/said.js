// What is said to those who do not see: one queue for a page, with sentences of the server.
window.announcer = (() => {
  "use strict";
  const LETTERS = 15, PAUSE = 1500; // A second; and so at most forty sentences a minute.
  const regions = ["polite", "assertive"].map((kind) => {
    const region = (kind === "polite" && document.getElementById("live")) || document.createElement("div");
    region.className = "visually-hidden";
    region.setAttribute("aria-live", kind);
    if (!region.isConnected) document.body.append(region);
    return region;
  });
  let queue = [], known = null, free = 0, timer = 0, speaking = "";

  // How much is said: little, moves too, or all.
  const choices = () => [...document.querySelectorAll("[data-talks] input")];
  let level = 2;
  try { level = Number(localStorage.getItem("talks")) || level; } catch { /* private mode */ }
  for (const choice of choices()) {
    choice.checked = Number(choice.value) === level;
    choice.addEventListener("change", () => {
      level = Number(choice.value);
      try { localStorage.setItem("talks", String(level)); } catch { /* it lasts for this page */ }
    });
  }

  // One's turn, a last card and the autopilot overtake; moves that still wait merge, or give way. A
  // result ends everything that waits.
  function say(text, order = "next", of = 1, key = "") {
    if (!text || of > level) return;
    const isEnd = key.startsWith("result");
    if (isEnd) speaking = "";
    if (order === "now" && key) queue = queue.filter((one) => one.order !== "last" && !isEnd);
    const after = { now: ["now"], next: ["now", "next"], last: ["now", "next", "last"] }[order];
    queue.splice(queue.filter((one) => after.includes(one.order)).length, 0, { text, order, of, key });
    clearTimeout(timer);
    // Sentences of one moment are told apart before the first is said; an answer waits for nothing.
    timer = setTimeout(speak, order === "now" && (speaking !== "now" || !key) ? 30 : Math.max(30, free - Date.now()));
  }

  function speak() {
    const first = queue[0];
    if (!first) return;
    const together = queue.filter((one) => one.order === first.order && (first.order !== "next" || one === first));
    queue = queue.filter((one) => !together.includes(one));
    const heard = together.filter((one, i) => one.of < 3 || !together.slice(i).some((later) => later.of < 3));
    const end = first.order === "last" ? ", " : " ";
    const text = heard.map((one, i) => (i < heard.length - 1 && end === ", " ? one.text.replace(/\.$/, "") : one.text)).join(end);
    tell(text, first.order === "now" && Boolean(first.key));
    speaking = first.order;
    free = Date.now() + Math.max(PAUSE, text.length * 1000 / LETTERS);
    timer = setTimeout(() => { speaking = ""; speak(); }, free - Date.now());
  }

  // A dialog makes the rest of the page inert, so what is said goes into it. A repeat is a change too.
  function tell(text, isUrgent) {
    const host = document.querySelector("dialog[open]") || document.body;
    for (const region of regions) if (region.parentElement !== host) host.append(region);
    const region = regions[Number(isUrgent)];
    region.textContent = text === region.textContent ? `${text}\u00a0` : text;
  }

  // The sentences that hold now: new ones are said, and of those that are gone what ended.
  function hear(lists, seat = -1) {
    const now = new Map(lists.flatMap((list) => [...(list?.children ?? [])]).map((item) => [item.dataset.key, item]));
    queue = queue.filter((one) => one.order !== "now" || !one.key || now.has(one.key)); // What is over is not news.
    for (const [key, item] of now) {
      if (known?.has(key)) continue;
      const { order, level: of, seats } = item.dataset;
      if (!known && order !== "now" && !key.startsWith("hand")) continue;
      say(JSON.parse(seats || "{}")[seat] ?? item.textContent.trim(), order, Number(of), key);
    }
    for (const [key, item] of known ?? []) if (!now.has(key)) say(item.dataset.over, "now");
    known = now;
  }

  return { say, hear };
})();
