import { Hono } from "hono";
import { survey, surveyStart, surveySubmission } from "../../api/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { bodyBy, handling } from "../handling.ts";
import { createSurvey, startSurvey, submitSurvey } from "./surveys.ts";

/** POST /surveys, and starting and handing one in. */
export function surveyRoutes(options: TicketingOptions): Hono {
  const routes = new Hono({ strict: false });

  routes.post(
    "/surveys",
    handling(options, "ticketing.createSurvey", async (asked) =>
      Response.json({
        uuid: await createSurvey(options, asked.project, await bodyBy(survey, asked, options)),
      }),
    ),
  );
  routes.post(
    "/surveys/:id/start",
    handling(options, "ticketing.startSurvey", async (asked) => {
      const { sourceId } = await bodyBy(surveyStart, asked, options);
      const id = asked.c.req.param("id") ?? "";
      return Response.json({ response: await startSurvey(options, asked.project, id, sourceId) });
    }),
  );
  routes.post(
    "/surveys/:id/submit",
    handling(options, "ticketing.submitSurvey", async (asked) => {
      const { token, field_answers: answers } = await bodyBy(surveySubmission, asked, options);
      await submitSurvey(options, asked.project, asked.c.req.param("id") ?? "", token, answers);
      return Response.json({ success: true });
    }),
  );
  return routes;
}
