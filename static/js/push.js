// Lets this browser get the account's news, or stops it. The server keeps where to send it.
(() => {
  "use strict";
  const panel = document.querySelector("[data-push]");
  if (!panel) return;
  const csrf = document.querySelector("[name=csrfmiddlewaretoken]").value;

  function show(state) {
    panel.hidden = false;
    panel.open ||= !/denied|unable/.test(state);
    for (const one of panel.querySelectorAll("[data-state]")) one.hidden = one.dataset.state !== state;
  }

  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const bytes = (word) => Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

  // Where the news of this browser goes, as the pages remember it (app.js).
  function subscribed(address) {
    try {
      if (address === undefined) return localStorage.getItem("subscribed");
      localStorage.setItem("subscribed", address);
    } catch { /* private mode: it may end unseen */ }
    return "";
  }

  async function tell(fields) {
    const body = new URLSearchParams({ csrfmiddlewaretoken: csrf, ...fields });
    const answer = await window.ask.ours(panel.dataset.address, { body });
    if (!answer.ok || answer.redirected) throw new Error(`${answer.status}`);
  }

  async function turnOn(manager) {
    const found = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(panel.dataset.push) });
    try {
      await tell({ address: found.endpoint, p256dh: text(found.getKey("p256dh")), auth: text(found.getKey("auth")) });
      subscribed(found.endpoint);
    } catch (error) {
      await found.unsubscribe();
      throw error;
    }
  }

  async function turnOff(manager) {
    const found = await manager.getSubscription();
    if (!found) return;
    await found.unsubscribe();
    subscribed("");
    await tell({ address: found.endpoint, remove: "1" });
  }

  async function look(manager) {
    const found = await manager.getSubscription();
    // A server with another key cannot send to what was made for the old one.
    if (found && text(found.options.applicationServerKey) !== panel.dataset.push) {
      await turnOff(manager);
      return show("off");
    }
    if (Notification.permission === "denied") return show("denied");
    if (found) subscribed(found.endpoint);
    return show(found ? "on" : subscribed() ? "gone" : "off");
  }

  async function start() {
    if (!window.isSecureContext || !("serviceWorker" in navigator) || !("PushManager" in window)) {
      show("unable");
      return;
    }
    const { pushManager } = await navigator.serviceWorker.ready;
    await look(pushManager);
    panel.addEventListener("click", async (event) => {
      const button = event.target.closest("[data-push-on], [data-push-off]");
      if (!button) return;
      button.disabled = true;
      try {
        await ("pushOn" in button.dataset ? turnOn : turnOff)(pushManager);
        await look(pushManager);
      } catch {
        show(Notification.permission === "denied" ? "denied" : "failed");
      }
      button.disabled = false;
    });
  }

  start().catch(() => show("unable"));
})();
