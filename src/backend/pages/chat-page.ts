import type { PolarLabels } from "../../locales/recognition.ts";
import { Hono } from "hono";
import { DEMO_CREDENTIALS, DEMO_DOMAIN_KEY, isFromElsewhere } from "../auth/credentials.ts";
import { headerOf, type PageName } from "../../pages/header.ts";
import { KEPT_FOR_GOOD, answerPage, versionOf } from "../../pages/served-page.ts";
import { LANGUAGES } from "../../pages/shared/words.ts";
import { createErrorAnswer } from "../http/refusal.ts";
import { requestOf } from "./desk-page.ts";

/** The chat page's files, as text; the last five it shares with other pages. */
export interface PageFiles {
  readonly "index.html": string;
  readonly "page.css": string;
  readonly "why.css": string;
  readonly "page.js": string;
  readonly "start.js": string;
  readonly "log.js": string;
  readonly "client.js": string;
  readonly "safe.js": string;
  readonly "stream.js": string;
  readonly "parts.js": string;
  readonly "why.js": string;
  readonly "copies.js": string;
  readonly "server-sent.js": string;
  readonly "tokens.css": string;
  readonly "base.css": string;
  readonly "header.html": string;
  readonly "scheme.js": string;
}

export interface ChatPageOptions {
  readonly files: PageFiles;
  /** True while the well-known demo credentials are accepted. */
  readonly demo: boolean;
  /** Languages the engine has texts in, lower case. */
  readonly languages: readonly string[];
  /** The labels of the buttons for options whose keys are just yes and no. */
  readonly polarLabels: PolarLabels;
  /** The words of the page, as `words-<tag>.json`; read when the page is first opened. */
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
 * The chat page at GET /, and its parts at `/?file=<version>/<name>`: a gateway passes on only this
 * one path, with its query, and the page works under any path prefix. Without the version, a part
 * is checked by its tag each time. `?file=config.json` has the page's settings: the demo keys if
 * they are accepted for this request, and never a secret.
 */
export function createPageRoutes(options: ChatPageOptions): Hono {
  const { demo, languages, polarLabels, pages } = options;
  let loading: Promise<Loaded> | null = null;
  const load = (): Promise<Loaded> => {
    loading ??= loadParts(options).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const routes = new Hono({ strict: false });
  routes.get("/", async (c) => {
    const [, version, name = ""] =
      /^(?:([0-9a-f]+)\/)?(.*)$/s.exec(c.req.query("file") ?? "index.html") ?? [];
    if (name === "config.json") {
      const usable = demo && !isFromElsewhere(c.req.raw.headers);
      const config = JSON.stringify(createPageConfig(usable, languages, polarLabels));
      const headers = {
        ...always,
        "cache-control": "no-store",
        "content-type": "application/json",
      };
      return new Response(config, { headers });
    }
    const { parts, version: current } = await load();
    const content = parts.get(name);
    const type = types[name.split(".").at(-1) ?? ""];
    if (content === undefined || type === undefined || (version ?? current) !== current) {
      return createErrorAnswer(c.req.path, 404, "There is nothing here.");
    }
    const isPage = name === "index.html";
    const header = isPage ? headerOf({ page: "chat", pages: pages(), root: "./", parts }) : "";
    return answerPage(
      requestOf(c),
      content.replace("{{header}}", () => header),
      type,
      {
        ...always,
        "cache-control": version === undefined ? "private, no-cache" : KEPT_FOR_GOOD,
      },
    );
  });
  return routes;
}

interface Loaded {
  readonly version: string;
  /** By name, the page among them; they name each other by the version. */
  readonly parts: ReadonlyMap<string, string>;
}

async function loadParts({ files, words }: ChatPageOptions): Promise<Loaded> {
  const { "header.html": header, ...own } = files;
  const read = new Map([
    ...Object.entries(own),
    ...(await words()),
    ["shared/header.html", header],
  ]);
  const version = await versionOf(read);
  const named = [...read].map(
    ([name, text]) => [name, text.replaceAll("?file=", `?file=${version}/`)] as const,
  );
  return { version, parts: new Map(named) };
}

function createPageConfig(
  demo: boolean,
  languages: readonly string[],
  polarLabels: PolarLabels,
): object {
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

const always = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
