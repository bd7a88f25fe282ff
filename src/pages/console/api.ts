import type { Conflict } from "../../api/console.ts";
import { FailedCall, type RefusalFacts } from "../shared/failed-call.ts";

/** Ends with the latest write. */
let written: Promise<unknown> = Promise.resolve();

/**
 * Calls the API beside this page. Page and API come from one release, so they agree on its shape.
 * Writes are sent one after the other, and reads wait for earlier writes.
 */
export function ask<T>(
  token: string,
  path: string,
  json?: unknown,
  method = json === undefined ? "GET" : "POST",
): Promise<T> {
  const answer = written.then(() => askNow<T>(token, path, json, method));
  if (method === "PUT" || method === "DELETE") written = answer.catch(() => undefined);
  return answer;
}

async function askNow<T>(token: string, path: string, json: unknown, method: string): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${findRoot()}/api/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { "content-type": "application/json" }),
      },
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(30_000),
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
  } catch (error) {
    throw new FailedCall(0, String(error));
  }
  noteNode(response.headers);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const body = (await response.json().catch(() => null)) as T & Refusal;
  if (response.ok) return body;
  const error = body?.errors?.[0];
  const { reason, params } = error ?? {};
  const message = error?.message ?? String(response.status);
  throw new FailedCall(response.status, message, { ...body, reason, params });
}

interface NodeSnapshot {
  readonly snapshot: string;
  /** Milliseconds of the page's clock. */
  readonly at: number;
}

const nodes = new Map<string, NodeSnapshot>();
let changed = 0;

/** Notes which node has answered, and its snapshot in force. */
function noteNode(headers: Headers): void {
  const node = headers.get("x-afterword-node");
  const snapshot = headers.get("x-afterword-snapshot");
  if (node === null || snapshot === null) return;
  const before = nodes.get(node);
  const at = performance.now();
  if (before !== undefined && before.snapshot !== snapshot) changed = at;
  nodes.set(node, { snapshot, at });
}

/**
 * Finds the snapshots in force on the nodes, if they differ; empty if no difference was seen. Nodes
 * that share files need a moment to load them.
 */
export function findDifferingSnapshots(): readonly string[] {
  const since = Math.max(changed + patience, performance.now() - 60_000);
  const late = [...nodes.values()].filter(({ at }) => at > since);
  const found = [...new Set(late.map(({ snapshot }) => snapshot))];
  return found.length > 1 ? found : [];
}

/** In milliseconds. */
export const patience = 3000;

/** The files that others have changed; none if something else was wrong. */
export function conflictsOf(error: unknown): readonly Conflict[] {
  return error instanceof FailedCall ? error.conflicts : [];
}

interface Refusal extends Omit<RefusalFacts, "reason" | "params"> {
  readonly errors?: readonly (Pick<RefusalFacts, "reason" | "params"> & {
    readonly message: string;
  })[];
}

/** The address that the console stands below. */
function findRoot(): string {
  return location.pathname.replace(/\/console\/?$/, "");
}

/** The address that clients of this gateway call. */
export function findOrigin(): string {
  return location.origin + findRoot().replace(/\/_afterword$/, "");
}

/**
 * Takes the token from the address, where it is removed at once, or the token from before a reload.
 * It is kept only in this tab.
 */
export function takeToken(): string | null {
  const brought = location.hash.slice(1);
  if (brought === "" || brought.startsWith("/")) return sessionStorage.getItem("console-token");
  history.replaceState(null, "", location.pathname);
  keepToken(decodeURIComponent(brought));
  return decodeURIComponent(brought);
}

export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem("console-token");
  else sessionStorage.setItem("console-token", token);
}

/** A conversation with the bot, as src/pages/chat/client.js makes it. */
export interface BotConversation {
  /** The chat page's. */
  readonly texts: Readonly<Record<string, string>>;
  /** @param who the reader, field by field */
  say(
    message: SentMessage,
    who: object,
  ): Promise<{ readonly body: string; readonly choices: Choices }>;
  restart(): void;
}

/** A message, or the option that was clicked. */
export interface SentMessage {
  readonly message?: string;
  readonly option?: string | number;
}
export type Choices = readonly { readonly label: string; readonly body: SentMessage }[];

/** Loaded with the first message, from the chat page. Null if there is no key to talk with. */
export async function loadTalk(language: string): Promise<BotConversation | null> {
  const address = `${findRoot().replace(/_afterword$/, "")}?file=client.js`;
  const part: { createTalk(language: string): Promise<BotConversation | null> } = await import(
    address
  );
  return part.createTalk(language);
}

/** Reads variables, each typed as a line `name=value`. */
export function readVariables(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split("\n").flatMap((line): [string, string][] => {
      const [name = "", ...value] = line.split("=");
      return name.trim() === "" || value.length === 0
        ? []
        : [[name.trim(), value.join("=").trim()]];
    }),
  );
}
