import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Client } from "pg";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import { freePort } from "../../fixtures/free-port.ts";

/** A PostgreSQL server for the tests, on loopback, with its data in a temporary directory. */
export interface PostgresServer {
  readonly port: number;
  /** Address of a new, empty database. */
  newDatabase(): Promise<string>;
  /**
   * Address of a new database that is a copy of one brought up to this release. storage.test.ts
   * tests the way there from an empty one.
   */
  migratedDatabase(): Promise<string>;
  /** Runs one statement as the superuser, in the database of that address or in `postgres`. */
  ask(statement: string, address?: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it with the same port and data. */
  start(): Promise<void>;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
}

/** The password of a test's user, which would be noticed in a message. */
export const password = "hunter2/#?@%";

/** Starts a server with a new cluster. The caller ends it with `stop`. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = programs();
  const user = unprivileged();
  const directory = mkdtempSync(join(tmpdir(), "afterword-postgres-"));
  if (user !== null) chownSync(directory, user.uid, user.gid);
  const data = join(directory, "data");
  const options = { ...user, cwd: directory, stdio: "pipe" as const };
  execFileSync(
    join(bin, "initdb"),
    [
      "-D",
      data,
      "-U",
      "super",
      "--auth-host=scram-sha-256",
      "--auth-local=trust",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
    ],
    options,
  );
  const port = await freePort();
  let child = await run();
  const socket = { host: directory, port, user: "super" };
  await ask(`CREATE ROLE tester LOGIN CREATEDB PASSWORD '${password}'`);
  let migrated: Promise<string> | null = null;
  return { port, ask, newDatabase: () => newDatabase(), migratedDatabase, kill, start, stop };

  async function newDatabase(template = "template1"): Promise<string> {
    const name = `test_${randomUUID().replaceAll("-", "")}`;
    // Nothing is synced here, and copying files takes half the time of writing them to the log.
    await ask(`CREATE DATABASE ${name} OWNER tester TEMPLATE ${template} STRATEGY FILE_COPY`);
    return `postgres://tester:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
  }

  async function migratedDatabase(): Promise<string> {
    migrated ??= newDatabase().then(async (address) => {
      const database = await openDatabase(address);
      await database.close();
      return new URL(address).pathname.slice(1);
    });
    return newDatabase(await migrated);
  }

  async function ask(
    statement: string,
    address?: string,
  ): Promise<readonly Record<string, unknown>[]> {
    const database = address === undefined ? "postgres" : new URL(address).pathname.slice(1);
    const client = new Client({ ...socket, database });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(statement);
      return rows;
    } finally {
      await client.end();
    }
  }

  async function run(): Promise<ChildProcess> {
    const started = spawn(
      join(bin, "postgres"),
      [
        "-D",
        data,
        "-p",
        String(port),
        "-c",
        "listen_addresses=127.0.0.1",
        "-k",
        directory,
        "-c",
        "max_connections=60",
        "-c",
        "fsync=off",
      ],
      options,
    );
    let log = "";
    await new Promise<void>((resolve, reject) => {
      started.once("error", reject);
      started.once("exit", () => reject(new Error(`postgres ended: ${log}`)));
      started.stderr.setEncoding("utf8").on("data", (text: string) => {
        log = (log + text).slice(-10_000);
        if (log.includes("ready to accept connections")) resolve();
      });
    });
    return started;
  }

  async function start(): Promise<void> {
    child = await run();
  }

  // Immediate shutdown: it ends its own processes, and recovers at the next start as after a crash.
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGQUIT");
    await gone;
  }

  async function stop(): Promise<void> {
    await kill();
    // Hundreds of databases have a hundred thousand files: no test waits until a slow disk has
    // removed them.
    spawn("rm", ["-rf", directory], { detached: true, stdio: "ignore" }).unref();
  }
}

/** The directory of initdb and postgres; Debian keeps them off the path. */
function programs(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const places = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin")),
  ];
  const found = places.find((place) =>
    ["initdb", "postgres"].every((program) => existsSync(join(place, program))),
  );
  if (found !== undefined) return found;
  throw new Error(
    "PostgreSQL's programs initdb and postgres are missing: install the package postgresql (apt-get install postgresql)",
  );
}

/** PostgreSQL refuses to run as root; its package makes a user for it. */
function unprivileged(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
