import type { Grant, Role } from "../../api/console-session.ts";
import type { JsonSchema } from "../../api/openapi.ts";
import type { InstanceConfig } from "../../config/config.ts";
import { ENGINE_LINES } from "../../config/check/coverage.ts";
import { OWN_LINES } from "../../locales/own-lines.ts";
import { isObject } from "../../json/values.ts";
import type { Core } from "../core.ts";
import type { Snapshot } from "../exchange/request.ts";
import type { AppInfo } from "../own-routes.ts";
import { createSnapshot } from "../snapshot.ts";
import { maySee } from "./access.ts";
import { type ConsoleAnswer, refuseWith } from "./answer.ts";
import type { Send } from "./examine.ts";
import type { Findings, TextFiles } from "./files.ts";

/** The parts that an operation works with. */
export interface Call {
  readonly core: Core;
  readonly info: AppInfo;
  readonly snapshot: Snapshot;
  readonly grant: Grant;
  /** Null if the configuration did not come from files. */
  readonly files: TextFiles | null;
  /** Sends a request through this gateway, as a client would. */
  readonly send: Send;
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The members of a JSON body; empty where there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The fields by name: the description of a string, or the schema of another value. */
export type Fields = Readonly<Record<string, string | JsonSchema>>;

/** One row of the API: its route, and its description in the references. */
export interface ConsoleOperation {
  readonly method: "get" | "post" | "put" | "delete";
  /** Below /_afterword/api/; `{name}` is a segment. */
  readonly path: string;
  readonly needs: Role;
  readonly summary: string;
  readonly query?: Fields;
  readonly body?: Fields;
  readonly answer: (call: Call) => ConsoleAnswer | Promise<ConsoleAnswer>;
}

export const INSTANCE = {
  instance: "An instance's name. Default: the first instance that the token may see.",
};

/** The instance of that name, or the first; null where the token sees no such one. */
export function instanceOf({ snapshot, grant }: Call, name: string | null): InstanceConfig | null {
  const { instances } = snapshot.config;
  const seen = instances.filter((instance) => maySee(grant, instance.name));
  if (name === null || name === "") return seen[0] ?? null;
  return seen.find((instance) => instance.name === name) ?? null;
}

export const noInstance = refuseWith(404, "There is no such instance.");

/** True for a line that an instance may have, in a language that it may speak. */
export function isLine(
  { config }: Snapshot,
  { tableSet }: InstanceConfig,
  locale: string,
  key: string,
): boolean {
  const tables = config.tableSets[tableSet]?.channels[""] ?? {};
  return [...ENGINE_LINES, ...OWN_LINES].includes(key) && Object.hasOwn(tables, locale);
}

export function refuseMissingLine(locale: string, key: string): ConsoleAnswer {
  return refuseWith(404, `There is no line "${key}" in "${locale}".`);
}

export function textIn(body: Readonly<Record<string, unknown>>, name: string): string | null {
  const text = body[name];
  return typeof text === "string" && text !== "" ? text : null;
}

export function textsIn(given: unknown): Readonly<Record<string, string>> {
  if (!isObject(given)) return {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, text]): [string, string][] =>
      typeof text === "string" ? [[name, text]] : [],
    ),
  );
}

/**
 * Loads the snapshot with the caller's draft, or the one in force if the draft cannot be loaded.
 */
export async function loadDrafted({ core, files, grant, snapshot }: Call): Promise<Snapshot> {
  const made = await files?.editing.draft(grant);
  const config = made?.config ?? null;
  return config === null ? snapshot : createSnapshot(config, core.platform);
}

export async function findFindings(
  { files }: Call,
  { tableSet }: InstanceConfig,
): Promise<Pick<Findings["sets"][number], "lines" | "places">> {
  const read = await files?.read();
  return read?.sets[tableSet] ?? { lines: [], places: [] };
}
