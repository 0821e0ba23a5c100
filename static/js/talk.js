// What players say: it comes by the table's stream, shows as bubbles, and anybody can be muted here.
window.tableTalk = (() => {
  "use strict";
  const panel = document.getElementById("talk");
  if (!panel) return { show() {}, bubbles() {} };
  const words = panel.dataset;
  const place = `muted-${location.pathname}`;
  const unread = document.querySelector("[data-unread]");
  const isOpen = () => panel.offsetParent !== null;
  const reason = panel.querySelector("[data-talk-reason]");
  const list = () => document.getElementById("talk-list");
  const items = () => [...list().querySelectorAll("[data-said]")];
  const newest = () => Math.max(0, ...items().map((item) => Number(item.dataset.said)));
  let seen = newest();
  let bubbles = [];
  let ending = 0;
  let muted = new Set();
  try { muted = new Set(JSON.parse(sessionStorage.getItem(place) || "[]")); } catch { /* private mode */ }

  function button(text, what, label) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "btn btn-quiet btn-small";
    made.dataset[what] = "";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    return made;
  }

  // Every message gets what this viewer may do about it; whom he mutes is known to him alone.
  function dress() {
    for (const item of items()) {
      const { holder, said } = item.dataset;
      const name = item.querySelector("b").textContent;
      const silent = muted.has(holder);
      item.querySelector("[data-text]").hidden = silent;
      item.querySelectorAll("button, .said-muted").forEach((old) => old.remove());
      if (silent) {
        const note = document.createElement("i");
        note.className = "said-muted";
        note.textContent = words.wordMuted;
        item.append(note);
      }
      if (holder !== words.own) item.append(button(silent ? words.wordUnmute : words.wordMute, "mute", `${silent ? words.wordUnmute : words.wordMute}: ${name}`));
      if (words.host || holder === words.own) item.append(button(words.wordRemove, "removeSaid", `${words.wordRemove}: ${name}, ${said}`));
    }
    if (isOpen()) list().scrollTop = list().scrollHeight;
  }

  function show(html) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const fresh = holder.content.querySelector("#talk-list");
    if (!fresh) return;
    list().replaceWith(fresh);
    const came = items().filter((item) => Number(item.dataset.said) > seen);
    seen = Math.max(seen, newest());
    dress();
    const heard = came.filter((item) => !muted.has(item.dataset.holder));
    for (const item of heard) {
      const seat = item.dataset.seat, text = item.querySelector("[data-text]").textContent;
      if (item.dataset.holder !== words.own) window.announcer.say(words.wordSays.replace("{name}", item.querySelector("b").textContent).replace("{text}", text), "next", 2);
      bubbles = bubbles.filter((bubble) => bubble.seat !== seat);
      bubbles.push({ seat, text, until: performance.now() + 5000 });
    }
    if (!isOpen() && heard.length) {
      unread.hidden = false;
      unread.textContent = Number(unread.textContent || 0) + heard.length;
    }
    showBubbles();
  }

  function showBubbles() {
    const now = performance.now();
    bubbles = bubbles.filter((bubble) => bubble.until > now);
    document.querySelectorAll(".bubble").forEach((old) => old.remove());
    for (const bubble of bubbles) {
      const at = document.querySelector(`.seat[data-seat="${bubble.seat}"]`);
      if (!at) continue;
      const made = document.createElement("span");
      made.className = "bubble";
      made.setAttribute("aria-hidden", "true");
      made.textContent = bubble.text;
      at.append(made);
      const over = made.getBoundingClientRect().right + 8 - document.documentElement.clientWidth;
      if (over > 0) made.style.left = `${8 - over}px`;
    }
    clearTimeout(ending);
    if (bubbles.length) ending = setTimeout(showBubbles, Math.min(...bubbles.map(({ until }) => until)) - now + 20);
  }

  async function send(url, data) {
    try {
      const response = await window.ask.ours(url, { body: data });
      const answer = await window.ask.said(response);
      if (!answer) return false;
      reason.textContent = answer.reason;
      show(answer.talk);
      return response.ok;
    } catch (error) {
      reason.textContent = error.said || words.wordLost;
      return false;
    }
  }

  function fields(named) {
    const data = new FormData();
    data.set("csrfmiddlewaretoken", panel.querySelector("[name=csrfmiddlewaretoken]").value);
    for (const [name, value] of Object.entries(named)) data.set(name, value);
    return data;
  }

  panel.addEventListener("submit", async (event) => {
    const form = event.target.closest("[data-talk-form]");
    if (!form) return;
    event.preventDefault();
    const data = new FormData(form);
    if (event.submitter?.name) data.set(event.submitter.name, event.submitter.value);
    const { text } = form.elements;
    form.reset(); // What is typed from here on is the next message.
    const done = await send(form.action, data);
    if (text && !done) text.value = [data.get("text"), text.value].filter(Boolean).join(" ");
    if (done && (data.has("talk") || data.has("watchers"))) {
      for (const choice of form.querySelectorAll("button[name]")) choice.setAttribute("aria-pressed", String(choice === event.submitter));
    }
  });

  panel.addEventListener("click", (event) => {
    const item = event.target.closest("[data-said]");
    if (!item) return;
    if (event.target.matches("[data-mute]")) {
      const who = item.dataset.holder;
      if (!muted.delete(who)) muted.add(who);
      try { sessionStorage.setItem(place, JSON.stringify([...muted])); } catch { /* as above */ }
      dress();
      if (words.muteAt) send(words.muteAt, fields({ holder: who, muted: muted.has(who) ? "1" : "0" }));
    }
    if (event.target.matches("[data-remove-said]")) {
      const data = fields({});
      send(words.remove.replace("/0/", `/${item.dataset.said}/`), data);
    }
  });

  addEventListener("hashchange", () => {
    if (!unread || !isOpen()) return;
    unread.hidden = true;
    unread.textContent = "";
    list().scrollTop = list().scrollHeight;
  });

  dress();
  return { show, bubbles: showBubbles };
})();
