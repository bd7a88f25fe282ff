// npm run docs: serves the site, and follows what changes in docs/. npm run docs -- build: builds it
// into tools/docs/dist, and fails on a link or an anchor that leads nowhere.
import { rmSync, watch } from "node:fs";
import { join } from "node:path";
import { build, createServer } from "vitepress";
import { brokenAnchors } from "./anchors.ts";
import { writeLibrary } from "./library.ts";
import { PAGES, ROOT, writePages } from "./pages.ts";
import { writeReference } from "./reference.ts";

const site = import.meta.dirname;
const built = join(site, "dist");

rmSync(PAGES, { recursive: true, force: true });
writePages();
await writeReference();
await writeLibrary();

if (process.argv[2] !== "build") {
  const port = Number(process.env["PORT"] ?? 8789);
  const server = await createServer(site, { host: "127.0.0.1", port });
  await server.listen();
  server.printUrls();
  for (const folder of ["docs", "."])
    watch(join(ROOT, folder), (_, name) => {
      if (name?.endsWith(".md") === true) writePages();
    });
} else {
  await build(site, { outDir: built });
  const broken = brokenAnchors(built);
  for (const one of broken) console.error(one);
  if (broken.length > 0) process.exitCode = 1;
  else console.log("The site is in tools/docs/dist. Every link and anchor leads somewhere.");
}
