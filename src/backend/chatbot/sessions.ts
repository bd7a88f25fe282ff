import { readBearer } from "../auth/access.ts";
import type { Credential } from "../auth/credentials.ts";
import { hashSha256, toBase64Url } from "../../json/bytes.ts";
import {
  type Fields,
  booleanOf,
  countOf,
  listOf,
  membersOf,
  textOf,
} from "../http/request-body.ts";
import type { Session, SessionSettings } from "../storage/types.ts";

/** Milliseconds a session lives without interaction: 30 minutes. */
export const SESSION_LIFETIME = 1_800_000;

/** Begins a session, and creates the unguessable token that opens it. */
export async function beginSession(
  caller: Credential,
  language: string,
  settings: SessionSettings,
  { now, random }: { now: () => number; random: (length: number) => Uint8Array },
): Promise<{ readonly token: string; readonly session: Session }> {
  const token = toBase64Url(random(32));
  const session: Session = {
    key: await toSessionKey(token),
    id: toBase64Url(random(16)),
    project: caller.project,
    language,
    settings,
    turns: 0,
    welcomed: false,
    offered: [],
    open: null,
    codes: [],
    unanswered: 0,
    variables: [],
    typed: [],
    expires: now() + SESSION_LIFETIME,
    revision: "",
  };
  return { token, session };
}

/** The session's key from `x-inbenta-session`, with or without `Bearer `; null without one. */
export async function keyOfHeader(value: string | null): Promise<string | null> {
  const token = readBearer(value) ?? value?.trim() ?? "";
  return token === "" ? null : toSessionKey(token);
}

/**
 * Reads the settings that POST /conversation asks for by body and headers; unusable values count as
 * absent.
 */
export function settingsOf(fields: Fields, headers: Headers): SessionSettings {
  const answers = membersOf(fields["answers"]);
  const forms = membersOf(fields["forms"]);
  return {
    environment: environmentOf(headers.get("x-inbenta-env")),
    userType: countOf(headers.get("x-inbenta-user-type")) ?? 0,
    source: (headers.get("x-inbenta-source") ?? "").slice(0, 200),
    answerAttributes: namesOf(answers.get("answerAttributes")) ?? ["ANSWER_TEXT"],
    sideBubbleAttributes: namesOf(answers.get("sideBubbleAttributes")) ?? ["SIDEBUBBLE_TEXT"],
    // Without an option there is nothing to choose from.
    maxOptions: countOf(answers.get("maxOptions")) || 3,
    maxRelatedContents: countOf(answers.get("maxRelatedContents")) ?? 3,
    skipLastCheckQuestion: booleanOf(answers.get("skipLastCheckQuestion")) ?? false,
    forms: {
      allowUserToAbandonForm: booleanOf(forms.get("allowUserToAbandonForm")) ?? true,
      errorRetries: countOf(forms.get("errorRetries")) ?? 3,
    },
  };
}

function namesOf(value: unknown): readonly string[] | null {
  const names = listOf(value)
    .slice(0, 50)
    .flatMap((name) => textOf(name)?.slice(0, 100) ?? []);
  return names.length > 0 ? names : null;
}

function environmentOf(value: string | null): string {
  const name = value?.trim().toLowerCase() ?? "";
  return name === "preproduction" || name === "development" ? name : "production";
}

// Only a hash is kept, so that a copy of the database opens no conversation.
async function toSessionKey(token: string): Promise<string> {
  return toBase64Url(await hashSha256(token));
}
