import { Hono } from "hono";
import { eventRequest } from "../../api/knowledge/events.ts";
import { conversion, sessionRequest, sessionUser } from "../../api/knowledge/schema.ts";
import { record } from "./recording.ts";
import { reported } from "./reported.ts";
import { visiting } from "./visit.ts";
import type { Desk } from "./visit.ts";

/** Sessions, and the events that front ends report. */
export function trackingRoutes(desk: Desk): Hono {
  const routes = new Hono({ strict: false });

  routes.post(
    "/tracking/session",
    visiting(desk, "knowledge.startSession", sessionRequest, async ({ project }, { sdkVersion }) =>
      Response.json(await desk.sessions.begin(project, sdkVersion ?? null)),
    ),
  );
  // Without a session it would be known of nobody: nothing is kept, and the answer says so.
  routes.post(
    "/tracking/session/user",
    visiting(desk, "knowledge.setSessionUser", sessionUser, async (visit, { data }) => {
      if (visit.session === null) return Response.json({ success: false });
      await record(desk, visit, { type: "user_info", data });
      return Response.json({ success: true });
    }),
  );
  routes.post(
    "/tracking/events",
    visiting(desk, "knowledge.track", eventRequest, async (visit, event) => {
      await record(desk, visit, reported(event));
      return Response.json({ success: true });
    }),
  );
  routes.post(
    "/inbtrck/events",
    visiting(desk, "knowledge.trackConversion", conversion, async (visit, data) => {
      await record(desk, visit, { type: "conversion", data });
      return Response.json({ success: true });
    }),
  );
  return routes;
}
