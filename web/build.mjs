// Builds the site into the front door's package. The same sources give the same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUTPUT = process.argv[2] ?? join(HERE, "../apps/bff/src/deepoj_bff/inbound/http/site");
// The texts of pages that the server makes.
const SERVED_TEXTS = /^(nav|pagination|problems|level|problem|statement|sample|home|contests|contest|phase|format|schedule|board|entrant|without_script)\./;
const SOURCES = ["src", "build.mjs", "package.json", "package-lock.json", "tsconfig.json"];

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(join(OUTPUT, "assets"), { recursive: true });

const COMMON = {
  absWorkingDir: HERE,
  bundle: true,
  minify: true,
  target: ["chrome111", "firefox121", "safari17.5"],
  outdir: join(OUTPUT, "assets"),
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
};
// Each set of pages that share a module would make a file of its own, and a page many requests. So all pages say
// that they need all of the core, and those where something is solved or judged all that belongs to that.
const CORE = ["src/main.tsx", ...sourcesIn("src/ui")];
// The forms of accounts are for who has to sign in: they have a file of their own.
const WORK = ["src/account/signIn.ts", ...["src/solve", "src/submissions", "src/submit"].flatMap(sourcesIn)];
const CONTEST = sourcesIn("src/contest");
const fewFiles = {
  name: "few-files",
  setup(bundler) {
    bundler.onLoad({ filter: /\/src\/(main|pages\/.*|account\/SignInDialog|calls\/Calls)\.tsx$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const works = /from "\.\.\/(\.\.\/)?(solve|submissions|submit)\//.test(text);
      const contests = /from "\.\.\/\.\.\/contest\//.test(text);
      const needed = [...CORE, ...(works || contests ? WORK : []), ...(contests ? CONTEST : [])].map((each) => `import ${JSON.stringify(join(HERE, each))};`);
      return { contents: `${text}\n${needed.join("\n")}\n`, loader: "tsx" };
    });
  },
};
const app = await build({
  ...COMMON,
  plugins: [fewFiles],
  entryPoints: { main: "src/main.tsx" },
  format: "esm",
  splitting: true,
  jsx: "automatic",
  jsxImportSource: "preact",
});
const entries = {};
for (const [path, made] of Object.entries(app.metafile.outputs)) {
  if (made.entryPoint) entries[made.entryPoint] = { file: basename(path), ...made };
}
const core = needed(begun(entries["src/main.tsx"]));
// Both stand in the page: the first paint waits for them alone. The policy of the site names them by their hashes.
const first = await inside("src/first.ts");
const style = await inside("src/styles/site.css");
const page = readFileSync(join(HERE, "src/index.html"), "utf8")
  .replace("%FIRST%", () => first)
  .replace("%STYLE%", () => style)
  .replace("%LATER%", core.map((name) => `<link rel="later" href="/assets/${name}">`).join(""));
writeFileSync(join(OUTPUT, "index.html"), page);
const modules = modulesOfPages();
writeFileSync(join(OUTPUT, "pages.json"), JSON.stringify({ words: await words(), modules }) + "\n");
// A page runs most of what it loads: a browser that is told so compiles all of it beside the page's own thread,
// and not each function there when it is first called.
for (const name of new Set([...core, ...Object.values(modules).flat()])) {
  const path = join(OUTPUT, "assets", name);
  writeFileSync(path, `//# allFunctionsCalledOnLoad\n${readFileSync(path, "utf8")}`);
}

for (const name of ["index.html", ...readdirSync(join(OUTPUT, "assets")).map((each) => `assets/${each}`)]) {
  const bytes = readFileSync(join(OUTPUT, name));
  const gzipped = gzipSync(bytes, { level: 9 });
  gzipped[9] = 255; // The header names the operating system; ours is none.
  writeFileSync(join(OUTPUT, `${name}.gz`), gzipped);
  writeFileSync(join(OUTPUT, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
}
writeFileSync(join(OUTPUT, "manifest.json"), JSON.stringify(manifest(), null, 1) + "\n");

function manifest() {
  const initial = core.map((name) => `assets/${name}`);
  return {
    initial: initial.sort(),
    editor: `assets/${basename(outputOf("src/editor/codemirror.ts"))}`,
    sources: hashes(HERE, SOURCES.flatMap((each) => files(join(HERE, each)))),
    built: hashes(OUTPUT, files(OUTPUT)),
  };
}

/** What is built of a source, to stand in the page itself. */
async function inside(source) {
  const made = await build({ ...COMMON, entryPoints: [source], format: "iife", write: false });
  return made.outputFiles[0].text.trim();
}

/** The texts by language, for the server. */
async function words() {
  const texts = `export { en } from "./src/i18n/en"; export { zh } from "./src/i18n/zh"; export { withoutScript } from "./src/i18n/withoutScript";`;
  const made = await build({ stdin: { contents: texts, resolveDir: HERE, loader: "ts" }, bundle: true, format: "esm", write: false, charset: "utf8" });
  const { en, zh, withoutScript } = await import(`data:text/javascript,${encodeURIComponent(made.outputFiles[0].text)}`);
  const chosen = (given) => Object.fromEntries(Object.entries(given).filter(([key]) => SERVED_TEXTS.test(key)));
  return { en: chosen({ ...en, ...withoutScript.en }), zh: chosen({ ...zh, ...withoutScript.zh }) };
}

/** What a page needs beside the core, by the pattern of its address. */
function modulesOfPages() {
  const routes = readFileSync(join(HERE, "src/routes.ts"), "utf8").matchAll(/pattern: "([^"]+)", load: \(\) => import\("\.\/([^"]+)"\)/g);
  return Object.fromEntries([...routes].map(([, pattern, module]) => [pattern, needed(outputOf(`src/${module}.tsx`)).filter((name) => !core.includes(name))]));
}

/** The file of an entry; of one that shares all it has, that with what it shares: it begins by itself. */
function begun({ file, inputs, imports }) {
  const shared = imports.filter((each) => each.kind === "import-statement");
  const isEmpty = Object.values(inputs).every((each) => each.bytesInOutput === 0);
  return isEmpty && shared.length === 1 ? basename(shared[0].path) : file;
}

function needed(path, found = new Set()) {
  if (found.has(basename(path))) return [...found];
  found.add(basename(path));
  const key = Object.keys(app.metafile.outputs).find((each) => basename(each) === basename(path));
  for (const each of app.metafile.outputs[key].imports) if (each.kind === "import-statement") needed(each.path, found);
  return [...found];
}

function sourcesIn(directory) {
  return readdirSync(join(HERE, directory))
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => `${directory}/${name}`);
}

function outputOf(source) {
  return Object.entries(app.metafile.outputs).find(([, made]) => made.entryPoint === source)[0];
}

function files(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((name) => files(join(path, name)));
}

function hashes(root, paths) {
  const named = paths.map((path) => [relative(root, path), createHash("sha256").update(readFileSync(path)).digest("hex")]);
  return Object.fromEntries(named.filter(([name]) => name !== "manifest.json").sort());
}
