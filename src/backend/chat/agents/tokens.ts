import { hashSha256Hex } from "../../../json/bytes.ts";
import { createSecret } from "../ids.ts";
import type { Queries } from "../../storage/tables/database.ts";
import type { ChatOptions } from "../options.ts";

/** Milliseconds for which tokens are valid. Agents go offline when their token expires. */
export const TOKEN_LIFETIME: Readonly<Record<"user" | "agent", number>> = {
  user: 30 * 86_400_000,
  agent: 12 * 3_600_000,
};

/** Issues a token. Only its digest is stored. */
export async function issueToken(
  queries: Queries,
  { now, random }: Pick<ChatOptions, "now" | "random">,
  app: string,
  person: { readonly id: string; readonly kind: "user" | "agent" },
): Promise<string> {
  const token = createSecret(random);
  const expires = now() + TOKEN_LIFETIME[person.kind];
  await queries
    .insertInto("chat_tokens")
    .values({ digest: await hashSha256Hex(token), app, person: person.id, expires })
    .execute();
  return token;
}
