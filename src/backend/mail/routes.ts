import { type Context, Hono } from "hono";
import { signHmacHex, hashSha256Hex } from "../../json/bytes.ts";
import { Refusal, createRefusalAnswer, describeTooLarge } from "../http/refusal.ts";
import { readBytes } from "../http/request-body.ts";
import type { MailOutcome } from "./take-mail.ts";

/** Receives mails by HTTP. */
export interface MailHook {
  readonly secret: string;
  /** Stores a complete mail. */
  readonly take: (source: Uint8Array) => Promise<MailOutcome>;
}

/**
 * `POST /mail`: takes a whole mail (`message/rfc822`), signed with the secret: `x-hook-signature:
 * sha256=<HMAC as hexadecimal text>`. The answer has the mail's state; 401 for a wrong signature,
 * 413 for more than `bodyLimit` bytes, 422 for a mail that names no ticket.
 */
export function createMailRoutes({ secret, take }: MailHook, bodyLimit: number): Hono {
  const routes = new Hono({ strict: false });
  routes.post("/mail", async (c) => {
    const body = await readBytes(c.req.raw, bodyLimit);
    if (body === null) return refuse(c, 413, describeTooLarge(bodyLimit));
    if (!(await isSigned(body, c.req.header("x-hook-signature") ?? "", secret))) {
      return refuse(
        c,
        401,
        "x-hook-signature: must be sha256= and the hex HMAC-SHA256 of the body",
      );
    }
    const taken = await take(body);
    if (taken.kind === "unreferenced") return refuse(c, 422, "The mail names no ticket.");
    return Response.json({ state: taken.kind === "known" ? "known" : taken.state });
  });
  return routes;
}

function refuse({ req }: Context, status: 401 | 413 | 422, message: string): Response {
  return createRefusalAnswer(req.path, new Refusal(status, message));
}

async function isSigned(
  body: Uint8Array<ArrayBuffer>,
  header: string,
  secret: string,
): Promise<boolean> {
  const signature = `sha256=${await signHmacHex(secret, body)}`;
  // Comparing digests keeps the response time from revealing the signature.
  return (await hashSha256Hex(signature)) === (await hashSha256Hex(header.trim().toLowerCase()));
}
