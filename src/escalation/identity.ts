import type { IdentityConfig } from "../config/escalation-config.ts";
import type { Recognition } from "../locales/recognition.ts";
import type { Choice } from "./choice.ts";
import { mailAddress } from "./mail-address.ts";
import type { Person } from "./record.ts";

/** What a reader is asked before a person is. */
export type Field = "name" | "email" | "consent";

/**
 * So often a question is asked in vain. Then a name or an address is left out, and the next
 * question comes: a chat needs neither. A consent that nobody gave is none.
 */
export const MOST_TRIES = 3;

/** Somebody of whom nothing is known. */
export const NOBODY: Person = Object.freeze({ name: "", email: "", id: "", consent: false });

/**
 * What is known without asking: from the caller's signed token first, then from the conversation's
 * variables.
 */
export function knownPerson(
  { variables, claims }: IdentityConfig,
  values: ReadonlyMap<string, string>,
  token: Readonly<Record<string, unknown>> | null,
): Person {
  const claim = (name: string): string => {
    const value = token !== null && Object.hasOwn(token, name) ? token[name] : null;
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const variable = (name: string | null): string => (name === null ? "" : (values.get(name) ?? ""));
  return {
    name: personName(claim(claims.name)) ?? personName(variable(variables.name)) ?? "",
    email: mailAddress(claim(claims.email)) ?? mailAddress(variable(variables.email)) ?? "",
    id: claim(claims.id).slice(0, longestId),
    consent: false,
  };
}

/**
 * What is to be asked next; null: nothing more. `after` is the last question that was settled, by
 * an answer or without.
 */
export function nextField(
  { ask, consent }: IdentityConfig,
  person: Person,
  after: Field | null,
): Field | null {
  const fields: readonly Field[] = consent ? [...ask, "consent"] : ask;
  const rest = fields.slice(after === null ? 0 : fields.indexOf(after) + 1);
  return (
    rest.find((field) => (field === "consent" ? !person.consent : person[field] === "")) ?? null
  );
}

/** What a reader's reply to one of the questions says. */
export type FieldReply =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "yes" | "no" | "cancel" | "invalid" };

/**
 * Reads a reply: an option of ours, or words. Words for leaving a form leave it, and a bare no to
 * the question for a name or an address does too: nobody is called so.
 */
export function readReply(
  recognition: Recognition,
  field: Field,
  text: string | null,
  choice: Choice | null,
  language: string,
): FieldReply {
  if (choice?.kind === "cancel") return { kind: "cancel" };
  if (field === "consent") return { kind: consentIn(recognition, text, choice, language) };
  if (choice !== null || text === null) return { kind: "invalid" };
  if (recognition.isCancel(text, language) || recognition.polarOf(text, language) === "no")
    return { kind: "cancel" };
  const value = field === "name" ? personName(text) : mailAddress(text);
  return value === null ? { kind: "invalid" } : { kind: "value", value };
}

/** The person with what a reply has told. */
export function withReply(person: Person, field: Field, reply: FieldReply): Person {
  if (field === "consent") return { ...person, consent: reply.kind === "yes" };
  return reply.kind === "value" ? { ...person, [field]: reply.value } : person;
}

function consentIn(
  recognition: Recognition,
  text: string | null,
  choice: Choice | null,
  language: string,
): "yes" | "no" | "cancel" | "invalid" {
  if (choice !== null) return choice.kind === "unknown" ? "invalid" : choice.kind;
  if (text === null) return "invalid";
  if (recognition.isCancel(text, language)) return "cancel";
  return recognition.polarOf(text, language) ?? "invalid";
}

const longestName = 120;
const longestId = 200;

/**
 * A name as it was typed, its white space made single; null when it is empty, too long, or has
 * nothing of a name in it.
 */
function personName(text: string): string | null {
  const name = text.toWellFormed().normalize("NFC").replaceAll(/\s+/gu, " ").trim();
  const isName = /\p{L}/u.test(name) && !/[\p{Cc}\p{Cf}<>]/u.test(name.replaceAll(JOINERS, ""));
  return isName && Array.from(name).length <= longestName ? name : null;
}

/** Zero-width joiners are letters' business in Persian, Sinhala and others. */
const JOINERS = /[\u200C\u200D]/gu;
