import type { IdentityConfig } from "../config/escalation-config.ts";
import { readMailAddress, readPersonName } from "../locales/person.ts";
import type { Recognition } from "../locales/recognition.ts";
import type { Person } from "./stores/record.ts";

/** An option of ours in a composed answer. */
export interface QuestionOption {
  readonly label: string;
  /** The value that the client sends back as `option`. */
  readonly value: string;
}

/** A reader's choice among our options. `epoch` is that of the escalation that offered it. */
export type Choice =
  | { readonly kind: "yes" | "no" | "cancel"; readonly epoch: number }
  /** Begins with Afterword's prefix but is not one of its options, so it is not for the engine. */
  | { readonly kind: "unknown" };

/** The options of a yes-or-no question, in this order. */
export function createPolarOptions(
  yes: string,
  no: string,
  epoch: number,
): readonly [QuestionOption, QuestionOption] {
  return [
    { label: yes, value: `aw:yes:${epoch}` },
    { label: no, value: `aw:no:${epoch}` },
  ];
}

/** The option that leaves our questions. */
export function cancelOption(label: string, epoch: number): QuestionOption {
  return { label, value: `aw:cancel:${epoch}` };
}

/**
 * Reads a request's `option`. Null: not one of ours, so that it is for the engine.
 *
 * @example
 * readChoice("aw:yes:3"); // { kind: "yes", epoch: 3 }
 */
export function readChoice(option: unknown): Choice | null {
  if (typeof option !== "string" || !option.startsWith("aw:")) return null;
  const [, kind, epoch] = /^aw:(yes|no|cancel):(0|[1-9]\d{0,14})$/u.exec(option) ?? [];
  if (kind !== "yes" && kind !== "no" && kind !== "cancel") return { kind: "unknown" };
  return { kind, epoch: Number(epoch) };
}

/** True for the options of a yes-or-no question. */
export function isPolar(options: readonly QuestionOption[]): boolean {
  const kinds = options.map(({ value }) => readChoice(value)?.kind);
  return kinds.length === 2 && kinds.includes("yes") && kinds.includes("no");
}

/** A question to the reader before an agent or a ticket. */
export type PersonField = "name" | "email" | "consent";

/**
 * Attempts per question; after these, a name or address is skipped, and a consent counts as not
 * given.
 */
export const MAX_TRIES = 3;

/**
 * Reads the person's data that is known without asking: from the caller's signed token, then from
 * the variables.
 */
export function readKnownPerson(
  { variables, claims }: IdentityConfig,
  values: ReadonlyMap<string, string>,
  token: Readonly<Record<string, unknown>> | null,
): Person {
  const claim = (name: string): string => {
    const value = token !== null && Object.hasOwn(token, name) ? token[name] : null;
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const readVariable = (name: string | null): string =>
    name === null ? "" : (values.get(name) ?? "");
  return {
    name: readPersonName(claim(claims.name)) ?? readPersonName(readVariable(variables.name)) ?? "",
    email:
      readMailAddress(claim(claims.email)) ?? readMailAddress(readVariable(variables.email)) ?? "",
    id: claim(claims.id).slice(0, maxIdLength),
    consent: false,
  };
}

/** Finds the next question; null if none is left. `after` is the last question that was settled. */
export function findNextField(
  { ask, consent }: IdentityConfig,
  person: Person,
  after: PersonField | null,
): PersonField | null {
  const fields: readonly PersonField[] = consent ? [...ask, "consent"] : ask;
  const rest = fields.slice(after === null ? 0 : fields.indexOf(after) + 1);
  return (
    rest.find((field) => (field === "consent" ? !person.consent : person[field] === "")) ?? null
  );
}

/** A reader's reply to one of the questions. */
export type FieldReply =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "yes" | "no" | "cancel" | "invalid" };

/**
 * Reads a reply: an option or words. Words for leaving leave the form, and so does a bare no to
 * name or address.
 */
export function readReply(
  recognition: Recognition,
  field: PersonField,
  text: string | null,
  choice: Choice | null,
  language: string,
): FieldReply {
  if (choice?.kind === "cancel") return { kind: "cancel" };
  if (field === "consent") return { kind: consentIn(recognition, text, choice, language) };
  if (choice !== null || text === null) return { kind: "invalid" };
  const { isCancel, polarOf } = recognition;
  if (isCancel(text, language) || polarOf(text, language) === "no") return { kind: "cancel" };
  // A word that is "no" in English, even if unsure, is no name.
  if (polarOf(text, "en") === "no") return { kind: "invalid" };
  const value = field === "name" ? readPersonName(text) : readMailAddress(text);
  return value === null ? { kind: "invalid" } : { kind: "value", value };
}

/** Adds the data of a reply to a person. */
export function withReply(person: Person, field: PersonField, reply: FieldReply): Person {
  if (field === "consent") return { ...person, consent: reply.kind === "yes" };
  return reply.kind === "value" ? { ...person, [field]: reply.value } : person;
}

function consentIn(
  { isCancel, consentOf }: Recognition,
  text: string | null,
  choice: Choice | null,
  language: string,
): "yes" | "no" | "cancel" | "invalid" {
  if (choice !== null) return choice.kind === "unknown" ? "invalid" : choice.kind;
  if (text === null) return "invalid";
  if (isCancel(text, language)) return "cancel";
  return consentOf(text, language) ?? "invalid";
}

const maxIdLength = 200;
