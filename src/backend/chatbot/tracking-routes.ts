import { Hono } from "hono";
import { createErrorAnswer } from "../http/refusal.ts";
import { readBody, membersOf, textOf } from "../http/request-body.ts";
import type { Session } from "../storage/types.ts";
import type { ChatbotOptions } from "./options.ts";
import { measureJson } from "../../api/call/fields.ts";

const eventType = /^[^\p{C}]{1,100}$/u;
const maxDataLength = 10_000;

/** POST /tracking/events and /tracking/session/user, and GET /app/data/{id}, relative to where they are mounted. */
export function createTrackingRoutes(options: ChatbotOptions): Hono {
  const { access, base, sessions, storage, now, bodyLimit } = options;
  const routes = new Hono({ strict: false });

  // Any type is kept: a front end may report events of its own kinds.
  routes.post(
    "/tracking/events",
    access.guarded("chatbot.track", async (c, caller) => {
      const body = await readBody(c.req.raw, bodyLimit);
      if (!body.ok) return createErrorAnswer(c.req.path, body.status, body.message);
      const type = textOf(body.fields["type"])?.trim() ?? "";
      const data = body.fields["data"] ?? null;
      if (!eventType.test(type)) {
        return createErrorAnswer(
          c.req.path,
          422,
          "Give the event a type: up to 100 characters, none of them a control character.",
        );
      }
      if (measureJson(data) > maxDataLength)
        return createErrorAnswer(c.req.path, 422, "The event's data is too large.");
      return sessions.change(c.req.raw, caller, async (session) => {
        const { project, id } = session;
        if (!mayReport(session, type, data)) {
          return { session, response: Response.json({ success: false }) };
        }
        await storage.events.append({
          at: now(),
          project,
          session: id,
          type,
          data: JSON.stringify(data),
        });
        return { session, response: Response.json({ success: true }) };
      });
    }),
  );

  routes.post(
    "/tracking/session/user",
    access.guarded("chatbot.setSessionUser", async (c, caller) => {
      const body = await readBody(c.req.raw, bodyLimit);
      if (!body.ok) return createErrorAnswer(c.req.path, body.status, body.message);
      const data = body.fields["data"] ?? null;
      if (measureJson(data) > maxDataLength)
        return createErrorAnswer(c.req.path, 422, "The user's data is too large.");
      return sessions.change(c.req.raw, caller, async (session) => {
        const { project, id } = session;
        await storage.events.append({
          at: now(),
          project,
          session: id,
          type: "user_info",
          data: JSON.stringify(data),
        });
        return { session, response: Response.json({ success: true }) };
      });
    }),
  );

  // Asked without a session. An unknown id has no data, which is not an error.
  routes.get(
    "/app/data/:id",
    access.guarded("chatbot.appData", (c) => {
      const name = c.req.query("name") ?? "";
      const values = base().appData.get(c.req.param("id") ?? "") ?? [];
      return Response.json({
        results: name === "" ? values : values.filter((datum) => datum.name === name),
      });
    }),
  );

  return routes;
}

/** False for ratings and clicks with a code not answered here; other events are the client's. */
function mayReport({ codes }: Session, type: string, data: unknown): boolean {
  const kind = type.toLowerCase();
  if (kind !== "rate" && kind !== "click") return true;
  const code = textOf(membersOf(data).get("code"))?.trim() ?? "";
  return codes.some((one) => code === `${kind}.${one}`);
}
