import { Hono } from "hono";
import type { WireProduct } from "../../api/operation.ts";
import { describeProducts } from "./document.ts";
import { docsPage } from "./page.ts";
import { DOCUMENTED } from "./products.ts";
import { STYLE } from "./style.ts";

export interface DocsOptions {
  /** Of the running program. */
  readonly version: string;
  /** Those that are served; authentication always is. Default: every product. */
  readonly products?: readonly WireProduct[];
}

/**
 * GET /docs, a page for people that needs no script, and GET /docs/openapi.json, the same for
 * programs, relative to where they are mounted. Both are the same for everybody, so nobody has to
 * log in.
 *
 * @example
 * app.route("/", docsRoutes({ version: "1.0.0", products: ["chatbot", "ticketing"] }));
 */
export function docsRoutes({ version, products }: DocsOptions): Hono {
  const documented = DOCUMENTED.filter(
    ({ key }) => key === "auth" || products === undefined || products.includes(key),
  );
  const json = once(() => JSON.stringify(describeProducts(documented, version)));
  const policy = once(() => contentPolicy());
  const pages = new Map<string, Promise<string>>();
  const routes = new Hono({ strict: false });

  routes.get("/docs", async (c) => {
    // Relative to what the browser asked for, so that the page works behind any path prefix.
    const address = new URL(c.req.url).pathname.endsWith("/")
      ? "openapi.json"
      : "docs/openapi.json";
    const page = pages.get(address) ?? docsPage(documented, version, address);
    pages.set(address, page);
    return new Response(await page, {
      headers: {
        ...always,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": await policy(),
      },
    });
  });
  routes.get("/docs/openapi.json", () => {
    const headers = { ...always, "content-type": "application/json" };
    return new Response(json(), { headers: { ...headers, "access-control-allow-origin": "*" } });
  });
  return routes;
}

const always = {
  "cache-control": "no-cache",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

async function contentPolicy(): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(STYLE));
  const digest = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return [
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
