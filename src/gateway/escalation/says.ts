import { readChoice } from "../../escalation/choice.ts";
import type { ReaderRequest } from "../../escalation/turn.ts";
import type { RawHeaders } from "../exchange.ts";
import { codingOf } from "../gates.ts";
import { fieldOf } from "../headers.ts";
import type { Platform } from "../platform.ts";
import { createFieldReader } from "../request-text.ts";
import { typedQuestion } from "../typed-question.ts";

/**
 * The request as escalation reads it: JSON under any media type, or a form, decoded.
 *
 * @param whole false: `body` is only its beginning
 */
export async function readReaderRequest(
  platform: Pick<Platform, "digest" | "now" | "decode">,
  headers: RawHeaders,
  body: Uint8Array,
  whole: boolean,
): Promise<ReaderRequest> {
  const digest = await platform.digest(new TextDecoder("latin1").decode(body));
  const at = platform.now();
  const plain = whole ? await plainOf(platform, headers, body) : null;
  if (plain === null) {
    return { question: null, option: null, choice: null, unread: true, digest, at };
  }
  const fields = readFields(plain);
  const option = fields.get("option") ?? null;
  return {
    question: typedQuestion(Object.fromEntries(fields)),
    option,
    choice: readChoice(option),
    unread: fields.size === 0 && !isNothing(plain),
    digest,
    at,
  };
}

const readFields = createFieldReader(["message", "option", "directCall"]);

/** A decoded question is no larger, in bytes. */
const largest = 256 * 1024;

/** The body without coding, and a multipart form as one that is not. Null: it cannot be read. */
async function plainOf(
  platform: Pick<Platform, "decode">,
  headers: RawHeaders,
  body: Uint8Array,
): Promise<Uint8Array | null> {
  const coding = codingOf(headers);
  if (coding === null) return null;
  const plain = coding === "" ? body : await platform.decode(coding, body, largest);
  const type = fieldOf(headers, "content-type") ?? "";
  if (plain === null || !/^\s*multipart\/form-data\b/i.test(type)) return plain;
  try {
    // The platform's own reader of forms; what is sent is read here and nowhere else.
    const form = await new Response(Uint8Array.from(plain), {
      headers: { "content-type": type },
    }).formData();
    const fields = [...form].filter((field): field is [string, string] => {
      return typeof field[1] === "string";
    });
    return new TextEncoder().encode(new URLSearchParams(fields).toString());
  } catch {
    return null;
  }
}

/** White space, or an object without a question. */
function isNothing(body: Uint8Array): boolean {
  const first = body.find((byte) => byte > 0x20);
  return first === undefined || first === 0x7b;
}
