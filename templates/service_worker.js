// Without a connection a page of our own says so. A phone keeps what it saw of a night, and nothing
// else: no other page and no card.
"use strict";
const CACHE = "offline-{{ version }}";
const PAGE = "{{ page|escapejs }}";
const FILES = [{% for file in files %}"{{ file|escapejs }}"{% if not forloop.last %}, {% endif %}{% endfor %}];

// Of what a Wi-Fi's sign-in page or a proxy answers nothing is kept.
async function keep(cache, file) {
  const answer = await fetch(file);
  if (!answer.ok || !answer.headers.get("Tien-Len-Release")) throw new Error("not ours");
  await cache.put(file, answer);
}

self.addEventListener("install", (event) => {
  // Without cookies, so that what is kept is the page of a stranger.
  const page = new Request(PAGE, { credentials: "omit", cache: "reload" });
  event.waitUntil(
    caches.open(CACHE).then((cache) => Promise.all([page, ...FILES].map((file) => keep(cache, file)))).then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((name) => ![CACHE, NIGHT].includes(name)).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const request = event.request;
  const path = new URL(request.url).pathname;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(navigated(event, path));
  } else if (path.startsWith("{{ static|escapejs }}")) {
    event.respondWith(fetch(request).catch(() => caches.match(request, { ignoreSearch: true })));
  }
});

// ---- a night without a network ------------------------------------------------------------------

// One's night and the tables that one enters open as they were last seen, with the time at which
// that was. They go as soon as another person, or nobody, is known to the site here.
const NIGHT = "night", MOST = 20, PATIENCE = 8000;
const isNight = (path) => /^\/clubs\/~(night|table)\//.test(path);

async function navigated(event, path) {
  try {
    const answer = await Promise.race([fetch(event.request), tooLate(path)]);
    if (!answer.headers.has(SEEN)) event.waitUntil(note(path, isNight(path) ? answer.clone() : answer));
    return answer;
  } catch {
    return (await seen(path)) || caches.match(PAGE);
  }
}

// A network that takes so long is none.
const tooLate = (path) => new Promise((resolve) => {
  if (isNight(path)) setTimeout(async () => { const found = await seen(path); if (found) resolve(found); }, PATIENCE);
});

const SEEN = "Tien-Len-Seen";

// The page, or the one of its night, round or app that was seen last.
async function seen(path) {
  const cache = await caches.open(NIGHT);
  const pages = (await cache.keys()).map(({ url }) => new URL(url).pathname).filter(isNight);
  const found = pages.includes(path) ? path : pages.findLast((page) => page.startsWith(path));
  return found && cache.match(found);
}

async function note(path, answer) {
  const release = answer.headers.get("Tien-Len-Release");
  if (!release || answer.type !== "basic") return;
  const state = `${release} ${answer.headers.get("Tien-Len-Phone") || ""}`;
  let cache = await caches.open(NIGHT);
  const last = await cache.match("/state");
  if (last && (await last.text()) !== state) {
    await caches.delete(NIGHT);
    cache = await caches.open(NIGHT);
  }
  if (!isNight(path)) return;
  if (answer.status !== 200) return cache.delete(path);
  const headers = new Headers(answer.headers), text = await answer.text();
  headers.delete("Content-Encoding");
  headers.set(SEEN, Date.now());
  const files = new Set(Array.from(text.matchAll(/(?:href|src)="([^"#]+)/g), ([, file]) => file).filter((file) => file.startsWith("{{ static|escapejs }}")));
  for (const file of files) if (!(await cache.match(file))) await keep(cache, file);
  await cache.put("/state", new Response(state));
  await cache.delete(path); // What is seen last stands last.
  await cache.put(path, new Response(text.replace("<body ", `<body data-seen="${Date.now()}" `), { headers }));
  const pages = (await cache.keys()).filter(({ url }) => isNight(new URL(url).pathname));
  for (const old of pages.slice(0, -MOST)) await cache.delete(old);
}

// News: encrypted for this browser alone. The same tag takes the place of what was shown before.
self.addEventListener("push", (event) => {
  if (!event.data) return;
  const { title, body, lang, tag, stop, address } = event.data.json();
  const icon = "{{ icon|escapejs }}";
  const actions = [{ action: "stop", title: stop }];
  event.waitUntil(self.registration.showNotification(title, { body, lang, tag, icon, actions, data: { address } }).then(count));
});

// The app's badge: how many notifications wait to be looked at.
async function count() {
  const waiting = await self.registration.getNotifications();
  await self.navigator.setAppBadge?.(waiting.length);
}

self.addEventListener("notificationclose", (event) => event.waitUntil(count()));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  if (event.action === "stop") {
    // The push service then tells the server that this browser is gone.
    event.waitUntil(self.registration.pushManager.getSubscription().then((found) => found && found.unsubscribe()));
    return;
  }
  event.waitUntil(Promise.all([count(), open(event.notification.data.address)]));
});

// In the window that shows the page, else in the one that was used last, else in a new one; under the
// name by which this browser knows the site, whatever the server calls itself.
async function open(address) {
  const { pathname, search } = new URL(address, self.location);
  const windows = await self.clients.matchAll({ type: "window" });
  const same = windows.find((one) => new URL(one.url).pathname === pathname);
  const there = same || windows[0];
  if (!there) return self.clients.openWindow(pathname + search);
  await there.focus();
  return same || there.navigate(pathname + search);
}

// A browser may give a subscription a new address. Most say so here; pages ask in case it did not.
self.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription: old, newSubscription: made } = event;
  if (old) event.waitUntil(renewed(old.endpoint, made, old.options));
});

self.addEventListener("message", (event) => {
  const { subscribed, keep: path } = event.data;
  if (path && isNight(path)) event.waitUntil(fetch(path).then((answer) => note(path, answer)));
  if (!subscribed) return;
  event.waitUntil(self.registration.pushManager.getSubscription().then(async (found) => {
    if (found?.endpoint === subscribed) return;
    await renewed(subscribed, found);
    event.source.postMessage({ subscribed: found ? found.endpoint : "gone" });
  }));
});

async function renewed(old, found, options) {
  const made = found || (options && await self.registration.pushManager.subscribe(options));
  const key = (name) => btoa(String.fromCharCode(...new Uint8Array(made.getKey(name))))
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const body = new URLSearchParams({ old });
  for (const name of made ? ["p256dh", "auth"] : []) body.set(name, key(name));
  if (made) body.set("address", made.endpoint);
  const answer = await fetch("{{ renewed|escapejs }}", { method: "POST", body });
  if (!answer.headers.get("Tien-Len-Release")) throw new Error("not ours");
}
