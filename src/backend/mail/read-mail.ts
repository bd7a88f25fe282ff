import { hashSha256, toHex } from "../../json/bytes.ts";
import { type ParsedMail, simpleParser } from "mailparser";
import { textOfHtml } from "../../locales/html-text.ts";
import { readMailAddress } from "../../locales/person.ts";
import { findReferences } from "./mails.ts";
import { splitQuoted } from "./quoted.ts";

/** A received mail, reduced to the parts that a ticket needs. */
export interface ReceivedMail {
  /** False for a mail that the parser rejects. Only its id and its references are known then. */
  readonly isReadable: boolean;
  /** True when `message` is only the beginning of a text that is too long. */
  readonly isCut: boolean;
  /** The Message-ID without angle brackets, or a hash of the mail if its sender gave none. */
  readonly messageId: string;
  /** References of tickets that the mail names, the likeliest first. */
  readonly references: readonly string[];
  /** The sender's address in the form in which addresses are compared; empty if there is none. */
  readonly from: string;
  readonly subject: string;
  readonly message: string;
  readonly quoted: string;
  readonly files: readonly { readonly name: string; readonly data: Uint8Array }[];
  /**
   * `automatic`: a program wrote it (RFC 3834). `bounce`: it reports that a mail from here was not
   * delivered.
   */
  readonly kind: "person" | "automatic" | "bounce";
  /** The reason of a bounce. Without meaning for other kinds. */
  readonly reason: string;
  /** The Message-IDs that a bounce names. */
  readonly undelivered: readonly string[];
}

/**
 * Reads a mail (RFC 5322, MIME) in any character set. HTML is converted if there is no plain text.
 * Never throws because of a mail's content, since such a mail would block all mails after it.
 */
export async function readMail(source: Uint8Array): Promise<ReceivedMail> {
  const mail = await parseMail(source);
  if (mail === null) return describeUnreadable(source);
  const kind = kindOf(mail);
  const body = await withText(mail);
  const rejectedHtml = body.textConversionError === undefined ? "" : body.html || "";
  const text = [body.text ?? "", textOfHtml(rejectedHtml.slice(0, BEGINNING))]
    .filter(Boolean)
    .join("\n");
  // A bounce contains the undelivered mail, or its headers.
  const raw = kind === "person" ? "" : beginningOf(source);
  const [sender] = mail.from?.value ?? [];
  return {
    isReadable: true,
    isCut: rejectedHtml.length > BEGINNING,
    messageId: trimMessageId(mail.messageId) ?? (await hashedIdOf(source)),
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

/** How many characters are read of HTML that the parser rejects as too long or too deeply nested. */
const BEGINNING = 500_000;

/**
 * Parses a mail; null if the parser rejects it, such as one with thousands of parts or a megabyte
 * of headers.
 */
async function parseMail(source: Uint8Array): Promise<ParsedMail | null> {
  try {
    return await simpleParser(Buffer.from(source), {
      skipImageLinks: true,
      skipTextToHtml: true,
      maxHtmlLengthToParse: 2_000_000,
    });
  } catch {
    return null;
  }
}

/**
 * Parses the HTML of a mail once more, as a separate mail, if the mail has parts but no plain text.
 * The parser converts HTML beside a file or a picture only if a part in plain text precedes it.
 */
async function withText(mail: ParsedMail): Promise<ParsedMail> {
  const { text = "", html, textConversionError: problem } = mail;
  if (text.trim() !== "" || !html || problem !== undefined) return mail;
  const alone = `Content-Type: text/html; charset=utf-8\r\n\r\n${html}`;
  return (await parseMail(Buffer.from(alone))) ?? mail;
}

async function describeUnreadable(source: Uint8Array): Promise<ReceivedMail> {
  return {
    isReadable: false,
    isCut: false,
    messageId: await hashedIdOf(source),
    references: findReferences(beginningOf(source)),
    from: "",
    subject: "",
    message: "",
    quoted: "",
    files: [],
    kind: "person",
    reason: "",
    undelivered: [],
  };
}

function beginningOf(source: Uint8Array): string {
  return Buffer.from(source.subarray(0, 262_144)).toString("latin1");
}

async function hashedIdOf(source: Uint8Array): Promise<string> {
  return `${toHex(await hashSha256(new Uint8Array(source)))}@mail`;
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

/** Finds the reason for which the other server refused a mail (RFC 3464, 2.3.6). */
function diagnosisIn(raw: string): string | null {
  const name = "diagnostic-code:";
  const line = raw.split("\n").find((one) => one.slice(0, name.length).toLowerCase() === name);
  return line?.slice(name.length).trim().slice(0, 300) ?? null;
}

function trimMessageId(header: string | undefined): string | null {
  const id = header?.trim().replace(/^<|>$/g, "") ?? "";
  return id === "" ? null : id.slice(0, 500);
}
