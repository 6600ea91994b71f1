import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "./app";
import { PREPARE_AFTER_MS } from "./lib/limits";
import { browserPages, FETCHED_BY_GUESTS, FETCHED_EARLY } from "./pages/browser-pages";
import { ScreenRoutes } from "./routes";
import type { PageSource } from "./pages/page-source";
import type { PageData } from "./wire";
import { screenAt } from "./screens";
import { wordsFor } from "./words/load";
import "./styles/index.css";

/** Hydrates what the server drew, or draws it here when the server could not. */
async function start() {
  const root = document.getElementById("root");
  const json = document.getElementById("page")?.textContent;
  if (root === null || json === undefined) return;
  const pageData = JSON.parse(json) as PageData;
  if (answersForm(pageData)) window.history.replaceState(null, "", pageData.path);
  const words = wordsFor(pageData.language);
  const pages = browserPages(words);
  // The first page's chunks and its words must be here before hydration, which is synchronous.
  await pages.load(pageData.screen, pageData.data);
  const app = (
    // Shown in one step with what a navigation comes with, such as the end of a session.
    <BrowserRouter useTransitions={false}>
      <App pageData={pageData} pages={pages} words={words.words}>
        <ScreenRoutes pages={pages} />
      </App>
    </BrowserRouter>
  );
  // In a transition React works in slices of a few milliseconds, and lets taps in between.
  startTransition(() => {
    if (root.firstChild === null) createRoot(root).render(app);
    else hydrateRoot(root, app, { onRecoverableError });
  });
  // After a failure it is fetched again when it is needed.
  const later = () => prepare(pages, pageData.user !== null).catch(() => undefined);
  setTimeout(() => void later(), PREPARE_AFTER_MS);
}

/** React mended the page itself: the customer sees nothing, and every journey fails on it. */
function onRecoverableError(error: unknown) {
  console.error("recovered:", error);
}

/** The answer to a refused form is a page at the form's address and not at its own. */
function answersForm({ screen, path }: PageData): boolean {
  const isElsewhere = screenAt(window.location.pathname).screen !== screen;
  return isElsewhere && screenAt(path).access === "private";
}

/** Once nothing else needs the network: the next pages, and the one for when it is gone. */
async function prepare(pages: PageSource, member: boolean) {
  const next = member ? FETCHED_EARLY : FETCHED_BY_GUESTS;
  await Promise.all(next.map((screen) => pages.load(screen)));
  await keepStyles();
  if ("serviceWorker" in navigator) await navigator.serviceWorker.register("/sw.js");
}

/** A visit's first page brings its style sheet along; the next ones find the file here. */
async function keepStyles() {
  const path = document.querySelector<HTMLStyleElement>("style[data-href]")?.dataset["href"];
  if (path !== undefined) await (await fetch(path)).text();
}

void start();
