// Without a connection a page of our own says so. Nothing else is kept: no page, no name, no card.
"use strict";
const CACHE = "offline-{{ version }}";
const PAGE = "{{ page|escapejs }}";
const FILES = [{% for file in files %}"{{ file|escapejs }}"{% if not forloop.last %}, {% endif %}{% endfor %}];

self.addEventListener("install", (event) => {
  // Without cookies, so that what is kept is the page of a stranger.
  const page = new Request(PAGE, { credentials: "omit", cache: "reload" });
  event.waitUntil(
    caches.open(CACHE).then((cache) => Promise.all([cache.add(page), cache.addAll(FILES)])).then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const request = event.request;
  const path = new URL(request.url).pathname;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  } else if (FILES.some((file) => new URL(file, self.location).pathname === path)) {
    event.respondWith(fetch(request).catch(() => caches.match(request, { ignoreSearch: true })));
  }
});

// News: encrypted for this browser alone. The same tag takes the place of what was shown before.
self.addEventListener("push", (event) => {
  if (!event.data) return;
  const { title, body, lang, tag, stop, address } = event.data.json();
  const icon = "{{ icon|escapejs }}";
  const actions = [{ action: "stop", title: stop }];
  event.waitUntil(self.registration.showNotification(title, { body, lang, tag, icon, actions, data: { address } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  if (event.action === "stop") {
    // The push service then tells the server that this browser is gone.
    event.waitUntil(self.registration.pushManager.getSubscription().then((found) => found && found.unsubscribe()));
    return;
  }
  // Under the name by which this browser knows the site, whatever the server calls itself.
  const { pathname, search } = new URL(event.notification.data.address, self.location);
  event.waitUntil(self.clients.openWindow(pathname + search));
});
