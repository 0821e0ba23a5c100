// What one says of oneself without a network ("I'm here") waits in this browser, in order, beside the
// games (queue.js), and is sent from whichever page is open when the network is back.
(() => {
  "use strict";
  const KEY = "acts-to-send", { ask } = window;
  let busy = false;

  function read() {
    try { return JSON.parse(localStorage.getItem(KEY)) || []; } catch { return []; }
  }

  function write(acts) {
    try { localStorage.setItem(KEY, JSON.stringify(acts)); } catch { return false; }
    draw();
    return true;
  }

  // More may have been said while it was sent, in another tab too.
  function replace(act, ...others) {
    const acts = read(), at = acts.findIndex((one) => JSON.stringify(one) === JSON.stringify(act));
    if (at >= 0) acts.splice(at, 1, ...others);
    write(acts);
  }

  function draw() {
    const acts = read();
    if (!acts.length) { ask.unline("later"); return; }
    ask.line("later");
    const words = document.querySelector("[data-line=later] [data-acts]");
    if (!words) setTimeout(draw, 500); // In a moment: nothing moves under a finger.
    else words.textContent = acts.map(({ says }) => says).join(", ");
  }

  document.addEventListener("submit", (event) => {
    const form = event.target, button = event.submitter;
    if (!form.matches("[data-later]") || (navigator.onLine && !document.body.dataset.seen)) return;
    const fields = Object.fromEntries(new FormData(form, button));
    delete fields.csrfmiddlewaretoken;
    if (!write([...read(), { url: form.action, fields, says: button.textContent.trim() }])) return;
    event.preventDefault();
    button.disabled = true;
  });

  async function send() {
    if (busy || !navigator.onLine) return;
    busy = true;
    try {
      for (let [first] = read(); first; [first] = read()) {
        const body = new URLSearchParams({ ...first.fields, csrfmiddlewaretoken: ask.token() });
        const answer = await ask.ours(first.url, { body });
        // Done, or refused with a sentence: it leads back. A night's new link does it, a sign-in nothing.
        const there = new URL(answer.url).pathname, isBack = there === new URL(first.url).pathname;
        if (answer.ok && !isBack && there.includes("/~night/")) { replace(first, { ...first, url: answer.url }); continue; }
        if (answer.status !== 404 && !(answer.ok && answer.redirected && isBack)) break; // A link that has ended takes nothing.
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const said = page.getElementById("messages")?.children || [];
        replace(first);
        document.getElementById("messages").append(...said);
      }
    } catch { /* The network is not there yet, or somebody else answered. */ }
    busy = false;
  }

  addEventListener("online", send);
  setInterval(send, 4000);
  draw();
  send();
})();
