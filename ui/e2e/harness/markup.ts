import { HtmlValidate } from "html-validate";
import type { Visitor } from "./visitor";

const validator = new HtmlValidate({ extends: ["html-validate:standard"] });

/** Faults of the document that the server sends for an address, by the HTML standard. */
export async function markupFaults({ request }: Visitor, path: string): Promise<string[]> {
  const answer = await request.get(path);
  const { results } = await validator.validateString(await answer.text());
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector ?? ""}`),
  );
}
