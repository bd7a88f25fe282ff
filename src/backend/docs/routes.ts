import { Hono } from "hono";
import type { Operation } from "../../api/call/operation.ts";
import type { ServiceName } from "../../api/call/routes.ts";
import { DOCUMENTED, type DocumentedProduct } from "./products.ts";
import { html, raw } from "hono/html";
import { type Markup, renderOperation, renderProse } from "./operation-part.ts";
import { COMPONENTS, describeOperation } from "../../api/describe-operation.ts";
import { createOpenApi } from "../../api/openapi.ts";
import type { PageName } from "../../pages/header.ts";
import { type ServedPage, servePage } from "../../pages/served-page.ts";
import { DEMO_CHAT } from "../chat/demo.ts";
import { requestOf } from "../pages/desk-page.ts";
import { createErrorAnswer } from "../http/refusal.ts";

export interface DocsOptions {
  /** The version of the running program. */
  readonly version: string;
  /** The products that are documented; authentication always is. Default: every product. */
  readonly products?: readonly ServiceName[];
  /** The vendor whose server answers, through the gateway. Default: this backend answers. */
  readonly vendor?: { readonly keyHeader: string };
  /** The demo's domain key, with which the page can send the calls that it shows. */
  readonly demo?: string;
  /** Reads the page's style and script when it is first opened. Default: it has none. */
  readonly parts?: (() => Promise<ReadonlyMap<string, string>>) | undefined;
  /** The address where clients reach the server. Default: the address of the request. */
  readonly base?: (() => string) | undefined;
  /** Pages that are served beside it. Default: none is known. */
  readonly pages?: () => readonly PageName[];
}

/** GET /docs: a page that needs no script, and the same reference as an OpenAPI document. */
export interface Reference {
  readonly page: ServedPage;
  /** GET /docs/openapi.json. */
  document(): Response;
}

/** Creates the reference. It is public, and the same for everybody. */
export function createReference(options: Omit<DocsOptions, "base" | "pages">): Reference {
  const { version, products, vendor, demo = "", parts = async () => new Map() } = options;
  const documented = DOCUMENTED.filter(
    ({ key }) => key === "auth" || products === undefined || products.includes(key),
  );
  const about: About = {
    title: vendor ? "Interfaces behind Afterword" : "Interfaces of Afterword's backend",
    version,
    rules: vendor ? [VENDOR_RULE, ...RULES] : [...RULES, KEY_RULE],
    demo,
    recipe: vendor ? VENDOR_RECIPE : demo === "" ? OWN_RECIPE : DEMO_RECIPE,
  };
  // The configuration chooses the name of this one header.
  const nameHeader = (text: string): string =>
    vendor ? text.replaceAll("x-vendor-key", vendor.keyHeader) : text;
  let json = "";
  return {
    page: servePage("docs", async () => {
      const found = await parts();
      return {
        html: nameHeader(await renderDocsPage(documented, about, found.size > 0)),
        parts: found,
      };
    }),
    document() {
      json ||= nameHeader(JSON.stringify(describeProducts(documented, about)));
      const headers = { ...commonHeaders, "content-type": "application/json" };
      return new Response(json, { headers: { ...headers, "access-control-allow-origin": "*" } });
    },
  };
}

/**
 * The {@link Reference}, relative to where it is mounted.
 *
 * @example
 * app.route("/", createDocsRoutes({ version: "1.0.0", products: ["chatbot", "ticketing"] }));
 */
export function createDocsRoutes({ pages = () => [], base, ...options }: DocsOptions): Hono {
  const reference = createReference(options);
  const { page } = reference;
  const routes = new Hono({ strict: false });
  routes.get("/docs", (c) => {
    const { origin, pathname } = new URL(c.req.url);
    // Through a gateway only the page's script knows the address that the reader has.
    const main = base?.() ?? origin + pathname.replace(/\/docs\/?$/, "");
    return page.page(requestOf(c), { pages: pages(), main });
  });
  routes.get("/docs/openapi.json", () => reference.document());
  routes.get("/docs/:version/:name{.+}", async (c) => {
    const { version, name } = c.req.param();
    const part = await page.part(version, name, requestOf(c));
    return part ?? createErrorAnswer(c.req.path, 404, "There is nothing here.");
  });
  return routes;
}

const commonHeaders = {
  "cache-control": "no-cache",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

interface About {
  readonly title: string;
  readonly version: string;
  readonly rules: readonly string[];
  readonly demo: string;
  readonly recipe: Recipe;
}

/** The values of the curl lines. */
interface Recipe {
  readonly about: string;
  /** The command that the shell runs after the address is set. */
  readonly shell: string;
}

/** Renders the page of these products. */
async function renderDocsPage(
  products: readonly DocumentedProduct[],
  { title, version, rules, demo, recipe }: About,
  styled: boolean,
): Promise<string> {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${styled ? raw(HEAD) : ""} ${styled && demo !== "" ? raw(TRY) : ""}
      </head>
      <body>
        ${styled ? "{{header}}" : ""}
        <div class="reference">
          <section class="about" aria-labelledby="title">
            <h1 id="title">${title}</h1>
            <p>
              Version ${version}. The same as an
              <a href="{{folder}}openapi.json" type="application/json">OpenAPI 3.1 document</a>.
            </p>
            <ul>
              ${rules.map((rule) => html`<li>${renderProse(rule)}</li>`)}
            </ul>
            <p>The curl lines take their values from the shell. ${renderProse(recipe.about)}</p>
            <pre
              tabindex="0"
              role="region"
              aria-label="Shell"
            ><code id="shell">${`BASE={{main}}\n${recipe.shell}`}</code></pre>
            ${demo === "" ? "" : html`<p>${TRYING}</p>`}
          </section>
          <nav class="contents" aria-label="Contents">
            <p id="find" role="search" hidden>
              <label>Search <input type="search" autocomplete="off" spellcheck="false" /></label>
              <span role="status" class="dim"></span>
            </p>
            ${products.map(renderContents)}
          </nav>
          <main data-demo="${demo}">${products.map(renderProduct)}</main>
        </div>
      </body>
    </html>`;
  return String(await page);
}

const HEAD = `<script src="{{base}}/shared/scheme.js"></script>
    <link rel="stylesheet" href="{{base}}/shared/tokens.css" />
    <link rel="stylesheet" href="{{base}}/shared/base.css" />
    <link rel="stylesheet" href="{{base}}/docs.css" />
    <script type="module" src="{{base}}/docs.js"></script>`;

const TRYING =
  "“Try it” sends a call from this page. Calls that need a server's secret have no “Try it”: run the curl line in a shell.";

const TRY = `<script type="module" src="{{base}}/try.js"></script>`;

function renderContents({ key, title, operations }: DocumentedProduct): Markup {
  return html`<p><a href="#${key}">${title}</a></p>
    <details>
      <summary>${operations.length} operations</summary>
      <ul>
        ${operations.map(renderContentsLine)}
      </ul>
    </details>`;
}

function renderContentsLine({ id, method, path }: Operation): Markup {
  return html`<li>
    <a href="#${id}"><code>${method} ${path}</code></a>
  </li>`;
}

function renderProduct({ key, title, about, operations }: DocumentedProduct): Markup {
  return html`<section aria-labelledby="${key}">
    <h2 id="${key}">${title}</h2>
    <p>${renderProse(about)}</p>
    <p class="dim">An error is ${renderProse(errorSamples[key])}.</p>
    ${operations.map(renderOperation)}
  </section>`;
}

const errorList = '`{"errors":[{"code":404,"message":"…"}]}`';
const errorListAndObject =
  '`{"errors":[{"code":404,"message":"…"}],"error":{"code":404,"message":"…"},"message":"…"}`';

const errorSamples: Readonly<Record<ServiceName, string>> = {
  auth: errorList,
  chatbot: errorList,
  knowledge: errorListAndObject,
  ticketing: errorListAndObject,
  chat: '`{"error":{"code":404,"message":"…"}}`',
};

/** The rules of every operation. Backticks mark what is written literally. */
const RULES: readonly string[] = [
  "Paths begin at this server's own address. A client that reads an address from `apis` appends the path after the product's name: `/v1/…`.",
  "The version is `v1`, in small letters. Any other version is answered with 404, as is a path without a version, except those of the chatbot and of the chat's media, settings and surveys.",
  "A slash at the end of a path makes no difference.",
  "Bodies are JSON. Forms with the same fields are accepted too, with nested fields in brackets: `history[messages][0][user]`. A body has at most 10 MB, that of a login 16 KiB.",
  "Booleans are `true` and `false`. `1`, `0` and all four as texts are accepted too, as are numbers as texts.",
  "Fields that are not listed have no effect in requests. Later versions may add fields to answers.",
];

const VENDOR_RULE =
  "The vendor's server answers, and Afterword passes its answers on. This page describes what clients of the interface can rely on. For everything else, see the vendor's own reference.";

const KEY_RULE = "The API key can be sent as `x-inbenta-key` or as `x-vendor-key`.";

interface Credentials {
  readonly key: string;
  readonly secret: string;
  readonly app: string;
  readonly appSecret: string;
  /** The token of an agent of the chat, or the command that prints one. */
  readonly agent: string;
}

/** Sets a variable for each credential, and asks the server for those that it issues. */
function shellOf({ key, secret, app, appSecret, agent }: Credentials): string {
  const keyed = '-H "x-vendor-key: $KEY"';
  const session = postOf(
    "/chatbot/v1/conversation",
    `${keyed} -H "Authorization: Bearer $TOKEN"`,
    "{}",
    "sessionToken",
  );
  return `KEY=${key}
TOKEN=${postOf("/v1/auth", keyed, `{"secret":"${secret}"}`, "accessToken")}
SESSION=${session}
APP=${app}
SECRET=${appSecret}
AGENT=${agent}`;
}

/** A command that sends a body, and prints one member of the answer. */
function postOf(path: string, headers: string, body: string, member: string): string {
  return `$(curl -s "$BASE${path}" ${headers} -H "Content-Type: application/json" -d '${body}' | sed 's/.*"${member}":"\\([^"]*\\).*/\\1/')`;
}

const DEMO_RECIPE: Recipe = {
  about: "The demo backend's are:",
  shell: shellOf({
    key: "demo-key",
    secret: "demo-secret",
    app: DEMO_CHAT.appId,
    appSecret: DEMO_CHAT.secret,
    agent: postOf(
      "/chat/v1/agents/login",
      '-H "x-hyper-appId: $APP"',
      JSON.stringify({ login: DEMO_CHAT.agent, password: DEMO_CHAT.password }),
      "token",
    ),
  }),
};

const YOUR_SHELL = shellOf({
  key: "YOUR_KEY",
  secret: "YOUR_SECRET",
  app: "YOUR_APP",
  appSecret: "YOUR_APPS_SECRET",
  agent: "TOKEN_OF_AN_AGENT",
});
const OWN_RECIPE: Recipe = {
  about:
    "Put in a key and its secret, as `afterword backend key add` showed them, and for the chat an app and its secret, as `afterword backend app add` did:",
  shell: YOUR_SHELL,
};
const VENDOR_RECIPE: Recipe = {
  about: "Put in the credentials that the vendor gave you:",
  shell: YOUR_SHELL,
};

/** Describes these products as an OpenAPI 3.1 document. */
function describeProducts(
  products: readonly DocumentedProduct[],
  { title, version, rules }: About,
): Readonly<Record<string, unknown>> {
  const operations = products.flatMap((product) => product.operations);
  return {
    ...createOpenApi(operations.map(describeOperation), {
      title,
      version,
      description: rules.map((rule) => `- ${rule}`).join("\n"),
      components: COMPONENTS,
      // The document is /docs/openapi.json, below the path of a proxy if there is one.
      server: "..",
    }),
    tags: products.map(({ key, about }) => ({ name: key, description: about })),
  };
}
