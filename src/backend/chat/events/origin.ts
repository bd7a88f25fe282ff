import { isOriginAllowed } from "../../auth/credentials.ts";
import { Refusal } from "../../http/refusal.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { readSettings } from "../settings.ts";

/**
 * Refuses pages of other domains to listen where an app names its domains. A browser always says
 * where a page comes from; who says nothing is none. A page of the service's own address is always
 * let in.
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
