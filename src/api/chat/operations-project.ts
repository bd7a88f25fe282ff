import { z } from "zod";
import { text, wholeNumber } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { publicSettings, settings, success, survey, undelivered, webhook } from "./answers.ts";
import { operation, unknownId } from "./operation.ts";
import type { ChatOperation } from "./operation.ts";
import { newSurvey, newWebhook, resending, settingsChange } from "./schema.ts";

const oneWebhook = z.object({ webhook, secret: z.string().optional() });

/** Settings, surveys and webhooks. */
export const CHAT_PROJECT_OPERATIONS: readonly ChatOperation[] = [
  operation(
    "chat.settings",
    ["GET", "/settings"],
    "Settings; without the secret only those of the queue and the languages.",
    z.object({ settings: z.union([settings, publicSettings]) }),
    { credentials: "app", aliases: ["/settings"] },
  ),
  operation(
    "chat.changeSettings",
    ["PUT", "/settings"],
    "Changes settings. A list of media types, bare or as `allowedMediaTypes`, is stored exactly; an empty one allows nothing.",
    z.object({ settings }),
    { body: settingsChange, aliases: ["/settings"] },
  ),
  operation(
    "chat.surveys",
    ["GET", "/surveys"],
    "Surveys.",
    z.object({ surveys: z.array(survey) }),
    { aliases: ["/surveys"] },
  ),
  operation(
    "chat.survey",
    ["GET", "/surveys/{id}"],
    "One survey; its address names what it is about.",
    z.object({ survey }),
    {
      query: z.object({
        sourceType: text(LIMITS.id).optional(),
        sourceId: text(LIMITS.id).optional(),
      }),
      aliases: ["/surveys/{id}"],
      errors: [unknownId],
    },
  ),
  operation("chat.createSurvey", ["POST", "/surveys"], "Adds a survey.", z.object({ survey }), {
    body: newSurvey,
    aliases: ["/surveys"],
  }),
  operation(
    "chat.webhooks",
    ["GET", "/webhooks"],
    "Addresses that are told what happens.",
    z.object({ webhooks: z.array(webhook) }),
  ),
  operation("chat.webhook", ["GET", "/webhooks/{id}"], "One of them.", oneWebhook, {
    errors: [unknownId],
  }),
  operation(
    "chat.createWebhook",
    ["POST", "/webhooks"],
    "Registers an address, which must answer a POST with 200 and repeat X-Hook-Secret. The secret is shown here and never again.",
    oneWebhook,
    { body: newWebhook },
  ),
  operation("chat.changeWebhook", ["PUT", "/webhooks/{id}"], "Replaces it.", oneWebhook, {
    body: newWebhook,
    errors: [unknownId],
  }),
  operation("chat.removeWebhook", ["DELETE", "/webhooks/{id}"], "Removes it.", success, {
    errors: [unknownId],
  }),
  operation(
    "chat.undelivered",
    ["GET", "/webhooks/{id}/undelivered"],
    "Events that it did not take in about 10 hours, oldest first. They are kept for 30 days.",
    z.object({ undelivered: z.array(undelivered), hasMore: z.boolean() }),
    {
      query: z.object({ length: wholeNumber.optional(), offset: wholeNumber.optional() }),
      errors: [unknownId],
    },
  ),
  operation(
    "chat.resendUndelivered",
    ["POST", "/webhooks/{id}/undelivered"],
    "Sends them again: those named, or all.",
    z.object({ resent: z.int() }),
    { body: resending, bodyOptional: true, errors: [unknownId] },
  ),
  operation(
    "chat.events",
    ["GET", "/events"],
    "What happens, as it happens (text/event-stream): for the app everything, for a person what is in that person's chats.",
    null,
    { persons: true },
  ),
  operation("chat.newId", ["GET", "/id"], "A new random id.", z.object({ id: z.string() })),
];
