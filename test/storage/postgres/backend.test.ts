import { afterAll, beforeAll, expect, test } from "vitest";
import { isOutage } from "../../../src/errors.ts";
import { open, resume, talk } from "../../backend/client.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

test("a conversation continues at another backend with the same database, and after a restart", async () => {
  const database = await server.migratedDatabase();
  const [one, other] = await Promise.all([open({ database }), open({ database })]);
  const { headers, say } = await talk(one.app, { body: { lang: "fr" } });
  await say("");
  await one.close();
  expect((await resume(other.app, headers).say("")).flags).toStrictEqual(["no-question"]);
  await other.close();
  const again = await open({ database });
  expect((await resume(again.app, headers).get("/v1/conversation/history")).body.length).toBe(2);
  await again.close();
});

test("while the database is down, the backend answers 503 and reports an outage", async () => {
  const mine = await startPostgres();
  const seen: unknown[] = [];
  const database = await mine.migratedDatabase();
  const { app, close } = await open({ database, report: (error) => void seen.push(error) });
  const { headers } = await talk(app, { body: { lang: "fr" } });
  await mine.stop();
  const history = await app.request("/v1/conversation/history", { headers });
  expect([history.status, history.headers.get("retry-after")]).toStrictEqual([503, "1"]);
  expect(seen.map(isOutage)).toStrictEqual([true]);
  await close();
});
