import type { Grant } from "../../api/console-session.ts";
import { type InsightsAnswer, MAX_QUESTIONS } from "../../api/console-insights.ts";
import { isCalendarDate } from "../../direct-answers/default-content.ts";
import type { ReportFilter } from "../../insights/facts.ts";
import { mayAct, maySee } from "./access.ts";
import { type ConsoleAnswer, refuseWith, answerValue } from "./answer.ts";
import { type Call, type ConsoleOperation, instanceOf, noInstance } from "./operation.ts";

/** The operations of the console's API that report what readers ran into. */
export const INSIGHTS_OPERATIONS: readonly ConsoleOperation[] = [
  {
    method: "get",
    path: "insights",
    needs: "view",
    summary:
      "Reports for a period how often readers got each line, in which language and from whom, and what they did next.",
    query: {
      from: "The first day, as 2026-11-01, in UTC.",
      to: "The last day, in the same form.",
      instance: "An instance's name. Default: all that the token may see.",
      channel: "A channel: counts only its lines. Default: all channels.",
      days: "`no`: leaves out the counts of each day.",
      questions: `How many groups of questions without an answer to list, from 1 to ${MAX_QUESTIONS}. Needs the role \`publish\`. Default: none.`,
      dismissed: "`yes`: includes the questions that owners have dismissed.",
      contents:
        "`all`, or a content such as `en/12`: reports how often contents of the embedded bot were the answer, and what readers did next. With a single content, `questions` lists those that it answered.",
    },
    answer: async (call) => {
      const { core, grant, query } = call;
      if (core.insights === null) return nothingCounted;
      const [from = null, to = null] = ["from", "to"].map((name) => query.get(name) || null);
      const wrong = [from, to].find((day) => day !== null && !isCalendarDate(day));
      if (wrong !== undefined) {
        return refuseWith(422, `A day such as 2026-11-01 is needed, not "${wrong}".`);
      }
      if (from !== null && to !== null && to < from)
        return refuseWith(422, "`to` is before `from`.");
      const instances = listAsked(call);
      if (instances === undefined) return noInstance;
      const channel = query.get("channel") || null;
      const most = readMost(query.get("questions"), grant);
      if (typeof most === "object") return most;
      const contents = readContents(query.get("contents"));
      if (contents === null) {
        const written = query.get("contents");
        return refuseWith(422, `\`contents\` is \`all\` or such as \`en/12\`, not "${written}".`);
      }
      const report = await core.insights.report({
        from,
        to,
        instances,
        days: query.get("days") !== "no",
        ...(channel !== null && { channel }),
        ...(most !== undefined && { questions: most }),
        ...(query.get("dismissed") === "yes" && { dismissed: true }),
        ...(contents !== undefined && { contents }),
      });
      return answerValue(report satisfies InsightsAnswer);
    },
  },
  {
    method: "put",
    path: "insights/questions/{id}",
    needs: "publish",
    summary:
      "Dismisses a group of questions without an answer, or lists it again, for everyone who uses the console.",
    body: { dismissed: { type: "boolean" } },
    answer: async (call) => {
      const { core, files, grant, path, body, snapshot } = call;
      if (core.insights === null) return nothingCounted;
      const id = Number(path["id"]);
      const { dismissed } = body;
      if (!Number.isSafeInteger(id) || typeof dismissed !== "boolean") {
        return refuseWith(422, "Send the number of a group, and `dismissed` as true or false.");
      }
      const seen = snapshot.config.instances.map(({ name }) => name);
      const instances = grant.instances && seen.filter((name) => maySee(grant, name));
      if (!(await core.insights.dismiss({ id, instances, dismissed }))) {
        return refuseWith(404, `There is no group of questions ${id}.`);
      }
      const details = dismissed ? `${id}` : `${id} -`;
      await files?.editing.record(grant, "question-dismiss", details);
      return answerValue({ id: String(id), dismissed });
    },
  },
  {
    method: "delete",
    path: "insights",
    needs: "publish",
    summary:
      "Deletes the counts and questions of the insights for good, and returns the number of deleted rows.",
    query: {
      instance: "An instance's name. Default: all that the token may see.",
      demo: "`yes`: deletes only the data that a demo generated.",
    },
    answer: async (call) => {
      const { core, files, grant, query } = call;
      if (core.insights === null) return nothingCounted;
      const instances = listAsked(call);
      if (instances === undefined) return noInstance;
      const only = query.get("demo") || "no";
      if (only !== "yes" && only !== "no") {
        return refuseWith(422, `\`demo\` is yes or no, not "${only}".`);
      }
      const demo = only === "yes";
      const rows = await core.insights.erase({ instances, demo });
      const details = `${instances?.join(" ") ?? "*"}${demo ? " demo" : ""}: ${rows}`;
      core.platform.log("info", "insights-erased", { label: grant.label, details });
      await files?.editing.record(grant, "insights-erase", details);
      return answerValue({ rows });
    },
  },
];

/** Reads the requested contents; null if the value is invalid. */
function readContents(written: string | null): ReportFilter["contents"] | null {
  if (written === null || written === "") return undefined;
  if (written === "all") return written;
  const [, language = "", id = ""] = /^([A-Za-z0-9-]{2,35})\/(\d{1,15})$/.exec(written) ?? [];
  return language === "" ? null : { language, id: Number(id) };
}

const nothingCounted = refuseWith(
  409,
  "Nothing is counted here: the configuration has no `insights`.",
);

/** Finds the instances of a call; null for all, undefined if the token may not see the instance. */
function listAsked(call: Call): readonly string[] | null | undefined {
  const { grant, query, snapshot } = call;
  const named = query.get("instance") || null;
  if (named !== null) return instanceOf(call, named) === null ? undefined : [named];
  const seen = snapshot.config.instances.map(({ name }) => name);
  return grant.instances && seen.filter((name) => maySee(grant, name));
}

/**
 * Reads the requested number of groups of questions. Only tokens that may publish can see readers'
 * words.
 */
function readMost(written: string | null, grant: Grant): number | undefined | ConsoleAnswer {
  if (written === null || written === "") return undefined;
  const most = Number(written);
  if (!Number.isInteger(most) || most < 1 || most > MAX_QUESTIONS) {
    return refuseWith(
      422,
      `\`questions\` is a number from 1 to ${MAX_QUESTIONS}, not "${written}".`,
    );
  }
  return mayAct(grant, "publish")
    ? most
    : refuseWith(
        403,
        `Your token (${grant.label}) may not read questions: it needs the role publish.`,
      );
}
