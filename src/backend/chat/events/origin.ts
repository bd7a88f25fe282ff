import { isOriginAllowed } from "../../auth/credentials.ts";
import { Refusal } from "../../http/refusal.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { readSettings } from "../settings.ts";

/**
 * Refuses streams to pages of other domains if the app names its domains. Browsers always send the
 * Origin, so a request without one is not from a page. Pages of the service's own address are always
 * allowed.
 *
 * @throws Refusal 403
 */
export async function requireOrigin(
  queries: Queries,
  app: string,
  headers: Headers,
): Promise<void> {
  const origin = headers.get("origin");
  if (origin === null) return;
  const { domains } = await readSettings(queries, app);
  if (domains.length === 0 || isOriginAllowed(origin, domains)) return;
  if (URL.parse(origin)?.host === headers.get("host")?.toLowerCase()) return;
  throw new Refusal(403, "Origin: this page's address is not among the app's domains.");
}
