import { sha256, toBase64 } from "../../bytes.ts";
import { Hono } from "hono";
import type { Operation } from "../../api/operation.ts";
import type { ServiceName } from "../../api/routes.ts";
import { DOCUMENTED, type DocumentedProduct } from "./products.ts";
import { html, raw } from "hono/html";
import { operationPart } from "./operation-part.ts";
import { prose, type Markup } from "./prose.ts";
import { openApi } from "../../api/openapi.ts";

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
  const digest = toBase64(await sha256(STYLE));
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

/** These products' page. `json` is the OpenAPI document's address, relative to the page. */
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

/** What holds of every operation. Backticks stand around what is written so on the wire. */
const RULES: readonly string[] = [
  "Paths are those of this backend's own address. A client that is told addresses by `apis` puts the path after the product's name behind the address: `/v1/…`.",
  "The version is `v1`, in small letters. Another version is answered 404. So is none, but for the chatbot and for the chat's media, settings and surveys.",
  "A path is the same with a slash at its end.",
  "Bodies are JSON. The same fields are accepted as a form, with nesting in brackets. A body has at most 10 MB.",
  "Booleans are `true` and `false`; `1`, `0` and the same as text are accepted, as are numbers as text.",
  "Any member that is not listed has no effect in a request, and may come in a later answer.",
];

/** The OpenAPI 3.1 document of these products. */
function describeProducts(
  products: readonly DocumentedProduct[],
  version: string,
): Readonly<Record<string, unknown>> {
  const operations = products.flatMap((product) => product.operations);
  return {
    ...openApi(operations, {
      title: "Afterword's backend",
      version,
      description: RULES.map((rule) => `- ${rule}`).join("\n"),
    }),
    servers: [{ url: "/" }],
    tags: products.map(({ key, about }) => ({ name: key, description: about })),
  };
}

/** The page's only style sheet, inside the page: the policy of the page allows nothing else. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #57606a; --ground: #ffffff; --pane: #f4f6f8; --line: #d0d7de; --link: #0a58ca; --method: #0b6b3a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --dim: #a3adb8; --ground: #14171a; --pane: #1e2227; --line: #3a424b; --link: #7cb0ff; --method: #7ad8a3; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 1rem/1.5 system-ui, sans-serif; }
header, main, nav { max-width: 68rem; margin: 0 auto; padding: 1rem; }
h1 { margin: 0; font-size: 1.7rem; }
h2 { margin: 3rem 0 0.5rem; padding-top: 1rem; border-top: 2px solid var(--line); font-size: 1.4rem; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
h4 { margin: 1rem 0 0.3rem; font-size: 0.9rem; color: var(--dim); }
p, ul { margin: 0.4rem 0; max-width: 46rem; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code { font: 0.9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
article { margin: 1rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--pane); }
article:target { border-color: var(--link); }
.method { display: inline-block; min-width: 4.5rem; color: var(--method); }
.dim { color: var(--dim); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.3rem 0.6rem; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--dim); font-weight: 600; }
tbody th { font-weight: 400; }
summary { cursor: pointer; min-height: 1.5rem; }
nav ul { columns: 18rem; padding-inline-start: 1.2rem; }
`;
