import { open } from "../client.ts";
import { embeddedKeys } from "../embedded-gateway.ts";
import type { ReachedBackend } from "./suites/public-keys.ts";

/** A backend over a database, with one API key that has a domain key. */
export async function publicBackend(database: string | null): Promise<ReachedBackend> {
  const { apiKey, secret, domainKey, origin } = embeddedKeys;
  const domainKeys = [{ key: domainKey, domains: [origin] }];
  const backend = await open({
    database,
    demo: false,
    credentials: [{ apiKey, secret, project: "shop", domainKeys }],
  });
  return {
    request: async (path, init) => backend.app.request(path, init),
    close: () => backend.close(),
  };
}
