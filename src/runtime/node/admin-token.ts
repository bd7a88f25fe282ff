import { randomBytes } from "node:crypto";
import { type AdminRule, readAdminToken } from "../../gateway/admin.ts";

/** Who may use the admin routes, and what the operator has to be told about it. */
export interface AdminAccess {
  readonly rule: AdminRule;
  /** The token that was made for this start, or null. */
  readonly made: string | null;
}

/**
 * A token that is set is the admin's. Without one, this start's token is, as long as only this
 * machine reaches the server. Where others reach it, there is no admin.
 *
 * @param given AFTERWORD_ADMIN_TOKEN
 * @param made the token of this start
 * @throws AfterwordError `argument-invalid` for a short token
 */
export function adminAccess(
  given: string | undefined,
  exposed: boolean,
  made: string,
): AdminAccess {
  const token = readAdminToken(given);
  if (token !== null) return { rule: { token, opensLoopback: false }, made: null };
  if (exposed) return { rule: { token: null, opensLoopback: false }, made: null };
  return { rule: { token: made, opensLoopback: true }, made };
}

/** For one start, of all its processes. */
export function makeAdminToken(): string {
  return randomBytes(24).toString("base64url");
}

/** What a start says: where it listens, and how to use the token that was made for it. */
export function announcement(url: string, adminToken: string | null): string {
  const listens = `Afterword listens on ${url}\n`;
  if (adminToken === null) return listens;
  return `${listens}Console: ${url}/_afterword/console#${adminToken}\nAdmin until the next start (AFTERWORD_ADMIN_TOKEN sets a token of your own): curl -H "Authorization: Bearer ${adminToken}" ${url}/_afterword/escalations\n`;
}
