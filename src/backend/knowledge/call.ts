import type { MatchingSettings, WordsOf } from "../../matching/types.ts";
import type { Context } from "hono";
import type { z } from "zod";
import {
  type KnowledgeBase,
  type ContentIndex,
  isVisible,
  type Audience,
} from "../chatbot/knowledge-base.ts";
import { settingsOf } from "../chatbot/sessions.ts";
import type { Content, ContentItem } from "../content/types.ts";
import {
  type ApiHandler,
  type ApiHandlers,
  type ApiRequest,
  bodyOf,
  parseBy,
} from "../auth/handling.ts";
import { type Answer, toResponse } from "../http/operation-routes.ts";
import { type Fields, parseForm, textOf } from "../http/request-body.ts";
import { findProject, matchingOf, type Project } from "../chatbot/projects.ts";
import { toStorable } from "../../storage/storable.ts";
import type { Catalog } from "./catalog.ts";
import type { Library } from "./library.ts";
import type { KnowledgeSession, Sessions } from "./sessions.ts";
import type { ChangingContent } from "../chatbot/live-base.ts";
import type { ProductOptions } from "../options.ts";

/** The parts that all routes work with. */
export interface KnowledgeService extends KnowledgeOptions {
  /** Called with failures that do not fail a request. */
  readonly report: (error: unknown) => void;
  readonly library: Library;
  readonly sessions: Sessions;
}

/** One call: who makes it, and which contents they may see. */
export interface KnowledgeCall {
  readonly c: Context;
  /** The parameter in the path: an id or a slug. */
  readonly id: string;
  readonly project: string;
  readonly base: KnowledgeBase;
  readonly content: Content;
  readonly index: ContentIndex;
  readonly catalog: Catalog;
  readonly audience: Audience;
  readonly matching: MatchingSettings;
  readonly session: KnowledgeSession | null;
  /** The client's name for itself. */
  readonly source: string;
  readonly user: { readonly ip: string | null; readonly userAgent: string | null };
}

export type KnowledgeHandlers = ApiHandlers<"knowledge">;

/**
 * Wraps a handler of GET (parameters in the query) or POST (in the body, or in the query beside
 * it): parameters by their schema, the session, and the contents of the language that `lang` names,
 * else of the project's.
 */
export function createKnowledgeHandler(
  service: KnowledgeService,
): <T>(
  schema: z.ZodType<T>,
  work: (call: KnowledgeCall, request: T) => Promise<Answer> | Answer,
) => ApiHandler {
  return (schema, work) => async (asked) => {
    const { c, project } = asked;
    const { url } = c.req;
    const query: Fields = url.includes("?") ? parseForm(new URL(url).search.slice(1)) : {};
    const body: Fields = c.req.method === "POST" ? await bodyOf(asked) : {};
    const given: Fields = { ...query, ...body };
    const request = parseBy(schema, given);
    const [session] = await Promise.all([
      service.sessions.use(project, c.req.header("x-inbenta-session") ?? null),
      service.library.ready(),
    ]);
    const call = callOf(service, asked, session, textOf(given["lang"]));
    const response = toResponse(await work(call, request));
    // Tracking codes are valid for one answer, and redirects until another content takes the slug.
    response.headers.set("cache-control", "no-store");
    return response;
  };
}

function callOf(
  service: KnowledgeService,
  { c, id, project: name }: ApiRequest,
  session: KnowledgeSession | null,
  lang: string | null,
): KnowledgeCall {
  const base = service.base();
  const project = findProject(service.projects, name);
  const index = base.index(base.language(lang, project), project);
  const { environment, userType, source } = settingsOf({}, c.req.raw.headers);
  const agent = c.req.header("user-agent")?.slice(0, 500) ?? null;
  return {
    c,
    id,
    project: name,
    base,
    content: service.library.content(),
    index,
    catalog: service.library.catalog(index.language),
    audience: { environment, userType, now: service.now() },
    matching: matchingOf(project),
    session,
    source: toStorable(source),
    user: {
      ip: service.logIp === true ? (service.peer?.(c) ?? null) : null,
      userAgent: service.logUserAgent === true && agent !== null ? toStorable(agent) : null,
    },
  };
}

/** True for contents in lists; hidden ones open only by address, link or option. */
export function isListed(item: ContentItem, { audience }: KnowledgeCall): boolean {
  return !item.hidden && isVisible(item, audience);
}

/** The contents with these ids that this reader may see, in that order. */
export function visibleOf(ids: readonly number[], call: KnowledgeCall): readonly ContentItem[] {
  return ids.flatMap((id) => {
    const item = call.catalog.byId.get(id);
    return item !== undefined && isVisible(item, call.audience) ? [item] : [];
  });
}

/** The options of the knowledge routes. Time and randomness come from outside. */
export interface KnowledgeOptions extends ProductOptions {
  /** The same content that `base` was made of. */
  readonly content: Content | ChangingContent;
  /** The engine that searches it, as conversations use it: `liveBase(content, report)`. */
  readonly base: () => KnowledgeBase;
  /** The meaning of a language's words, independent of the contents. */
  readonly words: WordsOf;
  readonly projects: readonly Project[];
  /** Status of a search without results. Default 404, as specified; some clients want 200. */
  readonly emptySearch?: 404 | 200;
  /** True if events carry the reader's IP address. Default false. */
  readonly logIp?: boolean;
  /**
   * True if events have the browser (`User-Agent`) and the session's SDK version. Default false.
   */
  readonly logUserAgent?: boolean;
  /** The reader's IP address, or null; used with `logIp` only. Default: unknown. */
  readonly peer?: (c: Context) => string | null;
  /** Called with failures that do not fail a request. Default: nothing happens. */
  readonly report?: (error: unknown) => void;
}
