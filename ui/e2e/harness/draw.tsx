import { hydrateRoot } from "react-dom/client";
import { Whole } from "../../../ssr-bundle/whole";
import type { PageData } from "../../src/wire";

/**
 * What the browser would draw otherwise than the server did. Preact takes over what stands there
 * without a look at it: what differs would stay wrong.
 */
function differences(byServer: Element): string[] {
  const sent = JSON.parse(document.getElementById("page")?.textContent ?? "") as PageData;
  const here = document.createElement("div");
  const drawn = hydrateRoot(here, <Whole sent={sent} />);
  const [was, is] = [lines(byServer), lines(here)];
  drawn.unmount();
  const at = was.findIndex((line, index) => line !== is[index]);
  if (at === -1 && was.length === is.length) return [];
  return [`the server drew ${was[at] ?? "nothing more"}, the browser ${is[at] ?? "nothing more"}`];
}

/** Elements and texts in their order, each with what it is inside of. */
function lines(parent: Element, depth = 0): string[] {
  const found: string[] = [];
  let text = "";
  const endText = () => {
    if (text !== "") found.push(`${depth} ${JSON.stringify(text)}`);
    text = "";
  };
  for (const node of parent.childNodes) {
    // React parts neighbouring texts by comments, Preact does not.
    if (node instanceof Text) text += node.data;
    if (!(node instanceof Element)) continue;
    endText();
    found.push(`${depth} ${described(node)}`);
    // Its content is for browsers without script.
    if (node.localName !== "noscript") found.push(...lines(node, depth + 1));
  }
  endText();
  return found;
}

/** Where it stands at first what it holds, which Preact sets without them. */
const HELD = ["value", "checked", "selected", "defaultvalue"];

/** Its name and attributes, and what it holds if one can change that. */
function described(element: Element): string {
  const { value, checked, selected } = element as HTMLInputElement & HTMLOptionElement;
  const attributes = [...element.attributes]
    .filter(({ name }) => !HELD.includes(name))
    .map(({ name, value }) => `${name}="${value}"`);
  return JSON.stringify([element.localName, ...attributes.sort(), { value, checked, selected }]);
}

Object.assign(window, { differences });
