// Builds the site into the front door's package. The same sources give the same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUTPUT = process.argv[2] ?? join(HERE, "../apps/bff/src/deepoj_bff/inbound/http/site");
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
const CORE = ["src/main.tsx", ...modules("src/ui")];
const WORK = ["src/solve", "src/submissions", "src/submit", "src/account"].flatMap(modules).filter((path) => !path.endsWith("Dialog.tsx"));
const CONTEST = modules("src/contest");
const fewFiles = {
  name: "few-files",
  setup(bundler) {
    bundler.onLoad({ filter: /\/src\/(pages\/.*|account\/SignInDialog)\.tsx$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const works = /from "\.\.\/(\.\.\/)?(solve|submissions|submit|account)\//.test(text);
      const contests = /from "\.\.\/\.\.\/contest\//.test(text);
      const needed = [...CORE, ...(works || contests ? WORK : []), ...(contests ? CONTEST : [])].map((each) => `import ${JSON.stringify(join(HERE, each))};`);
      return { contents: `${text}\n${needed.join("\n")}\n`, loader: "tsx" };
    });
  },
};
const app = await build({
  ...COMMON,
  plugins: [fewFiles],
  entryPoints: { app: "src/main.tsx", site: "src/styles/site.css" },
  format: "esm",
  splitting: true,
  jsx: "automatic",
  jsxImportSource: "preact",
});
// Runs before the first paint, so that a chosen theme does not flash; hence a script of its own.
const first = await build({ ...COMMON, entryPoints: { first: "src/first.ts" }, format: "iife" });

const entries = {};
for (const [path, made] of [...Object.entries(app.metafile.outputs), ...Object.entries(first.metafile.outputs)]) {
  if (made.entryPoint) entries[made.entryPoint] = { file: basename(path), imports: made.imports };
}
const main = entries["src/main.tsx"];
const preloaded = main.imports.filter((each) => each.kind === "import-statement").map((each) => basename(each.path));
const page = readFileSync(join(HERE, "src/index.html"), "utf8")
  .replace("%FIRST%", entries["src/first.ts"].file)
  .replace("%STYLE%", entries["src/styles/site.css"].file)
  .replace("%SCRIPT%", main.file)
  .replace("%PRELOADED%", preloaded.map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join(""));
writeFileSync(join(OUTPUT, "index.html"), page);

for (const name of ["index.html", ...readdirSync(join(OUTPUT, "assets")).map((each) => `assets/${each}`)]) {
  const bytes = readFileSync(join(OUTPUT, name));
  const gzipped = gzipSync(bytes, { level: 9 });
  gzipped[9] = 255; // The header names the operating system; ours is none.
  writeFileSync(join(OUTPUT, `${name}.gz`), gzipped);
  writeFileSync(join(OUTPUT, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
}
writeFileSync(join(OUTPUT, "manifest.json"), JSON.stringify(manifest(), null, 1) + "\n");

function manifest() {
  const initial = [main.file, ...preloaded, entries["src/first.ts"].file].map((name) => `assets/${name}`);
  return {
    initial: initial.sort(),
    style: `assets/${entries["src/styles/site.css"].file}`,
    editor: `assets/${basename(outputOf("src/editor/codemirror.ts"))}`,
    sources: hashes(HERE, SOURCES.flatMap((each) => files(join(HERE, each)))),
    built: hashes(OUTPUT, files(OUTPUT)),
  };
}

function modules(directory) {
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
