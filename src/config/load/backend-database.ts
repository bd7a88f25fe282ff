import { dirname, resolve } from "node:path";
import { findDatabaseFault, isPostgresAddress } from "../../database-address.ts";
import { createReporter, type Diagnostic } from "../../yaml/diagnostic.ts";
import { type Section, sectionOf } from "../../yaml/section.ts";
import type { Environment } from "../../yaml/source.ts";
import type { WrittenConfig } from "../schema/config.ts";
import { readConfig } from "./read-config.ts";

/**
 * The embedded backend's database, whether some request goes there, and the directory of generated
 * files; or the first mistake.
 */
export type ReadDatabase =
  | { readonly address: string; readonly isUsed: boolean; readonly data: string }
  | { readonly address: null; readonly error: Diagnostic | null };

/** Reads the database of a configuration without loading its texts. */
export function readBackendDatabase(file: string, environment: Environment): ReadDatabase {
  const reporter = createReporter();
  const path = resolve(file);
  const { yaml, written } = readConfig(path, environment, reporter);
  const address =
    yaml === null || written === null
      ? null
      : databaseOf(written, dirname(path), sectionOf(yaml, reporter));
  if (written === null || address === null || reporter.failed()) {
    const errors = reporter.diagnostics().filter(({ severity }) => severity === "error");
    return { address: null, error: errors[0] ?? null };
  }
  const data = resolve(dirname(path), written.data ?? "./.afterword");
  return { address, isUsed: usesEmbedded(written), data };
}

/** The database that a configuration in this folder names: an absolute path, or an address. */
export function databaseOf(
  { backend }: WrittenConfig,
  directory: string,
  section: Section,
): string {
  const written = backend?.database ?? "./.afterword/backend.db";
  const fault = findDatabaseFault(written);
  if (fault !== null) section.at("backend", "database").key.error("invalid-value", fault);
  return isPostgresAddress(written) ? written : resolve(directory, written);
}

function usesEmbedded({ upstream, instances }: WrittenConfig): boolean {
  const upstreams = [upstream, ...(instances ?? []).map((instance) => instance.upstream)];
  return upstreams.some((one) => one === "embedded" || one?.auth === "embedded");
}
