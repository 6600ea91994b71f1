// Writes the front end's wire types and the limits that it shares with the server: reads the API's
// description from standard input and prints TypeScript. `./build.sh wire` runs it.
import { text } from "node:stream/consumers";
import openapiTypes, { astToString } from "openapi-typescript";
import { format } from "prettier";

// A choice of texts or numbers is a text in the browser's types, as every field of a form is.
const isMixedChoice = (it) =>
  it?.enum !== undefined && ["string", "number"].every((type) => it.type?.includes(type));
const asText = (_name, it) => {
  if (!isMixedChoice(it)) return it;
  const described = it.description === undefined ? {} : { description: it.description };
  return { ...described, $ref: "#/components/schemas/Text" };
};
const description = JSON.parse(await text(process.stdin), asText);
const { openapi, info, components } = description;
const options = {
  alphabetize: true,
  // A part that may be left out of a request may be left out of its type.
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
};
const types = await openapiTypes({ openapi, info, paths: {}, components }, options);
const header = "// Made by ./build.sh wire from the server's types: not to be edited.";
const limits = Object.entries(description["x-limits"]);
const constants = limits.map(([name, limit]) => `export const ${name} = ${limit};`).join("\n");
const source = `${header}\n${constants}\n${astToString(types)}`;
process.stdout.write(await format(source, { parser: "typescript", printWidth: 100 }));
