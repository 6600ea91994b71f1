import { Suspense } from "react";
import { renderToString } from "react-dom/server";
import { Whole } from "../../../ssr-bundle/whole";
import type { PageData } from "../../src/wire";

/**
 * The first thing that the browser would draw differently from the server. React checks only texts
 * and elements while it hydrates: an attribute that differs would stay wrong.
 */
function differences(byServer: Element): string[] {
  const sent = JSON.parse(document.getElementById("page")?.textContent ?? "") as PageData;
  const here = document.createElement("div");
  here.innerHTML = renderToString(<Whole pageData={sent} boundary={Suspense} />);
  const [was, is] = [byServer, here].map(({ innerHTML }) => innerHTML.split("<"));
  const at = was?.findIndex((piece, index) => piece !== is?.[index]) ?? -1;
  if (at === -1 && was?.length === is?.length) return [];
  return [`the server drew <${was?.[at]}, the browser <${is?.[at]}`];
}

Object.assign(window, { differences });
