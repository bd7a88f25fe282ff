// Suite: long
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { mountable, onDisk, works } from "../fixtures/small-disk.ts";
import { ask } from "../clients/connectors/http.ts";
import { endedHere } from "../cli/terminal.ts";
import {
  afterword,
  type Ended,
  root,
  serveProcess,
  type Workspace,
  workspace,
} from "../runtime/processes/processes.ts";

const content = join(root, "config", "backend");

/** Each opens a database. */
const commands = [
  ["backend", "--port", "0", "--content", content],
  ["backend", "report"],
  ["backend", "migrate"],
  ["backend", "key", "list"],
];

describe("a database that cannot be opened is named in one line, with what to do:", () => {
  it.each([
    [
      "a directory",
      "messages",
      (file: string) => mkdir(file),
      /messages is a directory: name a file in it/u,
    ],
    [
      "a text",
      "text.db",
      (file: string) => writeFile(file, "hello"),
      /text\.db is damaged or no database at all: put a backup in its place/u,
    ],
    [
      "a database whose bytes were overwritten",
      "damaged.db",
      async (file: string) => {
        await runHere(["backend", "migrate", "--database", file]);
        await writeFile(file, Buffer.alloc(65_536, 0x5a));
      },
      /damaged\.db is damaged or no database at all: put a backup in its place/u,
    ],
    [
      "another program's database",
      "recipes.db",
      (file: string) => {
        const other = new DatabaseSync(file);
        other.exec("CREATE TABLE recipes (id INTEGER)");
        other.close();
        return Promise.resolve();
      },
      /recipes\.db is another program's \(it has the table recipes\): name a file of/u,
    ],
  ])("%s", async (_what, name, make, expected) => {
    const place = await workspace();
    const file = join(place.path, name);
    await make(file);
    await each([...commands, serving(await configured(place, file))], file, expected);
  });

  it("a new file below another file", async () => {
    const place = await workspace();
    const file = join(place.config, "backend.db");
    const making = [commands[0] ?? [], serving(await configured(place, file))];
    await each(making, file, /lies below a file: name a directory/u);
  });

  describe.skipIf(obedient() === null)("a user without write permission cannot open", () => {
    it("a read-only file", async () => {
      const place = await workspace();
      const file = join(place.path, "closed.db");
      await writeFile(file, "");
      await chmod(file, 0o400);
      const all = [...commands, serving(await configured(place, file))];
      const words = /closed\.db cannot be written: let this process write the file/u;
      await each(all, file, words, obedient() ?? []);
    });

    it("a file in a directory", async () => {
      const place = await workspace();
      const directory = join(place.path, "closed");
      const file = join(directory, "backend.db");
      await mkdir(directory);
      await chmod(directory, 0o500);
      const making = [commands[0] ?? [], serving(await configured(place, file))];
      const words = /backend\.db cannot be written: .* and its directory/u;
      await each(making, file, words, obedient() ?? []);
    });
  });

  async function each(
    all: readonly (readonly string[])[],
    file: string,
    expected: RegExp,
    under?: readonly string[],
  ): Promise<void> {
    const ends = all.map(async (args) => {
      const given = args[0] === "serve" ? args : [...args, "--database", file];
      // In this process, unless another user is needed.
      const { code, stdout, stderr } =
        under === undefined
          ? await runHere(given)
          : await afterword(given, { env: { PORT: "0" }, under });
      expect([args[1], code, stdout, stderr]).toEqual([
        args[1],
        1,
        "",
        expect.stringMatching(expected),
      ]);
      expect(stderr).toMatch(/^The database [^\n]*\n$/u);
    });
    await Promise.all(ends);
  }
});

it("a database whose directories are missing is made with them", async () => {
  const place = await workspace();
  const file = join(place.path, "new", "deeper", "backend.db");
  const args = ["backend", "--port", "0", "--content", content, "--database", file];
  const { url } = await serveProcess(args);
  expect((await ask(`${url}/v1/auth`, login)).status).toBe(200);
});

describe("a disk that is full", () => {
  it("ends the start in one line", async () => {
    const place = await workspace();
    const file = join(place.path, "backend.db");
    const all = [...commands.slice(0, 1), serving(await configured(place, file))];
    for (const args of all) {
      await rm(file, { force: true });
      const given = args[0] === "serve" ? args : [...args, "--database", file];
      // No file of this process may grow beyond 4 or 8 KiB (the shell's blocks).
      const under = ["sh", "-c", 'ulimit -f 8; exec "$0" "$@"'];
      const end = await afterword(given, { env: { PORT: "0" }, under });
      expect([args[0], end]).toEqual([
        args[0],
        { code: 1, stdout: "", stderr: expect.stringMatching(/the disk fails.*free space/u) },
      ]);
      expect(end.stderr).toMatch(/^[^\n]*\n$/u);
    }
  });

  it.skipIf(!mountable())(
    "ends the start in one line, or refuses what it cannot keep until there is space again",
    async () => {
      const place = await workspace();
      const disk = join(place.path, "disk");
      await mkdir(disk);
      const args = ["backend", "--content", content, "--database", join(disk, "backend.db")];
      const env = { PORT: "0" };
      const end = await afterword(args, { env, under: onDisk(disk, "64k") });
      expect(end).toMatchObject({ code: 1, stdout: "" });
      expect(end.stderr).toMatch(/^The database [^\n]*the disk is full: free some space[^\n]*\n$/u);

      const server = await serveProcess(args, { env, under: onDisk(disk, "4m") });
      const session = (await ask(`${server.url}/v1/auth`, login)).json() as { accessToken: string };
      const headers = {
        ...login.headers,
        "content-type": "application/json",
        authorization: `Bearer ${session.accessToken}`,
      };
      const start = async (): Promise<number> =>
        (await ask(`${server.url}/v1/conversation`, { headers, body: "{}" })).status;
      expect(await start()).toBe(200);
      // Only the server uses the disk, which is mounted where no other process sees it.
      const filler = join("/proc", String(server.pid), "root", disk, "filler");
      const filling = writeFile(filler, Buffer.alloc(5_000_000));
      await expect(filling).rejects.toThrow("ENOSPC");
      expect(await start()).toBe(503);
      await rm(filler);
      expect(await start()).toBe(200);
      const { code, stderr } = await server.stop();
      expect(code).toBe(0);
      expect(stderr).toMatch(/"event":"store-unavailable".*the disk is full: free some space/u);
    },
  );
});

/** Runs a command line in this process, and returns its output. */
const runHere = (argv: readonly string[]): Promise<Ended> =>
  endedHere(argv, { PORT: "0", AFTERWORD_LOG: "error" });

const login = { headers: { "x-inbenta-key": "demo-key" }, body: "secret=demo-secret" };

function serving(config: string): readonly string[] {
  return ["serve", "--config", config];
}

/** The shipped configuration, with its database there. Returns its path. */
async function configured(place: Workspace, database: string): Promise<string> {
  const written = await readFile(place.config, "utf8");
  const changed = written.replace(/database: [^ ,}]+/u, `database: ${database}`);
  expect(changed).toContain(database);
  return place.write("other.yaml", changed);
}

/** Null if this is impossible here: root may write anything, unless it drops its capabilities. */
function obedient(): readonly string[] | null {
  if (process.getuid?.() !== 0) return [];
  const under = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
  return works([...under, "true"]) ? under : null;
}
