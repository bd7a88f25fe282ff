import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { BackendDatabase } from "../../../src/backend/storage/tables/database.ts";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import { killedIn } from "../../backend/storage/suites/killed.ts";
import { event } from "../../backend/storage/suites/samples.ts";
import { password, type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

killedIn("PostgreSQL", () => server.newDatabase());

async function open(address: string): Promise<BackendDatabase> {
  const database = await openDatabase(address);
  onTestFinished(() => database.close());
  return database;
}

/**
 * The message of an opening that fails, after checking that nothing a log could print of it
 * contains the password.
 */
async function refusal(address: string): Promise<string> {
  const error: unknown = await openDatabase(address).then(
    (database) => database.close(),
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ code: "database-unusable" });
  const printed = inspect(error, { depth: 10, showHidden: true });
  for (const secret of [password, encodeURIComponent(password)])
    expect(printed).not.toContain(secret);
  return error instanceof Error ? error.message : "";
}

const authority = join(import.meta.dirname, "../../fixtures/tls/ca.pem");

/** Turns TLS on with the tests' certificate; PostgreSQL wants a key that only its user can read. */
async function turnOnTls(): Promise<void> {
  for (const name of ["cert", "key"]) {
    const lines = readFileSync(join(dirname(authority), `${name}.pem`), "utf8")
      .trim()
      .split("\n");
    const rows = lines.map((line) => `('${line}')`).join(", ");
    await server.ask(`COPY (VALUES ${rows}) TO PROGRAM 'umask 077; cat >${name}.pem'`);
    await server.ask(`ALTER SYSTEM SET ssl_${name}_file = '${name}.pem'`);
  }
  await setTls("on");
  onTestFinished(() => setTls("off"));
}

async function setTls(state: "on" | "off"): Promise<void> {
  await server.ask(`ALTER SYSTEM SET ssl = '${state}'`);
  await server.ask("SELECT pg_reload_conf()");
  await expect.poll(() => server.ask("SHOW ssl")).toEqual([{ ssl: state }]);
}

describe("the error for a PostgreSQL database that cannot be opened names the cause, and never the password:", () => {
  test("a wrong password", async () => {
    const address = (await server.newDatabase()).replace("tester:", "tester:wrong");
    expect(await refusal(address)).toMatch(
      /^The database postgres:\/\/tester@127\.0\.0\.1:\d+\/test_\w+ refuses the user or the password: look at the address/,
    );
  });

  test("a database that does not exist", async () => {
    const address = `${await server.newDatabase()}_not`;
    expect(await refusal(address)).toMatch(/does not exist: make it with createdb/);
  });

  test("a port without a server", async () => {
    const address = new URL(await server.newDatabase());
    address.port = "1";
    expect(await refusal(address.href)).toMatch(
      /:1\/test_\w+ does not answer: is PostgreSQL running.*ECONNREFUSED/,
    );
  });

  test("a host that does not exist", async () => {
    const address = new URL(await server.newDatabase());
    address.hostname = "no.such.host.invalid";
    expect(await refusal(address.href)).toMatch(/does not answer/);
  });

  test("a server that never answers", async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket)).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const address = new URL(await server.newDatabase());
    const bound = silent.address();
    address.port = String(typeof bound === "object" ? bound?.port : 0);
    expect(await refusal(address.href)).toMatch(/does not answer/);
  });

  test("an invalid address", async () => {
    const address = `postgres://tester:${encodeURIComponent(password)}@127.0.0.1:port/x`;
    expect(await refusal(address)).toMatch(/must look like postgres:\/\/user:password@host/);
    expect(await refusal(`postgres://tester:${password}@127.0.0.1/x`)).toMatch(/PostgreSQL/);
  });

  test("TLS that the server does not support", async () => {
    const address = `${await server.newDatabase()}?sslmode=verify-full`;
    expect(await refusal(address)).toMatch(
      /takes no encrypted connections: set ssl = on in postgresql.conf, or leave sslmode out/,
    );
  });

  test("a certificate that no authority signed", async () => {
    await turnOnTls();
    const address = `${await server.newDatabase()}?sslmode=verify-full`;
    expect(await refusal(address)).toMatch(
      /has a certificate that cannot be verified: name its authority's file in sslrootcert/,
    );
  });

  test("a certificate for another host", async () => {
    await turnOnTls();
    const address = new URL(await server.newDatabase());
    address.hostname = "0.0.0.0";
    address.search = `?sslmode=verify-full&sslrootcert=${authority}`;
    expect(await refusal(address.href)).toMatch(/has a certificate that cannot be verified/);
  });

  test("the file of an authority that is not there", async () => {
    const address = `${await server.newDatabase()}?sslmode=verify-full&sslrootcert=/no/ca.pem`;
    expect(await refusal(address)).toMatch(
      /cannot be reached, because a file that its address names cannot be read: correct sslrootcert, .*\/no\/ca.pem/,
    );
  });

  test("a password that is missing", async () => {
    const address = new URL(await server.newDatabase());
    address.password = "";
    expect(await refusal(address.href)).toMatch(
      /needs a password: write it into the address, or set PGPASSWORD/,
    );
  });

  test("a user who may not create tables", async () => {
    const address = await server.newDatabase();
    await server.ask("ALTER SCHEMA public OWNER TO super", address);
    await server.ask(
      "REVOKE CREATE ON SCHEMA public FROM PUBLIC, tester, pg_database_owner",
      address,
    );
    expect(await refusal(address)).toMatch(/does not let this user make or use tables: grant it/);
  });

  test("a database where another program has a table of the same name", async () => {
    const address = await server.newDatabase();
    await server.ask("CREATE TABLE events (theirs text)", address);
    expect(await refusal(address)).toMatch(
      /step 0001-first-release-\d+ failed.*a database or schema of its own/,
    );
    const tables = await server.ask(
      "SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'",
      address,
    );
    expect(tables).toStrictEqual([{ n: 1 }]);
  });
});

describe("the storage in PostgreSQL", () => {
  test("keeps Afterword's tables in the schema that the address names", async () => {
    const address = await server.newDatabase();
    await server.ask("CREATE SCHEMA own AUTHORIZATION tester", address);
    await open(`${address}?options=-c%20search_path%3Down`);
    const rows = await server.ask(
      "SELECT DISTINCT schemaname FROM pg_tables WHERE tablename IN ('sessions', 'afterword_schema')",
      address,
    );
    expect(rows).toStrictEqual([{ schemaname: "own" }]);
    // A second Afterword in another schema of the same database.
    await server.ask("CREATE SCHEMA other AUTHORIZATION tester", address);
    const other = await open(`${address}?options=-c%20search_path%3Dother`);
    expect(await other.kysely.selectFrom("sessions").selectAll().execute()).toStrictEqual([]);
  });

  test("commits durable transactions synchronously, even if the server is set not to", async () => {
    const address = await server.newDatabase();
    const name = new URL(address).pathname.slice(1);
    await server.ask(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    const { transaction, durable } = await open(address);
    const level = async (inside: BackendDatabase["kysely"]): Promise<unknown> =>
      (
        await sql<{ level: string }>`SELECT current_setting('synchronous_commit') AS level`.execute(
          inside,
        )
      ).rows[0]?.level;
    expect(await transaction(level)).toBe("off");
    expect(await durable(level)).toBe("on");
    expect(await transaction(level)).toBe("off");
  });

  test("releases the connections of transactions that fail", async () => {
    const { transaction, kysely } = await open(await server.newDatabase());
    for (let round = 0; round < 15; round++) {
      const failing = transaction((inside) => sql`SELECT nothing`.execute(inside));
      await expect(failing).rejects.toThrow("nothing");
    }
    expect(await kysely.selectFrom("events").selectAll().execute()).toStrictEqual([]);
  });

  test("cancels a statement that takes too long", async () => {
    const address = await server.newDatabase();
    // Creating the tables must not be cut short.
    await open(address);
    const { kysely } = await open(`${address}?statement_timeout=1000`);
    await expect(sql`SELECT pg_sleep(20)`.execute(kysely)).rejects.toMatchObject({
      code: "database-unusable",
      message: expect.stringMatching(/took too long/),
    });
  });

  test("reports a server that is gone, and uses it again when it is back", async () => {
    const own = await startPostgres();
    onTestFinished(() => own.stop());
    const { kysely, transaction } = await open(await own.newDatabase());
    await kysely.insertInto("events").values(event(1)).execute();
    const under = transaction(async (inside) => {
      await inside.insertInto("events").values(event(2)).execute();
      await own.kill();
      await inside.insertInto("events").values(event(3)).execute();
    });
    await expect(under).rejects.toMatchObject({ code: "database-unusable" });
    await expect(kysely.selectFrom("events").select("at").execute()).rejects.toMatchObject({
      code: "database-unusable",
      message: expect.stringMatching(/does not answer: is PostgreSQL running/),
    });
    await own.start();
    expect(await kysely.selectFrom("events").select("at").execute()).toStrictEqual([{ at: 1 }]);
  });

  test("closes even if a transaction never ends", async () => {
    const { transaction, close } = await open(await server.newDatabase());
    void transaction(() => new Promise(() => undefined));
    await close();
  });
});
