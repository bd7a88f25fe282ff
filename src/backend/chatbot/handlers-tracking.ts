import { type ApiHandlers, type ApiRequest, bodyOf } from "../auth/handling.ts";
import { Refusal } from "../http/refusal.ts";
import { membersOf, textOf } from "../http/request-body.ts";
import type { Session } from "../storage/types.ts";
import type { ChatbotOptions } from "./options.ts";
import { measureJson } from "../../api/call/fields.ts";

const eventType = /^[^\p{C}]{1,100}$/u;
const maxDataLength = 10_000;

/** Events of front ends, what they know about the reader, and data that the contents hold for them. */
export function createTrackingHandlers({
  base,
  sessions,
  storage,
  now,
}: ChatbotOptions): Pick<ApiHandlers<"chatbot">, "track" | "setSessionUser" | "appData"> {
  const append = (request: ApiRequest, type: string, data: unknown): Promise<Response> =>
    sessions.change(request.c.req.raw, request.caller, async (session) => {
      const { project, id } = session;
      const success = mayReport(session, type, data);
      if (success) {
        const event = { at: now(), project, session: id, type, data: JSON.stringify(data) };
        await storage.events.append(event);
      }
      return { session, response: Response.json({ success }) };
    });
  return {
    // Any type is kept: a front end may report events of its own kinds.
    async track(request) {
      const fields = await bodyOf(request);
      const type = textOf(fields["type"])?.trim() ?? "";
      const data = fields["data"] ?? null;
      if (!eventType.test(type)) {
        throw new Refusal(
          422,
          "Give the event a type: up to 100 characters, none of them a control character.",
        );
      }
      if (measureJson(data) > maxDataLength)
        throw new Refusal(422, "The event's data is too large.");
      return append(request, type, data);
    },
    async setSessionUser(request) {
      const { data = null } = await bodyOf(request);
      if (measureJson(data) > maxDataLength)
        throw new Refusal(422, "The user's data is too large.");
      return append(request, "user_info", data);
    },
    // Asked without a session. An unknown id has no data, which is not an error.
    appData({ id, query }) {
      const { name = "" } = query;
      const values = base().appData.get(id) ?? [];
      return { results: name === "" ? values : values.filter((datum) => datum.name === name) };
    },
  };
}

/** False for ratings and clicks with a code not answered here; other events are the client's. */
function mayReport({ codes }: Session, type: string, data: unknown): boolean {
  const kind = type.toLowerCase();
  if (kind !== "rate" && kind !== "click") return true;
  const code = textOf(membersOf(data).get("code"))?.trim() ?? "";
  return codes.some((one) => code === `${kind}.${one}`);
}
