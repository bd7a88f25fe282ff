import { sha256, toBase64 } from "../../bytes.ts";
import { Hono } from "hono";
import type { Operation } from "../../api/operation.ts";
import type { ServiceName } from "../../api/routes.ts";
import { DOCUMENTED, type DocumentedProduct } from "./products.ts";
import { html, raw } from "hono/html";
import { operationPart } from "./operation-part.ts";
import { prose, type Markup } from "./prose.ts";
import { openApi } from "../../api/openapi.ts";
import { pageAnswer } from "../../pages/served-page.ts";

export interface DocsOptions {
  /** Of the running program. */
  readonly version: string;
  /** Those that are served; authentication always is. Default: every product. */
  readonly products?: readonly ServiceName[];
  /** True: a vendor's server answers, through the gateway. Default: this backend does. */
  readonly vendor?: boolean;
}

/**
 * GET /docs, a page for people that needs no script, and GET /docs/openapi.json, the same for
 * programs, relative to where they are mounted. Both are the same for everybody, so nobody has to
 * log in.
 *
 * @example
 * app.route("/", docsRoutes({ version: "1.0.0", products: ["chatbot", "ticketing"] }));
 */
export function docsRoutes({ version, products, vendor = false }: DocsOptions): Hono {
  const documented = DOCUMENTED.filter(
    ({ key }) => key === "auth" || products === undefined || products.includes(key),
  );
  const title = vendor ? "Interfaces behind Afterword" : "Interfaces of Afterword's backend";
  const rules = vendor ? [VENDOR_RULE, ...RULES] : RULES;
  const about = { title, version, rules };
  const json = once(() => JSON.stringify(describeProducts(documented, about)));
  const policy = once(() => contentPolicy());
  const pages = new Map<string, Promise<string>>();
  const routes = new Hono({ strict: false });

  routes.get("/docs", async (c) => {
    // Relative to what the browser asked for, so that the page works behind any path prefix.
    const address = new URL(c.req.url).pathname.endsWith("/")
      ? "openapi.json"
      : "docs/openapi.json";
    const page = pages.get(address) ?? docsPage(documented, about, address);
    pages.set(address, page);
    const request = {
      acceptEncoding: c.req.header("accept-encoding"),
      ifNoneMatch: c.req.header("if-none-match"),
    };
    return pageAnswer(request, await page, "text/html; charset=utf-8", {
      "cache-control": "no-cache",
      "content-security-policy": await policy(),
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
  return [
    "default-src 'none'",
    `script-src 'sha256-${await digestOf(SCRIPT)}'`,
    `style-src 'sha256-${await digestOf(STYLE)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function digestOf(text: string): Promise<string> {
  return toBase64(await sha256(text));
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

interface About {
  readonly title: string;
  readonly version: string;
  readonly rules: readonly string[];
}

/** These products' page. `json` is the OpenAPI document's address, relative to the page. */
async function docsPage(
  products: readonly DocumentedProduct[],
  { title, version, rules }: About,
  json: string,
): Promise<string> {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>${title}</h1>
          <p>
            Version ${version}. The same as an
            <a href="${json}" type="application/json">OpenAPI 3.1 document</a>.
          </p>
          <ul>
            ${rules.map((rule) => html`<li>${prose(rule)}</li>`)}
          </ul>
          <p>The curl lines take their values from the shell. The demo backend's are:</p>
          <pre tabindex="0" role="region" aria-label="Shell"><code id="shell">${SHELL}</code></pre>
        </header>
        <nav aria-label="Contents">
          <p id="find" role="search" hidden>
            <label>Search <input type="search" autocomplete="off" spellcheck="false" /></label>
            <span role="status" class="dim"></span>
          </p>
          ${products.map(contentsPart)}
        </nav>
        <main>${products.map(productPart)}</main>
        ${raw(`<script>${SCRIPT}</script>`)}
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
  "Paths are those of this server's own address. A client that is told addresses by `apis` puts the path after the product's name behind the address: `/v1/…`.",
  "The version is `v1`, in small letters. Another version is answered 404. So is none, but for the chatbot and for the chat's media, settings and surveys.",
  "A path is the same with a slash at its end.",
  "Bodies are JSON. The same fields are accepted as a form, with nesting in brackets. A body has at most 10 MB.",
  "Booleans are `true` and `false`; `1`, `0` and the same as text are accepted, as are numbers as text.",
  "Any member that is not listed has no effect in a request, and may come in a later answer.",
];

const VENDOR_RULE =
  "The vendor's server answers, and Afterword passes it on: this page tells what clients of the interface can rely on, the vendor's own reference tells the rest.";

/** What the curl lines take from the shell; the page's script knows its own address better. */
const SHELL = `BASE=http://127.0.0.1:8787
KEY=demo-key
TOKEN=$(curl -s "$BASE/v1/auth" -H "x-vendor-key: $KEY" -d secret=demo-secret | sed 's/.*"accessToken":"\\([^"]*\\).*/\\1/')`;

/** The OpenAPI 3.1 document of these products. */
function describeProducts(
  products: readonly DocumentedProduct[],
  { title, version, rules }: About,
): Readonly<Record<string, unknown>> {
  const operations = products.flatMap((product) => product.operations);
  return {
    ...openApi(operations, {
      title,
      version,
      description: rules.map((rule) => `- ${rule}`).join("\n"),
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
@media (min-width: 70rem) {
  body { display: grid; grid-template-columns: 22rem minmax(0, 1fr); grid-template-areas: "nav head" "nav main"; }
  header { grid-area: head; margin: 0; }
  main { grid-area: main; margin: 0; }
  nav { grid-area: nav; position: sticky; top: 0; height: 100vh; width: 100%; overflow-y: auto; border-inline-end: 1px solid var(--line); }
}
[hidden] { display: none; }
input { font: inherit; width: 100%; padding: 0.3rem 0.6rem; color: inherit; background: var(--ground); border: 1px solid var(--dim); border-radius: 0.3rem; }
pre { overflow-x: auto; padding: 0.6rem; border: 1px solid var(--line); border-radius: 0.3rem; background: var(--ground); }
pre code { overflow-wrap: normal; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover, h3 a:focus-visible { text-decoration: underline; }
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

/** The search and the page's own address: without a script the page lacks no more than these. */
const SCRIPT = `
const find = document.querySelector("#find");
const input = find.querySelector("input");
const status = find.querySelector("[role=status]");
const articles = [...document.querySelectorAll("article")].map((part) => {
  const link = document.querySelector('nav a[href="#' + part.id + '"]').closest("li");
  return { part, link, text: part.textContent.toLowerCase() };
});
const groups = [...document.querySelectorAll("nav details, main section")];
find.hidden = false;
input.addEventListener("input", () => {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const { part, link, text } of articles) {
    const fits = words.every((word) => text.includes(word));
    part.hidden = link.hidden = !fits;
    if (fits) count += 1;
  }
  for (const group of groups) {
    group.hidden = !group.querySelector("article:not([hidden]), li:not([hidden])");
    if (group.localName === "details") group.open = words.length > 0;
  }
  status.textContent = words.length === 0 ? "" : count + (count === 1 ? " operation" : " operations");
});
const shell = document.querySelector("#shell");
const base = location.origin + location.pathname.replace(/\\/docs\\/?$/, "");
shell.textContent = shell.textContent.replace(/^BASE=.*/, "BASE=" + base);
`;
