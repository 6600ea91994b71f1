// What Dakiya is made of.
//
//   node .ci/materials.mjs check        refuses what deny.toml does not allow
//   node .ci/materials.mjs write FILE   writes a bill of materials (CycloneDX 1.6)
//   node .ci/materials.mjs holes        refuses npm packages with known holes
//
// It reads both lock files and asks cargo for the licences. Only `holes` asks a registry, and where
// that cannot be reached it says so and refuses nothing.

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import satisfies from "spdx-satisfies";

const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
const deny = read("deny.toml");

/** A list of strings of deny.toml; its own is kept to one shape. */
function list(name) {
  const found = deny.match(new RegExp(`^${name} = \\[([^\\]]*)\\]`, "m"));
  return [...found[1].matchAll(/"([^"]+)"/g)].map((match) => match[1]);
}

const CRATES = "registry+https://github.com/rust-lang/crates.io-index";

function run(command, args) {
  const output = { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" };
  return execFileSync(command, args, output);
}

/** Packages for this kind of machine: others are not fetched. */
function crates() {
  const host = run("rustc", ["-vV"]).match(/^host: (.+)$/m)[1];
  const asked = ["metadata", "--locked", "--format-version", "1", "--all-features"];
  const metadata = JSON.parse(run("cargo", [...asked, "--filter-platform", host]));
  const locked = /^name = "(.+)"\nversion = "(.+)"\n(?:.+\n)*?checksum = "(.+)"/gm;
  const checksums = new Map(
    [...read("Cargo.lock").matchAll(locked)].map(([, ...lock]) => [
      lock.slice(0, 2).join(" "),
      lock[2],
    ]),
  );
  const compiled = inTheProgram(metadata);
  return metadata.packages
    .filter(({ id }) => !metadata.workspace_members.includes(id))
    .map(({ id, name, version, license, source }) => ({
      name,
      version,
      purl: `pkg:cargo/${name}@${version}`,
      licence: license?.replaceAll("/", " OR ") ?? clarified(name),
      isFromRegistry: source === CRATES,
      hash: { alg: "SHA-256", content: checksums.get(`${name} ${version}`) },
      isProduct: compiled.has(id),
    }));
}

/** Crates that end up in the program: neither those of tests nor those of build scripts. */
function inTheProgram({ resolve }) {
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const reached = new Set();
  const open = [resolve.root];
  while (open.length > 0) {
    for (const { pkg, dep_kinds } of nodes.get(open.pop()).deps) {
      if (reached.has(pkg) || !dep_kinds.some(({ kind }) => kind === null)) continue;
      reached.add(pkg);
      open.push(pkg);
    }
  }
  return reached;
}

function clarified(name) {
  return deny.match(new RegExp(`^name = "${name}"\\nexpression = "(.+)"`, "m"))?.[1];
}

function npmPackages() {
  const { packages } = JSON.parse(read("package-lock.json"));
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, { version, license, integrity = "", resolved, dev, optional }]) => {
      const name = path.replace(/^.*node_modules\//, "");
      const [algorithm, sum] = integrity.split("-");
      return {
        name,
        version,
        purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
        licence: license,
        // Without an address npm takes it from the registry that is set.
        isFromRegistry: !resolved || resolved.startsWith("https://registry.npmjs.org/"),
        hash: { alg: algorithm === "sha512" ? "SHA-512" : "", content: hex(sum) },
        isProduct: !dev && !optional,
      };
    });
}

const hex = (base64) => Buffer.from(base64 ?? "", "base64").toString("hex");

/** One sentence for everything that is not allowed. */
function faults(all) {
  const allowed = list("allow");
  const banned = list("deny");
  const isAllowed = (licence) => {
    try {
      return satisfies(licence, allowed);
    } catch {
      return false;
    }
  };
  return all.flatMap(({ purl, name, licence, isFromRegistry, hash }) => [
    ...(isAllowed(licence) ? [] : [`${purl}: its licence is ${licence ?? "not told"}`]),
    ...(banned.includes(name) ? [`${purl} is banned`] : []),
    ...(isFromRegistry ? [] : [`${purl} does not come from its registry`]),
    ...(hash.alg && hash.content ? [] : [`${purl} has no checksum`]),
  ]);
}

function bill(all) {
  const { version } = JSON.parse(read("package.json"));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", name: "dakiya", version } },
    components: all.map(({ name, version, purl, licence, hash, isProduct }) => ({
      type: "library",
      "bom-ref": purl,
      name,
      version,
      purl,
      scope: isProduct ? "required" : "excluded",
      licenses: [{ expression: licence }],
      hashes: [hash],
    })),
  };
}

/** Asks npm's registry for known holes; null when it cannot be asked. */
function audited() {
  const asked = spawnSync("npm", ["audit", "--json", "--fetch-retries=0"], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    timeout: 60_000,
  });
  return knownHoles(asked.stdout);
}

/** One sentence for each package with a known hole, of an answer of `npm audit --json`. */
function knownHoles(answer) {
  let told;
  try {
    told = JSON.parse(answer);
  } catch {
    return null;
  }
  if (typeof told.vulnerabilities !== "object" || told.error !== undefined) return null;
  return Object.values(told.vulnerabilities).map(
    ({ name, severity, range }) => `${name} ${range}: a known hole, ${severity}`,
  );
}

const [command, file] = process.argv.slice(2);
if (command === "holes") {
  // A test gives the answer; otherwise the registry does.
  const found = file === undefined ? audited() : knownHoles(readFileSync(file, "utf8"));
  for (const hole of found ?? []) console.error(hole);
  console.log(
    found === null
      ? "npm's registry says nothing of known holes just now: not checked"
      : `${found.length} npm packages with known holes`,
  );
  process.exit((found ?? []).length === 0 ? 0 : 1);
}
const all = [...crates(), ...npmPackages()];
if (command === "write") {
  writeFileSync(file, `${JSON.stringify(bill(all), null, 1)}\n`);
} else {
  const found = faults(all);
  for (const fault of found) console.error(fault);
  console.log(`${all.length} packages, ${found.length} not allowed`);
  process.exit(found.length === 0 ? 0 : 1);
}
