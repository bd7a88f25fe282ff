import { Hono } from "hono";
import { z } from "zod";
import { filledText, text } from "../../wire/fields.ts";
import { survey } from "../../wire/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { bodyBy, handling } from "../handling.ts";
import { createSurvey, startSurvey, submitSurvey } from "./surveys.ts";

const start = z.object({ sourceType: z.literal("ticket"), sourceId: text });

// A survey without a single answer comes out of a form as nothing at all.
const submission = z.object({
  token: filledText,
  field_answers: z.record(z.string(), text).default({}),
});

/** POST /surveys, and starting and handing one in. */
export function surveyRoutes(options: TicketingOptions): Hono {
  const routes = new Hono({ strict: false });

  routes.post(
    "/surveys",
    handling(options, async (asked) =>
      Response.json({
        uuid: await createSurvey(options, asked.project, await bodyBy(survey, asked, options)),
      }),
    ),
  );
  routes.post(
    "/surveys/:id/start",
    handling(options, async (asked) => {
      const { sourceId } = await bodyBy(start, asked, options);
      const id = asked.c.req.param("id") ?? "";
      return Response.json({ response: await startSurvey(options, asked.project, id, sourceId) });
    }),
  );
  routes.post(
    "/surveys/:id/submit",
    handling(options, async (asked) => {
      const { token, field_answers: answers } = await bodyBy(submission, asked, options);
      await submitSurvey(options, asked.project, asked.c.req.param("id") ?? "", token, answers);
      return Response.json({ success: true });
    }),
  );
  return routes;
}
