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
