import type { PolarLabels } from "../../locales/recognition.ts";
import { Hono } from "hono";
import { DEMO_CREDENTIALS, DEMO_DOMAIN_KEY, isFromElsewhere } from "../auth/credentials.ts";
import { headerOf, type PageName } from "../../pages/header.ts";
import { LANGUAGES } from "../../pages/shared/words.ts";
import { errorAnswer } from "../refusal.ts";

/** The chat page's files, as text; the last four it shares with other pages. */
export interface PageFiles {
  readonly "index.html": string;
  readonly "page.css": string;
  readonly "page.js": string;
  readonly "client.js": string;
  readonly "safe.js": string;
  readonly "stream.js": string;
  readonly "parts.js": string;
  readonly "why.js": string;
  readonly "tokens.css": string;
  readonly "base.css": string;
  readonly "header.html": string;
  readonly "scheme.js": string;
}

export interface PageOptions {
  readonly files: PageFiles;
  /** True while the well-known demo credentials are accepted. */
  readonly demo: boolean;
  /** Languages the engine has texts in, lower case. */
  readonly languages: readonly string[];
  /** The labels of the buttons for options whose keys are just yes and no. */
  readonly polarLabels: PolarLabels;
  /** What the page says, as `words-<tag>.json`; read when the page is first opened. */
  readonly words: () => Promise<ReadonlyMap<string, string>>;
  /** Pages that are served beside it. */
  readonly pages: () => readonly PageName[];
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The chat page at GET /, and its parts at `/?file=<name>`: a gateway passes on only this one path,
 * with its query, and the page works under any path prefix. `?file=config.json` says what the page
 * needs to know; it holds the demo keys while they are accepted from where the request came, and
 * never a secret.
 */
export function pageRoutes(options: PageOptions): Hono {
  const { files, demo, languages, polarLabels, words, pages } = options;
  let reading: Promise<ReadonlyMap<string, string>> | null = null;
  const contents: ReadonlyMap<string, string> = new Map(Object.entries(files));
  const routes = new Hono({ strict: false });
  routes.get("/", async (c) => {
    const name = c.req.query("file") ?? "index.html";
    if (name === "config.json") {
      const usable = demo && !isFromElsewhere(c.req.raw.headers);
      return answer(JSON.stringify(pageConfig(usable, languages, polarLabels)), "application/json");
    }
    const isPage = name === "index.html";
    if (isPage || name.startsWith("words-")) {
      reading ??= words().catch((error: unknown) => {
        reading = null;
        throw error;
      });
    }
    const said = await reading;
    if (isPage) {
      const parts = new Map([...(said ?? []), ["shared/header.html", files["header.html"]]]);
      const header = headerOf({ page: "chat", pages: pages(), root: "./", parts });
      return answer(
        files["index.html"].replace("{{header}}", () => header),
        types["html"],
      );
    }
    const content = contents.get(name) ?? said?.get(name);
    const type = types[name.split(".").at(-1) ?? ""];
    return content === undefined || type === undefined
      ? errorAnswer(c.req.path, 404, "There is nothing here.")
      : answer(content, type);
  });
  return routes;
}

function pageConfig(demo: boolean, languages: readonly string[], polarLabels: PolarLabels): object {
  return {
    words: LANGUAGES,
    languages: [...new Set([...shown, ...languages])],
    polar: polarLabels,
    demo: demo
      ? DEMO_CREDENTIALS.map(({ apiKey, project }) => ({
          apiKey,
          domainKey: DEMO_DOMAIN_KEY,
          project,
        }))
      : [],
  };
}

// The order of the language switch. The engine may know fewer: then it speaks English, and the
// reader's words show the rest.
const shown =
  "en fr es de ja ar ca cs da el es-419 eu fi fr-CA gl he hu id it ko nl no pl pt pt-BR ro ru sv th tr uk vi zh zh-Hant".split(
    " ",
  );

function answer(body: string, type = ""): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "cache-control": "no-store",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}
