import { dirname, join, resolve } from "node:path";
import { html } from "hono/html";
import {
  createConsole,
  toPageRequest,
  refusesMethod,
  sendPage,
  sendResponse,
} from "../../../gateway/console/console.ts";
import { refuseWith, answerValue } from "../../../gateway/console/answer.ts";
import type { ContentImportRequest, ExportRequest } from "../../../gateway/console/files.ts";
import type { Grant } from "../../../api/console-session.ts";
import type { Environment } from "../../../yaml/source.ts";
import { type LabelledToken, mayRead } from "../../../gateway/exchange/admin.ts";
import type { OpenBackend } from "../../../backend/node.ts";
import type { Console, Core } from "../../../gateway/core.ts";
import type { GatewayRequest } from "../../../gateway/exchange/request.ts";
import type { Exchange } from "../../../gateway/exchange/exchange.ts";
import { findPublicRoot } from "../../../gateway/upstream/public-address.ts";
import {
  CONSOLE_LINKS,
  LINKS,
  answerNotFound,
  type AppInfo,
  START,
} from "../../../gateway/own-routes.ts";
import type { ReloadState } from "../reload/reload-record.ts";
import type { ReloadSource } from "../reload/reload.ts";
import { createReference, type Reference } from "../../../backend/docs/routes.ts";
import { loadReferenceParts, loadServedPage, readPart } from "../../../backend/pages/load-page.ts";
import type { PageName } from "../../../pages/header.ts";
import { servePage } from "../../../pages/served-page.ts";
import { findFreeId } from "./content-drafts.ts";
import { createContentFiles, openContents } from "./content-files.ts";
import { createContentImport } from "./content-import.ts";
import { createFileEditing } from "./editing.ts";
import type { ReloadFiles } from "./publications.ts";
import { type ConsoleDatabase, CONSOLE_FILE, openConsoleDatabase } from "./store.ts";
import { createTextReader } from "./text-files.ts";
import { createTranslations } from "./translations.ts";

export interface OpenConsole extends Console {
  start(request: GatewayRequest): Promise<void>;
  close(): Promise<void>;
}

export interface OpenConsoleParts {
  readonly core: Core;
  readonly info: AppInfo;
  readonly tokens: () => readonly LabelledToken[];
  readonly env: Environment;
  /** The file that the configuration came from; null if it is unknown. */
  readonly source: {
    readonly files: ReloadSource;
    /**
     * Has the files read again, or waits for the process that does; null if no process follows
     * them.
     */
    readonly look: () => Promise<ReloadState | null>;
  } | null;
  /** The contents of the backend in this process; null if there is none. */
  readonly backend: OpenBackend["contents"] | null;
  /** Sends a request through the gateway, as a client would. */
  readonly send: (request: Request) => Promise<Response>;
  /** The directory of the process's files. */
  readonly data: string;
}

/** The console on Node, which reads and writes the files that the gateway watches. */
export function openConsole(parts: OpenConsoleParts): OpenConsole {
  const { core, info, tokens, env, source, data, send, backend } = parts;
  const opened = source === null ? null : openFiles(source, { core, env, data, backend });
  const page = servePage("console", () => loadServedPage("console"));
  const referenceFor = createReferences(info.version);
  const startPage = servePage("start", async () => ({
    html: await readPart("docs/start.html"),
    parts: await loadReferenceParts(),
  }));
  const hasConsole = (): boolean => core.admin.token !== null || tokens().length > 0;
  const pages = (exchange: Exchange): readonly PageName[] => {
    if (core.snapshot().config.upstream.auth.startsWith("embedded:")) {
      return ["chat", "console", "desk", "docs"];
    }
    const start = mayRead(core.admin, exchange) ? (["start"] as const) : [];
    return [...start, ...(hasConsole() ? (["console"] as const) : []), "docs"];
  };
  const files = opened?.files ?? null;
  const made = createConsole({ core, info, tokens, files, send, page, pages });
  return {
    answer: (request, name) => made.answer(request, name),
    note: async (action, details) => files?.editing.note(action, details),
    async docs({ exchange, target, snapshot: { config } }) {
      const reference = referenceFor(config.upstream.keyHeader);
      const path = target.kind === "home" ? target.rest.replace(/\?.*$/s, "") : "";
      const [version, ...part] = path.split("/").slice(2);
      if (version === "openapi.json" && part.length === 0) {
        if (!refusesMethod(exchange)) await sendResponse(exchange, reference.document());
        return;
      }
      const root = findPublicRoot(config, exchange, "");
      const name = part.join("/");
      const sent = await sendPage(exchange, reference.page, pages, version || null, name, root);
      if (!sent) answerNotFound(exchange);
    },
    async start({ exchange, snapshot: { config } }) {
      const { state, failure } = core.upstreamState.read();
      const main = html`<h1>Afterword</h1>
        <p>${START}</p>
        <dl>
          <dt>Version</dt>
          <dd>${info.version}</dd>
          <dt>Texts and settings</dt>
          <dd>${config.hash.slice(0, 12)}</dd>
          <dt>Upstream</dt>
          <dd>${failure === null ? state : `${state} (${failure})`}</dd>
          <dt>Instances</dt>
          <dd>${config.instances.map(({ name }) => name).join(", ")}</dd>
        </dl>
        <ul>
          ${[...(hasConsole() ? CONSOLE_LINKS : []), ...LINKS].map(
            // Relative, so that they work behind any path prefix that ends with a slash.
            ([path, about]) => html`<li><a href="${path.slice(1)}">${path}</a> ${about}</li>`,
          )}
        </ul>`;
      const shown = { pages: pages(exchange), main: String(await main) };
      await sendResponse(exchange, await startPage.page(toPageRequest(exchange), shown));
    },
    close: async () => opened?.close(),
  };
}

/** The reference for clients that send the API key in this header; made anew when it changes. */
function createReferences(version: string): (keyHeader: string) => Reference {
  let made: { readonly keyHeader: string; readonly reference: Reference } | null = null;
  return (keyHeader) => {
    if (made?.keyHeader !== keyHeader) {
      const options = { version, vendor: { keyHeader }, parts: loadReferenceParts };
      made = { keyHeader, reference: createReference(options) };
    }
    return made.reference;
  };
}

function openFiles(
  { files: { file, ...options }, look }: NonNullable<OpenConsoleParts["source"]>,
  { core, env, data, backend }: Pick<OpenConsoleParts, "core" | "env" | "data" | "backend">,
) {
  const path = resolve(file);
  const config = () => core.snapshot().config;
  const contents =
    backend === null
      ? null
      : openContents({ folder: dirname(path), env, stored: backend.stored, config });
  const reloadTexts = createReloadFiles(look, () => config().hash);
  const reader = createTextReader(path, { ...options, env });
  const translations = createTranslations(path, { ...options, env });
  let database: Promise<ConsoleDatabase> | null = null;
  const openDatabase = (): Promise<ConsoleDatabase> => {
    // A database that failed may work again by now.
    database ??= openConsoleDatabase(join(data, CONSOLE_FILE)).catch((error: unknown) => {
      database = null;
      throw error;
    });
    return database;
  };
  const editing = createFileEditing({
    folder: dirname(path),
    reader,
    translations,
    contents,
    database: openDatabase,
    async reloadFiles(expected, hash) {
      const taken = await reloadTexts(expected);
      if (taken.snapshot === null || hash === undefined || backend === null) return taken;
      const why = await backend.bringIn(hash);
      return why === null ? taken : { snapshot: null, why };
    },
    now: () => core.platform.now(),
  });
  const contentImport = createContentImport(path, config, {
    findFreeId: async (least) => findFreeId(await openDatabase(), least),
    publish: (grant, written) => editing.publishImport(grant, written),
  });
  return {
    files: {
      read: () => reader.read(),
      everyText: true,
      importContents: (grant: Grant, request: ContentImportRequest) =>
        contentImport.run(grant, request),
      editing,
      contents: contents === null ? null : createContentFiles(contents, editing),
      async exportTexts(request: ExportRequest) {
        const made = await translations.exportTexts(request);
        if (made.kind !== "exported")
          return refuseWith(422, made.kind === "refused" ? made.why : "");
        return answerValue({ text: made.text });
      },
    },
    async close() {
      await (await database?.catch(() => null))?.close();
    },
  };
}

/**
 * Has files read until their result is in force. Any other result is a failure, because the
 * publication is not in use.
 *
 * @param inForce the hash of the configuration in force
 */
export function createReloadFiles(
  look: () => Promise<ReloadState | null>,
  inForce: () => string,
  { refused, unread }: ReloadPatience = { refused: 5000, unread: 20_000 },
): ReloadFiles {
  return async (expected) => {
    const before = inForce();
    const began = performance.now();
    const isDone = (state: ReloadState | null): boolean =>
      state?.state === "ok" && (expected === null || state.snapshot === expected);
    let read = await look();
    // New and removed files are polled twice, and other files may be changing.
    while (!isDone(read)) {
      const isUnread = read?.state === "ok" && read.snapshot === before;
      if (performance.now() - began > (isUnread ? unread : refused)) break;
      read = await look();
    }
    if (read !== null && isDone(read)) return { snapshot: read.snapshot };
    if (read?.state === "ok") return { snapshot: null, why: "other files have changed meanwhile" };
    const [first] = read?.diagnostics ?? [];
    const why = first === undefined ? "the log says why" : `${first.file}:${first.line}`;
    return { snapshot: null, why: `${why}${first?.message ? `: ${first.message}` : ""}` };
  };
}

/** How long to wait, in milliseconds. */
export interface ReloadPatience {
  /** When the files have been read, but are not in force or not as expected. */
  readonly refused: number;
  /** When they have not been read yet. */
  readonly unread: number;
}
