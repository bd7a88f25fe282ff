import { Hono } from "hono";
import type { Operation } from "../../api/operation.ts";
import type { ServiceName } from "../../api/routes.ts";
import { describeProducts, RULES } from "./document.ts";
import { DOCUMENTED, type DocumentedProduct } from "./products.ts";
import { STYLE } from "./style.ts";
import { html, raw } from "hono/html";
import { operationPart } from "./operation-part.ts";
import { prose, type Markup } from "./prose.ts";

export interface DocsOptions {
  /** Of the running program. */
  readonly version: string;
  /** Those that are served; authentication always is. Default: every product. */
  readonly products?: readonly ServiceName[];
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

/**
 * The page about these products. `json` is the address of the OpenAPI document, relative to the
 * page.
 */
async function docsPage(
  products: readonly DocumentedProduct[],
  version: string,
  json: string,
): Promise<string> {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Interfaces of Afterword's backend</title>
        <link rel="icon" href="data:," />
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>Interfaces of Afterword's backend</h1>
          <p>
            Version ${version}. The same as an
            <a href="${json}" type="application/json">OpenAPI 3.1 document</a>.
          </p>
          <ul>
            ${RULES.map((rule) => html`<li>${prose(rule)}</li>`)}
          </ul>
        </header>
        <nav aria-label="Contents">${products.map(contentsPart)}</nav>
        <main>${products.map(productPart)}</main>
      </body>
    </html>`;
  return String(await page);
}

function contentsPart({ key, title, operations }: DocumentedProduct): Markup {
  return html`<p><a href="#${key}">${title}</a></p>
    <details>
      <summary>${operations.length} operations</summary>
      <ul>
        ${operations.map(contentsLine)}
      </ul>
    </details>`;
}

function contentsLine({ id, method, path }: Operation): Markup {
  return html`<li>
    <a href="#${id}"><code>${method} ${path}</code></a>
  </li>`;
}

function productPart({ key, title, about, operations }: DocumentedProduct): Markup {
  return html`<section aria-labelledby="${key}">
    <h2 id="${key}">${title}</h2>
    <p>${prose(about)}</p>
    <p class="dim">An error is ${prose(errorSamples[key])}.</p>
    ${operations.map(operationPart)}
  </section>`;
}

const listed = '`{"errors":[{"code":404,"message":"…"}]}`';
const both =
  '`{"errors":[{"code":404,"message":"…"}],"error":{"code":404,"message":"…"},"message":"…"}`';

const errorSamples: Readonly<Record<ServiceName, string>> = {
  auth: listed,
  chatbot: listed,
  knowledge: both,
  ticketing: both,
  chat: '`{"error":{"code":404,"message":"…"}}`',
};
