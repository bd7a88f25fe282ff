import { isRecord } from "../../json/values.ts";
import { coverageOf } from "../../config/check/coverage.ts";
import { mayAct, maySee } from "./access.ts";
import { CONTENT_OPERATIONS, maySeeContents } from "./content-operations.ts";
import { DRAFT_OPERATIONS } from "./draft-operations.ts";
import {
  explainBody,
  hasTooManyAnswers,
  listExchanges,
  tooManyAnswers,
  countUnexpectedFlags,
} from "./explanation.ts";
import { accountIn, examine } from "./examine.ts";
import { IMPORT_OPERATIONS } from "./import-operations.ts";
import { INSIGHTS_OPERATIONS } from "./insights.ts";
import { refuseWith, answerValue } from "./answer.ts";
import { refuseBy } from "./refusals.ts";
import {
  findFindings,
  INSTANCE,
  instanceOf,
  isLine,
  loadDrafted,
  noInstance,
  refuseMissingLine,
  type ConsoleOperation,
  textIn,
  textsIn,
} from "./operation.ts";
import { listSituations } from "./situations.ts";
import { createLineDetails, describeBot, readReviewable, reviewsOf, textsOf } from "./texts.ts";

const CHANNEL = { channel: "A channel's name. Default: the texts for every channel." };

/** The API of the console, operation by operation. */
export const OPERATIONS: readonly ConsoleOperation[] = [
  {
    method: "get",
    path: "session",
    needs: "view",
    summary: "Returns the token's permissions, its instances, and what this gateway offers.",
    answer: (call) => {
      const { core, files, grant, info, snapshot } = call;
      const { config } = snapshot;
      const instances = config.instances.filter(({ name }) => maySee(grant, name));
      return answerValue({
        ...grant,
        version: info.version,
        snapshot: config.hash,
        inForce: isInForce(info.details(true)["reload"]),
        editable: files !== null && config.console.edit,
        readOnly: !config.console.edit,
        everyText: files?.everyText === true,
        contents: maySeeContents(call),
        embedded: config.upstream.auth.startsWith("embedded:"),
        insights: core.insights !== null,
        questions: config.insights?.questions === true && mayAct(grant, "publish"),
        bots: instances.map((instance) => describeBot(config, instance)),
      });
    },
  },
  {
    method: "get",
    path: "texts",
    needs: "view",
    summary: "Lists every line in every language: its text, and where the text comes from.",
    query: { ...INSTANCE, ...CHANNEL, lines: "`all`: includes the lines of hand-overs." },
    answer: (call) => {
      const instance = instanceOf(call, call.query.get("instance"));
      if (instance === null) return noInstance;
      const { query, snapshot } = call;
      const all = query.get("lines") === "all";
      return answerValue(textsOf(snapshot, instance, query.get("channel") ?? "", all));
    },
  },
  {
    method: "get",
    path: "findings",
    needs: "view",
    summary: "Checks an instance's texts, and lists the findings by line and language.",
    query: INSTANCE,
    answer: async (call) => {
      const instance = instanceOf(call, call.query.get("instance"));
      if (instance === null) return noInstance;
      return answerValue({ findings: (await findFindings(call, instance)).lines });
    },
  },
  {
    method: "get",
    path: "texts/{locale}/{key}",
    needs: "view",
    summary:
      "Returns a line in one language: all of its texts, previews and findings, and the readers of other languages who get it.",
    query: { ...INSTANCE, ...CHANNEL, draft: "`yes`: with the changes of your draft." },
    answer: async (call) => {
      const { path, query } = call;
      const snapshot = query.get("draft") === "yes" ? await loadDrafted(call) : call.snapshot;
      const instance = instanceOf(call, query.get("instance"));
      if (instance === null) return noInstance;
      const { key = "", locale = "" } = path;
      if (!isLine(snapshot, instance, locale, key)) return refuseMissingLine(locale, key);
      const details = createLineDetails(
        snapshot,
        instance,
        query.get("channel") ?? "",
        locale,
        key,
      );
      const { lines, places } = await findFindings(call, instance);
      return answerValue({
        ...details,
        hash: (await readReviewable(call.core, snapshot, instance, locale, key))?.text ?? null,
        findings: lines.filter((one) => one.key === key && one.locale === locale),
        places: places.filter((one) => one.key === key && one.locale === locale),
      });
    },
  },
  {
    method: "get",
    path: "reviews",
    needs: "view",
    summary:
      "Lists the lines that somebody has reviewed and found right: who and when, and whether the text that they were translated from has changed since.",
    query: INSTANCE,
    answer: async (call) => {
      const instance = instanceOf(call, call.query.get("instance"));
      if (instance === null) return noInstance;
      const stored = (await call.files?.editing.reviews()) ?? [];
      return answerValue({ reviews: await reviewsOf(call.core, call.snapshot, instance, stored) });
    },
  },
  {
    method: "get",
    path: "translations",
    needs: "view",
    summary: "Exports an instance's texts as a translator's file, for `POST translations`.",
    query: {
      ...INSTANCE,
      format: "`csv` (default) or `xliff` (1.2).",
      locales: "Languages, separated by commas. Default: all but the one that is translated from.",
      lines: "Keys of lines, separated by commas. Default: all.",
    },
    answer: async (call) => {
      const { files, query } = call;
      const instance = instanceOf(call, query.get("instance"));
      if (instance === null) return noInstance;
      const format = query.get("format") ?? "csv";
      if (format !== "csv" && format !== "xliff")
        return refuseWith(422, "`format` is csv or xliff.");
      const listValues = (name: string): readonly string[] =>
        (query.get(name) ?? "").split(",").filter((one) => one !== "");
      const [locales, keys] = [listValues("locales"), listValues("lines")];
      if (files === null) return refuseWith(409, "The configuration did not come from files.");
      return files.exportTexts({ instance: instance.name, format, locales, keys });
    },
  },
  {
    method: "get",
    path: "situations",
    needs: "view",
    summary: "Lists the situations of preset answers, each with an example of the answer.",
    answer: () => answerValue({ situations: listSituations() }),
  },
  {
    method: "post",
    path: "explain",
    needs: "view",
    summary:
      "Rewrites an engine's answer as a trial. Returns what a reader would see, and why. Nothing is sent or stored.",
    body: {
      body: "The engine's answer: its JSON, as a string.",
      ...INSTANCE,
      locale: "The reader's language tag.",
      channel: "The channel, such as `web` or `voice`.",
      env: "The conversation's environment.",
      userType: "The conversation's user type.",
      source: "The value of the header `x-inbenta-source`.",
      question: "What the reader typed.",
      option: "What the reader clicked.",
      variables: { type: "object", description: "Conversation variables." },
      draft: { type: "boolean", description: "true: with the changes of your draft." },
    },
    answer: async (call) => {
      const { body } = call;
      const snapshot = body["draft"] === true ? await loadDrafted(call) : call.snapshot;
      const instance = instanceOf(call, textIn(body, "instance"));
      if (instance === null) return noInstance;
      const answer = textIn(body, "body");
      if (answer === null) return refuseWith(422, "Send the engine's answer as a text in `body`.");
      if (hasTooManyAnswers(answer)) return refuseWith(422, tooManyAnswers);
      const request = { message: textIn(body, "question"), option: textIn(body, "option") };
      const { places } = await findFindings(call, instance);
      return answerValue(
        explainBody(snapshot, answer, places, {
          instance: instance.name,
          locale: textIn(body, "locale"),
          channel: textIn(body, "channel"),
          env: textIn(body, "env"),
          userType: textIn(body, "userType"),
          source: textIn(body, "source"),
          variables: textsIn(body["variables"]),
          request: request.message === null && request.option === null ? null : request,
        }),
      );
    },
  },
  {
    method: "get",
    path: "requests",
    needs: "view",
    summary: "Lists the latest 200 exchanges of each instance: what was done and why, no bodies.",
    query: {
      instance: "An instance's name: lists its exchanges, and those of no instance. Default: all.",
    },
    answer: ({ core, grant, query }) =>
      answerValue({
        requests: listExchanges(core, query.get("instance")).filter(({ instance }) =>
          maySee(grant, instance),
        ),
      }),
  },
  {
    method: "get",
    path: "coverage",
    needs: "view",
    summary: "Lists the source of the text for every flag and language of each instance.",
    answer: ({ grant, snapshot }) =>
      answerValue(coverageOf(snapshot.config).filter(({ instance }) => maySee(grant, instance))),
  },
  {
    method: "get",
    path: "health",
    needs: "view",
    summary:
      "Returns the version that runs, the findings of the last reload and of the check, and whether the upstream answers.",
    answer: async ({ core, files, grant, snapshot, info }) => {
      const bound = grant.instances !== null;
      return answerValue({
        version: info.version,
        snapshot: snapshot.config.hash,
        draining: info.draining(),
        ...info.details(!bound),
        disabled: core.disabled,
        // A token must not see findings in files of other instances.
        findings: bound ? [] : ((await files?.read())?.findings ?? []),
        unexpected: countUnexpectedFlags(
          core.recent.read().filter(({ instance }) => maySee(grant, instance)),
        ),
        readable: files !== null,
      });
    },
  },
  {
    method: "post",
    path: "doctor",
    needs: "admin",
    summary:
      "Makes the calls of a client through this gateway: token, discovery, conversation and message. Returns the result of each step, and the remedy if it failed.",
    body: {
      instance: "The instance whose credentials are used. Default: the first with any.",
    },
    answer: async ({ body, core, files, grant, send, snapshot: { config } }) => {
      const account = accountIn(config.instances, textIn(body, "instance"));
      if (account === null) return refuseBy("no-credentials", { setting: CREDENTIALS });
      // The gateway's address, if it is known, which discovery's answers are based on.
      const url = (config.listen.publicUrl ?? "http://127.0.0.1").replace(/\/$/, "");
      const lastFailure = (): string | null => core.upstreamState.read().failure;
      await files?.editing.record(grant, "doctor", account.instance.name);
      const findings = await examine(
        { url, lastFailure, adminToken: core.admin.token },
        account,
        send,
      );
      return answerValue({ instance: account.instance.name, findings });
    },
  },
  {
    method: "get",
    path: "escalations",
    needs: "admin",
    summary:
      "Lists the conversations that are being handed over, at most 500, with the calls whose outcome is unknown.",
    answer: async ({ core }) =>
      answerValue((await core.escalations?.listOpen(500)) ?? { escalations: [] }),
  },
  {
    method: "post",
    path: "escalations",
    needs: "admin",
    summary: "Decides about a call whose outcome is unknown. The reader is not notified.",
    body: {
      conversation: "The conversation, as `GET escalations` lists it.",
      kind: "The kind of the call: `ticket` or `chat`.",
      epoch: { type: "integer", description: "The call's epoch, as listed." },
      settle:
        "`retry`: the ticket or chat does not exist, so make the call again. `done`: it exists. `drop`: give up.",
    },
    answer: async ({ body, core, files, grant }) => {
      const settled = await core.escalations?.settle(body);
      if (settled === undefined) return refuseWith(404, "Nobody is handed over here.");
      if (settled.kind !== "done") return refuseWith(SETTLE_FAULTS[settled.kind], settled.why);
      const { conversation, epoch, kind, settle } = body;
      const details = `${String(settle)} ${String(kind)} ${String(epoch)} of ${String(conversation)}`;
      await files?.editing.record(grant, "escalation", details);
      return answerValue(settled.escalation);
    },
  },
  ...INSIGHTS_OPERATIONS,
  ...CONTENT_OPERATIONS,
  ...DRAFT_OPERATIONS,
  ...IMPORT_OPERATIONS,
];

const CREDENTIALS = "credentials: { apiKey: ..., secret: ... }";

const SETTLE_FAULTS = { absent: 404, malformed: 422, "not-possible": 409 } as const;

function isInForce(reload: unknown): boolean {
  return !isRecord(reload) || reload["state"] !== "failed";
}
