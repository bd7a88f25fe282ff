import { hashSha256, toHex } from "../../json/bytes.ts";
import { type ParsedMail, simpleParser } from "mailparser";
import { readMailAddress } from "../../locales/person.ts";
import { findReferences } from "./mails.ts";
import { splitQuoted } from "./quoted.ts";

/** A mail that came, as a ticket needs it. */
export interface ReceivedMail {
  /** Without angle brackets; a hash of the mail where its sender gave none. */
  readonly messageId: string;
  /** The references of tickets, the likeliest first. */
  readonly references: readonly string[];
  /** As it is compared, or empty where the mail names nobody. */
  readonly from: string;
  readonly subject: string;
  readonly message: string;
  readonly quoted: string;
  readonly files: readonly { readonly name: string; readonly data: Uint8Array }[];
  /** A person wrote it; a program did (RFC 3834); it says that one of ours was not delivered. */
  readonly kind: "person" | "automatic" | "bounce";
  /** The reason of a bounce. */
  readonly reason: string;
  /** The Message-IDs that a bounce names. */
  readonly undelivered: readonly string[];
}

/** Reads a mail (RFC 5322, MIME) in any character set. HTML alone becomes text. */
export async function readMail(source: Uint8Array): Promise<ReceivedMail> {
  const mail = await simpleParser(Buffer.from(source), {
    skipImageLinks: true,
    skipTextToHtml: true,
    maxHtmlLengthToParse: 2_000_000,
  });
  const kind = kindOf(mail);
  const text = mail.text ?? "";
  // A bounce has our mail, or its head, as a part.
  const raw = kind === "person" ? "" : Buffer.from(source.subarray(0, 262_144)).toString("latin1");
  const [sender] = mail.from?.value ?? [];
  return {
    messageId: idOf(mail.messageId) ?? `${toHex(await hashSha256(new Uint8Array(source)))}@mail`,
    references: findReferences(
      [mail.inReplyTo, mail.references, mail.subject, text, raw].flat().join("\n"),
    ),
    from: readMailAddress(sender?.address ?? "") ?? "",
    subject: (mail.subject ?? "").slice(0, 500),
    ...splitQuoted(text),
    files: mail.attachments.map(({ filename, content }) => ({
      name: filename ?? "",
      data: content,
    })),
    kind,
    reason: diagnosisIn(raw) ?? "it came back",
    undelivered: raw.match(/\baw-[a-z2-7]{32}\.[a-z2-7]+@[\w.-]+/gi) ?? [],
  };
}

function kindOf(mail: ParsedMail): ReceivedMail["kind"] {
  const readHeader = (name: string): string => {
    const value = mail.headers.get(name);
    return typeof value === "string" ? value.trim().toLowerCase() : "";
  };
  const [type] = mail.headerLines.filter(({ key }) => key === "content-type");
  if (/multipart\/report/i.test(type?.line ?? "") && /delivery-status/i.test(type?.line ?? "")) {
    return "bounce";
  }
  const [path] = mail.headerLines.filter(({ key }) => key === "return-path");
  const submitted = readHeader("auto-submitted");
  const automatic =
    /<>\s*$/.test(path?.line ?? "") ||
    (submitted !== "" && submitted !== "no") ||
    /^(?:bulk|junk|auto_reply|list)$/.test(readHeader("precedence")) ||
    ["x-autoreply", "x-autorespond"].some((name) => mail.headers.has(name));
  return automatic ? "automatic" : "person";
}

/** Finds what the other server said of a mail that it did not take (RFC 3464, 2.3.6). */
function diagnosisIn(raw: string): string | null {
  const name = "diagnostic-code:";
  const line = raw.split("\n").find((one) => one.slice(0, name.length).toLowerCase() === name);
  return line?.slice(name.length).trim().slice(0, 300) ?? null;
}

function idOf(header: string | undefined): string | null {
  const id = header?.trim().replace(/^<|>$/g, "") ?? "";
  return id === "" ? null : id.slice(0, 500);
}
