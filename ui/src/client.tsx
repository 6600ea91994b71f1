import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "./app";
import { browserPages } from "./client-pages";
import type { Page } from "./page";
import "./styles.css";

/** Hydrates what the server drew, or draws it here when the server could not. */
async function start() {
  const root = document.getElementById("root");
  const json = document.getElementById("page")?.textContent;
  if (root === null || json === undefined) return;
  const page = JSON.parse(json) as Page;
  const pages = browserPages();
  // The first screen's chunk must be here before hydration, which is synchronous.
  await pages.load(page.screen);
  const app = (
    <StrictMode>
      {/* No transitions: address and session change in one step, or a guard sees half of it. */}
      <BrowserRouter useTransitions={false}>
        <App page={page} pages={pages} />
      </BrowserRouter>
    </StrictMode>
  );
  if (root.firstChild === null) createRoot(root, { onUncaughtError }).render(app);
  else hydrateRoot(root, app, { onRecoverableError, onUncaughtError });
}

/** A hydration mismatch ends up here: loud, so that tests see it. */
function onRecoverableError(error: unknown) {
  console.error("recoverable", error);
}

function onUncaughtError(error: unknown) {
  console.error("uncaught", error);
}

void start();
