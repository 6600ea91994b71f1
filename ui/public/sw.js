// Without a network the last word is the offline page, kept here with its files. Everything else
// goes to the server as if this worker were not there.
// The server puts LANGUAGE before all this.
/* global LANGUAGE */
const CACHE = "dakiya";
const OFFLINE = "/offline";

self.addEventListener("install", (event) => event.waitUntil(keep()));

self.addEventListener("activate", (event) => event.waitUntil(begin()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(visit(event, pathname));
  else if (pathname.startsWith("/assets/")) event.respondWith(file(request));
});

/** Fetches the offline page as a stranger, and what it names; the old ones go. */
async function keep() {
  const page = await fetch(OFFLINE, {
    credentials: "omit",
    cache: "no-cache",
    headers: { "accept-language": LANGUAGE },
  });
  if (!page.ok) throw new Error(`the offline page answered ${page.status}`);
  const text = await page.clone().text();
  const files = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  await cache.addAll([...new Set(files), "/favicon.svg"]);
  await cache.put(OFFLINE, page);
  await self.skipWaiting();
}

async function begin() {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** The page itself; when nobody answers, the offline page, which leads back here. */
async function visit(event, pathname) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    if (pathname === OFFLINE) return (await caches.match(OFFLINE)) ?? Response.error();
    const { search } = new URL(event.request.url);
    return Response.redirect(`${OFFLINE}?next=${encodeURIComponent(pathname + search)}`);
  }
}

/** A file never changes under its name. */
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}
