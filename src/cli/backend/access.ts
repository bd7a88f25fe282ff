import type { CredentialEntry } from "../../backend/auth/credentials.ts";
import { storedKeys } from "../../backend/auth/stored-keys.ts";
import type { BackendDatabase } from "../../backend/storage/tables/database.ts";
import { AfterwordError } from "../../errors.ts";
import { exposureOf } from "../../config/exposure.ts";
import { generatedCredentials } from "../../runtime/node/demo-credentials.ts";

export interface AccessRequest {
  readonly host: string;
  /** Address that clients see, or null. */
  readonly publicUrl: string | null;
  readonly noDemo: boolean;
  /** AFTERWORD_DEMO_CREDENTIALS. */
  readonly mode: string | undefined;
  /** Where generated credentials lie. */
  readonly data: string;
}

/** Which credentials work beside those of the database. */
export interface BackendAccess {
  readonly demo: boolean;
  readonly entries: readonly CredentialEntry[];
  /** What the operator should know, or null. */
  readonly note: string | null;
}

/**
 * The well-known demo credentials work only while nobody but this machine can reach the listener.
 * On any other address the database must hold a key, or random credentials are generated.
 *
 * @throws AfterwordError `demo-credentials-exposed`, `argument-invalid`
 */
export async function backendAccess(
  database: BackendDatabase,
  { host, publicUrl, noDemo, mode = "", data }: AccessRequest,
): Promise<BackendAccess> {
  if (mode === "generate") {
    const { file, entries } = await generatedCredentials(data);
    return { demo: false, entries, note: `Credentials in the place of the demo ones: ${file}` };
  }
  if (mode !== "") {
    throw new AfterwordError(
      "argument-invalid",
      `AFTERWORD_DEMO_CREDENTIALS is "generate" or not set, not "${mode}"`,
    );
  }
  const exposed = exposureOf({ host, publicUrl });
  if (exposed === null && !noDemo) return { demo: true, entries: [], note: null };
  const keys = await storedKeys(database, Date.now).list();
  const usable = keys.some(({ revoked }) => revoked === null);
  if (exposed !== null && !usable) {
    throw new AfterwordError(
      "demo-credentials-exposed",
      `afterword backend: the demo credentials are public knowledge, and ${exposed}: make a key of your own with afterword backend key add NAME, or set AFTERWORD_DEMO_CREDENTIALS=generate`,
    );
  }
  const note = usable ? null : "There is no key yet: afterword backend key add NAME makes one";
  return { demo: false, entries: [], note };
}
