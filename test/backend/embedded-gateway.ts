import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { loadConfig } from "../../src/runtime/node/index.ts";
import { serve } from "../../src/runtime/node/serve.ts";

/** A gateway over real sockets with the backend in its process. */
export interface EmbeddedGateway {
  readonly url: string;
  readonly databaseFile: string;
  /** Events of the log, in order. */
  readonly events: readonly string[];
  /** An access token of {@link embeddedKeys}, or with `demo` of the demo credentials. */
  login(): Promise<string>;
  metrics(): Promise<string>;
  close(): Promise<void>;
}

/** Credentials that work behind a proxy too, which the demo ones do not. */
export const embeddedKeys = {
  apiKey: "embedded-key",
  secret: "embedded-secret",
  domainKey: "embedded-domain-key",
  origin: "https://www.example.com",
};

export async function embeddedGateway({
  top = "",
  backend = "",
  demo = false,
  env: further = {},
  tokenKeys = null,
}: {
  /** Further YAML at the top level, and members of `backend`. */
  readonly top?: string;
  readonly backend?: string;
  /** True to use the demo credentials instead of {@link embeddedKeys}. */
  readonly demo?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** The contents of the file with the keys that sign access tokens; null for a generated one. */
  readonly tokenKeys?: string | null;
} = {}): Promise<EmbeddedGateway> {
  const directory = await mkdtemp(join(tmpdir(), "afterword-embedded-"));
  const file = join(directory, "afterword.yaml");
  // By a path of its own: behind a proxy, the demo shop's own folder is refused.
  await symlink(join(findPackageRoot(), "config/backend"), join(directory, "backend"));
  await writeFile(
    file,
    `version: 1
upstream: embedded
data: ./data
backend: { content: ./backend, database: ./backend.db${backend === "" ? "" : `, ${backend}`} }
instances: [{ name: shop, match: {}, created: 2018-06-01 }]
${top}
`,
  );
  if (!demo) {
    const { apiKey, secret, domainKey, origin } = embeddedKeys;
    const entry = {
      apiKey,
      secret,
      project: "shop",
      domainKeys: [{ key: domainKey, domains: [origin] }],
    };
    await mkdir(join(directory, "data"));
    await writeFile(
      join(directory, "data", "demo-credentials.json"),
      `${JSON.stringify([entry])}\n`,
    );
  }
  if (tokenKeys !== null) {
    await mkdir(join(directory, "data"), { recursive: true });
    await writeFile(join(directory, "data", "token-key"), tokenKeys);
  }
  const adminToken = "a-token-of-this-test";
  const env = {
    AFTERWORD_ADMIN_TOKEN: adminToken,
    ...further,
    ...(!demo && { AFTERWORD_DEMO_CREDENTIALS: "generate" }),
  };
  const config = await loadConfig(file, { env });
  const events: string[] = [];
  const running = await serve({
    config,
    port: 0,
    env,
    log: (_level, event) => void events.push(event),
  });
  return {
    url: running.url,
    events,
    databaseFile: join(directory, "backend.db"),
    async login() {
      const { apiKey, secret } = demo
        ? { apiKey: "demo-key", secret: "demo-secret" }
        : embeddedKeys;
      const answer = await fetch(`${running.url}/v1/auth`, {
        method: "POST",
        headers: { "x-inbenta-key": apiKey },
        body: JSON.stringify({ secret }),
      });
      const { accessToken } = (await answer.json()) as { accessToken: string };
      return accessToken;
    },
    async metrics() {
      const headers = { authorization: `Bearer ${adminToken}` };
      return (await fetch(`${running.url}/_afterword/metrics`, { headers })).text();
    },
    async close() {
      await running.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
