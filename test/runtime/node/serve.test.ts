// Suite: slow
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../../src/config/load/load.ts";
import { formatAnnouncement } from "../../../src/runtime/node/credentials/admin-token.ts";
import { serve } from "../../../src/runtime/node/serve.ts";
import { answerIn, startConversation, textAt } from "../../clients/connectors/client.ts";
import { ask } from "../../clients/connectors/http.ts";
import { createWorkspace, workspace, type Workspace } from "../processes/processes.ts";
import { engineTexts, shippedTexts } from "../../clients/connectors/texts.ts";

const english = shippedTexts("en");

describe("a started gateway", () => {
  it("shows everyone that it is alive, and only this machine what it counts", async () => {
    const { url } = await started(await workspace());
    const health = await ask(`${url}/_afterword/health`);
    expect([health.status, health.json()]).toEqual([200, { status: "ok" }]);
    expect((await ask(`${url}/_afterword/ready`)).json()).toMatchObject({ status: "ready" });
    const metrics = await ask(`${url}/_afterword/metrics`);
    expect([metrics.status, metrics.text]).toEqual([
      200,
      expect.stringContaining("afterword_requests_total"),
    ]);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: url },
      { "x-forwarded-for": "192.0.2.1" },
      { forwarded: "for=192.0.2.1" },
      { via: "1.1 proxy" },
      { "x-real-ip": "192.0.2.1" },
      { "cf-connecting-ip": "192.0.2.1" },
      { host: "bot.example.com" },
    ]) {
      for (const name of ["metrics", "coverage", "explain", "escalations", "nothing"]) {
        const answer = await ask(`${url}/_afterword/${name}`, { headers });
        expect([name, headers, answer.status]).toEqual([name, headers, 404]);
      }
      expect((await ask(`${url}/_afterword/health`, { headers })).status).toBe(200);
    }
  });

  it("has no admin without a token where others reach it", async () => {
    const place = await workspace();
    const env = { HOST: "0.0.0.0", AFTERWORD_DEMO_CREDENTIALS: "generate" };
    const { running, logged } = await started(place, env);
    expect(formatAnnouncement(running.url, running.adminToken)).not.toContain("Bearer");
    for (const name of ["metrics", "coverage", "explain", "escalations"]) {
      expect([name, (await ask(`${running.url}/_afterword/${name}`)).status]).toEqual([name, 404]);
    }
    expect(logged()).toContain('"event":"no-admin"');
  });

  it("asks for the admin token once there is one, on this machine too", async () => {
    const AFTERWORD_ADMIN_TOKEN = "open-sesame-please";
    const { running, url } = await started(await workspace(), { AFTERWORD_ADMIN_TOKEN });
    expect(formatAnnouncement(url, running.adminToken)).toBe(`Afterword listens on ${url}\n`);
    const asked = async (authorization?: string): Promise<number> => {
      const headers = authorization === undefined ? {} : { authorization };
      return (await ask(`${url}/_afterword/metrics`, { headers })).status;
    };
    expect(await asked()).toBe(404);
    expect(await asked("Bearer open-sesame-pleas")).toBe(404);
    expect(await asked("Bearer open-sesame-please1")).toBe(404);
    expect(await asked("Bearer open-sesame-please")).toBe(200);
    expect((await ask(`${url}/_afterword/health`)).status).toBe(200);
  });

  it("keeps the engine's texts with AFTERWORD_DISABLE=on, reports that, and still routes", async () => {
    const { url, logged } = await started(await workspace(), { AFTERWORD_DISABLE: "on" });
    expect(logged()).toContain('"level":"warn","event":"disabled"');
    const { base, say } = await startConversation(url);
    expect(base.startsWith(url)).toBe(true);
    expect(answerIn(await say({ message: "" })).message).toBe(engineTexts("en")["welcome"]);
  });
});

describe("the demo credentials", () => {
  it("are replaced by random ones when asked, whose values only their file shows", async () => {
    const place = await workspace();
    const env = {
      HOST: "0.0.0.0",
      AFTERWORD_DEMO_CREDENTIALS: "generate",
    };
    const { running, url, logged } = await started(place, env);
    const file = join(place.path, "config", ".afterword", "demo-credentials.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const credentials = JSON.parse(await readFile(file, "utf8")) as {
      apiKey: string;
      secret: string;
      project: string;
    }[];
    expect(credentials.map(({ project }) => project)).toEqual(["shop", "modern"]);
    const [shop] = credentials;
    const { say } = await startConversation(url, shop);
    expect(answerIn(await say({ message: "" })).message).toBe(english["welcome"]);
    const known = await ask(`${url}/v1/auth`, {
      headers: { "x-inbenta-key": "demo-key" },
      body: "secret=demo-secret",
    });
    expect(known.status).toBe(401);
    await running.close();
    expect(logged()).toContain(file);
    for (const { apiKey, secret } of credentials) {
      expect(logged()).not.toContain(apiKey);
      expect(logged()).not.toContain(secret);
    }
    const again = await started(place, env);
    await startConversation(again.url, shop);
  });

  describe("are refused to a request that came through a proxy", () => {
    let url = "";
    beforeAll(async () => {
      const place = await createWorkspace();
      const { running } = await open(place, {});
      url = running.url;
      return async () => {
        await running.close();
        await rm(place.path, { recursive: true, force: true });
      };
    });

    it.each([
      ...["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "x-client-ip", "via"],
      ...["true-client-ip", "fly-client-ip", "x-envoy-external-address", "x-amzn-trace-id"],
      "x-original-forwarded-for",
    ])("as %s says", async (name) => {
      const headers = { "x-inbenta-key": "demo-key" };
      const body = "secret=demo-secret";
      expect((await ask(`${url}/v1/auth`, { headers, body })).status).toBe(200);
      const proxied = { ...headers, [name]: "192.0.2.1" };
      const refused = await ask(`${url}/v1/auth`, { headers: proxied, body });
      expect([refused.status, textAt(refused.json(), "errors", 0, "message")]).toEqual([
        401,
        "Unauthorized",
      ]);
    });
  });
});

type Variables = Readonly<Record<string, string>>;

/** Runs the same as `afterword serve`, at a free port; `logged` are the lines of its log. */
async function open({ config: file }: Workspace, env: Variables) {
  const lines: string[] = [];
  const running = await serve({
    config: await loadConfig(file, { env }),
    env,
    port: 0,
    ...(env["HOST"] !== undefined && { host: env["HOST"] }),
    log: (level, event, fields) => void lines.push(JSON.stringify({ level, event, ...fields })),
  });
  return { running, url: running.url, logged: () => lines.join("\n") };
}

async function started(place: Workspace, env: Variables = {}) {
  const opened = await open(place, env);
  onTestFinished(() => opened.running.close());
  return opened;
}
