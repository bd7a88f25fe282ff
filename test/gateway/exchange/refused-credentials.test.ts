import { expect, onTestFinished, test } from "vitest";
import { createRefusedCredentials } from "../../../src/gateway/exchange/refused-credentials.ts";
import { embeddedGateway } from "../../backend/embedded-gateway.ts";
import { ADMIN, served } from "../console/console.ts";

/** A record whose minutes the test ends. */
function recorded() {
  const lines: unknown[] = [];
  const audited: string[] = [];
  const waiting: (() => void)[] = [];
  let time = 0;
  const refused = createRefusedCredentials({
    log: (level, event, fields) => void lines.push([level, event, fields]),
    clock: () => time,
    count: () => undefined,
    audit: (action, details) => void audited.push(`${action} ${details}`),
    wait: () => new Promise((resolve) => waiting.push(resolve)),
  });
  const minute = async (): Promise<void> => {
    time += 60_000;
    for (const end of waiting.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lines, audited, refused, minute, pass: (ms: number) => (time += ms) };
}

test("refusals of an address are logged at once, and then once a minute, as a number", async () => {
  const { lines, audited, refused, minute } = recorded();
  for (let n = 0; n < 7; n++) refused.note("console-token", "203.0.113.5");
  const line = (count: number) => [
    "warn",
    "console-token-refused",
    { address: "203.0.113.5", count },
  ];
  expect(lines).toEqual([line(1)]);
  await minute();
  expect(lines).toEqual([line(1), line(6)]);
  refused.note("console-token", "203.0.113.5");
  refused.note("console-token", "203.0.113.5");
  expect(lines).toHaveLength(2);
  await minute();
  expect(lines.slice(2)).toEqual([line(2)]);
  await minute();
  refused.note("console-token", "203.0.113.5");
  expect(lines.slice(3)).toEqual([line(1)]);
  expect(audited).toEqual(
    [1, 6, 2, 1].map((count) => `console-token-refused 203.0.113.5: ${count}`),
  );
});

test("no number of addresses fills the log", () => {
  const { lines, refused } = recorded();
  for (let n = 0; n < 1000; n++) refused.note("agent-login", `2001:db8:0:${n.toString(16)}::1`);
  // One network of IPv6 is one client.
  for (let n = 0; n < 1000; n++) refused.note("agent-login", `2001:db8:0:1::${n.toString(16)}`);
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toEqual(["warn", "agent-login-refused", { address: "others", count: 1 }]);
});

test("where nothing runs between requests, the next refusal reports those before", () => {
  const { lines, refused, pass } = recorded();
  for (let n = 0; n < 3; n++) refused.note("admin-token", "203.0.113.5");
  pass(120_000);
  refused.note("admin-token", "203.0.113.5");
  expect(lines).toEqual([
    ["warn", "admin-token-refused", { address: "203.0.113.5", count: 1 }],
    ["warn", "admin-token-refused", { address: "203.0.113.5", count: 3 }],
  ]);
});

test("wrong tokens of the console are in the log, the metrics and the audit log", async () => {
  const { api, running, logs } = await served({});
  expect((await api("session", { token: "" })).status).toBe(401);
  for (let n = 0; n < 7; n++) await api("session", { token: `guess-${n}-of-the-token` });
  const address = `${running.url}/_afterword/metrics`;
  const metrics = async (token: string) =>
    (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).text();
  await metrics("guess-of-the-admin-token");
  expect(logs.filter(({ event }) => event.endsWith("-refused"))).toEqual([
    { event: "console-token-refused", fields: { address: "127.0.0.1", count: 1 } },
    { event: "admin-token-refused", fields: { address: "127.0.0.1", count: 1 } },
  ]);
  const counted = await metrics(ADMIN);
  expect(counted).toContain('afterword_credentials_refused_total{kind="console-token"} 7');
  expect(counted).toContain('afterword_credentials_refused_total{kind="admin-token"} 1');
  await expect.poll(async () => JSON.stringify((await api("audit")).body)).toContain("admin-token");
  const audit = JSON.stringify((await api("audit")).body);
  expect(audit).toContain("console-token-refused");
  expect(audit + counted + JSON.stringify(logs)).not.toMatch(/guess-\d|guess-of/);
});

test("wrong passwords of agents and wrong secrets are there too, for any account", async () => {
  const gateway = await embeddedGateway({ demo: true });
  onTestFinished(() => gateway.close());
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const init = { method: "POST", body: JSON.stringify(body) };
    const all = { ...headers, "content-type": "application/json" };
    return (await fetch(gateway.url + path, { ...init, headers: all })).status;
  };
  const app = { "x-hyper-appId": "demo-app" };
  const login = (name: string) =>
    post("/v1/agents/login", app, { login: name, password: "a wrong password" });
  const secret = { ...app, "x-hyper-secret": "no-secret-of-it" };
  const statuses = [
    await login("demo-agent"),
    await login("nobody"),
    await post("/v1/auth", { "x-inbenta-key": "demo-key" }, { secret: "not-the-secret" }),
    await post("/v1/auth", { "x-inbenta-key": "demo-key" }, {}),
    await post("/v1/agents", secret, {}),
  ];
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  expect(gateway.events.filter((event) => event.endsWith("-refused"))).toEqual([
    "agent-login-refused",
    "api-secret-refused",
    "app-secret-refused",
  ]);
  const metrics = await gateway.metrics();
  for (const [kind, count] of [
    ["agent-login", 2],
    ["api-secret", 1],
    ["app-secret", 1],
  ]) {
    expect(metrics).toContain(`afterword_credentials_refused_total{kind="${kind}"} ${count}`);
  }
});
