// Writes the front end's wire types: reads the API's description from standard input and prints its
// schemas as TypeScript. `./build.sh wire` runs it.
import { text } from "node:stream/consumers";
import openapiTypes, { astToString } from "openapi-typescript";
import { format } from "prettier";

const { openapi, info, components } = JSON.parse(await text(process.stdin));
const options = {
  alphabetize: true,
  // What may be left out of a request may be left out of its type.
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
};
const types = await openapiTypes({ openapi, info, paths: {}, components }, options);
const header = "// Made by ./build.sh wire from the server's types: not to be edited.";
const source = `${header}\n${astToString(types)}`;
process.stdout.write(await format(source, { parser: "typescript", printWidth: 100 }));
