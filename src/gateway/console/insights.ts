import type { InsightsAnswer } from "../../api/console.ts";
import { isCalendarDate } from "../../direct-answers/default-content.ts";
import { maySee } from "./access.ts";
import { refuseWith, answerValue } from "./answer.ts";
import { type ConsoleOperation, instanceOf, noInstance } from "./operation.ts";

/** The operation of the console's API that reports what readers ran into. */
export const INSIGHTS_OPERATIONS: readonly ConsoleOperation[] = [
  {
    method: "get",
    path: "insights",
    needs: "view",
    summary: "How often each line was said, in which language, by whom, and what readers did next.",
    query: {
      from: "The first day, as 2026-11-01, in UTC.",
      to: "The last day.",
      instance: "An instance's name. Default: all that the token may see.",
      channel: "Lines of this channel only. Default: of all.",
      days: "`no`: without the counts per day.",
    },
    answer: async (call) => {
      const { core, grant, query, snapshot } = call;
      if (core.insights === null) {
        return refuseWith(409, "Nothing is counted here: the configuration has no `insights`.");
      }
      const [from = null, to = null] = ["from", "to"].map((name) => query.get(name) || null);
      const wrong = [from, to].find((day) => day !== null && !isCalendarDate(day));
      if (wrong !== undefined) {
        return refuseWith(422, `A day such as 2026-11-01 is needed, not "${wrong}".`);
      }
      if (from !== null && to !== null && to < from)
        return refuseWith(422, "`to` is before `from`.");
      const named = query.get("instance") || null;
      if (named !== null && instanceOf(call, named) === null) return noInstance;
      const seen = snapshot.config.instances.map(({ name }) => name);
      const instances =
        named === null ? grant.instances && seen.filter((name) => maySee(grant, name)) : [named];
      const channel = query.get("channel") || null;
      const report = await core.insights.report({
        ...{ from, to, instances, days: query.get("days") !== "no" },
        ...(channel !== null && { channel }),
      });
      return answerValue(report satisfies InsightsAnswer);
    },
  },
];
