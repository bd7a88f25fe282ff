import { type ApiHandlers, type ApiRequest, bodyOf } from "../auth/handling.ts";
import { findProject } from "./projects.ts";
import { textOf } from "../http/request-body.ts";
import type { ChatbotOptions } from "./options.ts";
import { beginSession, settingsOf } from "./sessions.ts";
import { createTurnContext, type BotTurn } from "./turn-context.ts";
import type { Submit } from "./turn-context.ts";
import { readTurnRequest } from "./turn-request.ts";
import { takeTurn } from "./turn.ts";
import type { HistoryItem } from "../storage/types.ts";

export function createConversationHandlers(
  options: ChatbotOptions,
): Pick<ApiHandlers<"chatbot">, "start" | "send" | "history"> {
  const { sessions, storage } = options;
  return {
    start: (request) => startConversation(request, options),
    send: (request) => answerMessage(request, options),
    // The history is a bare array of the engine's own words. The backend does not know the
    // gateway's changes.
    history: ({ c, caller }) =>
      sessions.read(c.req.raw, caller, async ({ key }) =>
        Response.json(await storage.sessions.history(key)),
      ),
  };
}

async function startConversation(request: ApiRequest, options: ChatbotOptions): Promise<Response> {
  const { base, projects, storage } = options;
  const { c, caller } = request;
  const fields = await bodyOf(request);
  const project = findProject(projects, caller.project);
  const language = base().language(textOf(fields["lang"]), project);
  const settings = settingsOf(fields, c.req.raw.headers);
  const { token, session } = await beginSession(caller, language, settings, options);
  await storage.sessions.create(session);
  const headers = {
    "cache-control": "no-store",
    "x-inbenta-auth-expiration": `${Math.floor(session.expires / 1000)}`,
  };
  return Response.json({ sessionToken: token, sessionId: session.id }, { headers });
}

async function answerMessage(request: ApiRequest, options: ChatbotOptions): Promise<Response> {
  const { base, recognition, projects, sessions, now, submit, fileForm } = options;
  const { c, caller } = request;
  const turnRequest = readTurnRequest(await bodyOf(request));
  const project = findProject(projects, caller.project);
  return sessions.change(c.req.raw, caller, async (session) => {
    let done = false;
    const submitOnce: Submit = (submission, id) => {
      done = true;
      return submission.webhook === null
        ? fileForm(submission, session, caller)
        : submit(submission, id);
    };
    const parts = {
      base: base(),
      recognition: recognition(),
      project,
      session,
      now: now(),
      submit: submitOnce,
    };
    const turn = await takeTurn(createTurnContext(parts), turnRequest);
    return {
      session: turn.session,
      history: toHistory(turn, now()),
      response: Response.json({ answers: turn.answers }),
      done,
    };
  });
}

// A message that is too long is answered with a flag, and the history keeps its beginning.
const maxKeptLength = 1000;

/** Adds a turn to the history: the reader's words, if any, then the engine's. */
function toHistory(turn: BotTurn, now: number): readonly HistoryItem[] {
  const datetime = new Date(now).toISOString();
  const text = turn.userText.slice(0, maxKeptLength).toWellFormed();
  const reader: readonly HistoryItem[] =
    text.trim() === "" ? [] : [{ user: "user", message: text, messageList: [text], datetime }];
  const bot = turn.answers.map(({ message, messageList }): HistoryItem => ({
    user: "bot",
    message,
    messageList,
    datetime,
  }));
  return [...reader, ...bot];
}
