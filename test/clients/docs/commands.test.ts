// Suite: long
import { readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import {
  createWorkspace,
  commandModule,
  root,
  type Server,
  startServer,
} from "../../runtime/processes/processes.ts";
import type { Workspace } from "../../runtime/processes/processes.ts";
import { afterword } from "../../cli/terminal.ts";
import { markdownFiles, startedServers, testedBlocks } from "./markdown.ts";
import { pasted, pathWithCommands } from "./session.ts";
import { createFolder } from "../../fixtures/folder.ts";

vi.setConfig({ testTimeout: 180_000 });

/** These begin elsewhere, and have a separate test. */
const elsewhere = new Set(["README.md", "own-bot.md", "backend-operations.md", "import.md"]);
const ADMIN_TOKEN = "the-token-of-the-documentation";

const pages = await Promise.all(
  (await markdownFiles(root)).map(async (file) => ({
    file,
    name: basename(file),
    text: await readFile(file, "utf8"),
  })),
);

/** A copy of the checkout's configuration, and the server that `npm start` starts in it. */
let checkout: Workspace;
let gateway: Server;

beforeAll(async () => {
  checkout = await createWorkspace();
  gateway = await startServer(
    [commandModule, "serve", "--config", checkout.config, "--port", "0"],
    {
      env: { AFTERWORD_ADMIN_TOKEN: ADMIN_TOKEN },
    },
  );
});

afterAll(async () => {
  await gateway.stop("SIGTERM");
  await rm(checkout.path, { recursive: true, force: true });
});

const scripted = pages.filter(
  ({ name, text }) => !elsewhere.has(name) && testedBlocks(text).length > 0,
);

test.each(scripted)("the commands of $name do what the page says", async ({ file, text }) => {
  const here = (words: string): string => words.replaceAll("http://127.0.0.1:8787", gateway.url);
  const steps = await pasted(file, here, { AFTERWORD_ADMIN_TOKEN: ADMIN_TOKEN }, await start(text));
  for (const { printed, expected } of steps) if (expected !== null) expect(printed).toBe(expected);
});

/** The reader's folder: the checkout, or where the package is installed. */
async function start(text: string): Promise<string> {
  if (text.includes("npm run -s afterword")) return checkout.path;
  const place = createFolder();
  if (testedBlocks(text).some(({ script }) => /^afterword init/mu.test(script))) return place;
  const dir = join(place, "config");
  await afterword(["init", "--dir", dir]);
  const database = join(place, ".afterword", "backend.db");
  await afterword(["backend", "init", "--content", join(dir, "backend"), "--database", database]);
  return place;
}

const servers = new Set(pages.flatMap(({ text }) => startedServers(text)));

test.each([...servers])("%s starts", async (command) => {
  const PATH = await pathWithCommands(createFolder());
  const server = await startServer([], {
    under: ["sh", "-c", `exec ${command}`],
    cwd: checkout.path,
    env: { PATH, PORT: "0" },
  });
  onTestFinished(async () => void (await server.stop("SIGTERM")));
  expect((await fetch(new URL("/desk", server.url))).status).toBe(200);
});
