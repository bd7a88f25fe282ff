import { MAX_QUESTIONS } from "../../api/console-insights.ts";
import { readAddress } from "../../config/schema/address.ts";
import { AfterwordError } from "../../errors.ts";
import type { Insights, InsightsReport, ReportFilter } from "../../insights/facts.ts";
import { isRecord, parseJson } from "../../json/values.ts";
import { type Arguments, createArgumentError } from "../command/arguments.ts";
import type { Terminal } from "../command/command.ts";

/** Milliseconds: a year of many instances takes a while. */
const patience = 60_000;

/**
 * Insights of a running gateway of either kind, read and erased through its API.
 *
 * @param written the address of `--url`
 */
export function openRunningGateway(
  written: string,
  { command }: Arguments,
  { env }: Terminal,
): Pick<Insights, "report" | "erase"> {
  const address = readAddress(written);
  if (address.kind !== "http") {
    const why = address.kind === "refused" ? address.message : "an address is needed here";
    throw createArgumentError(command, `--url: ${why}`);
  }
  const token = env["AFTERWORD_ADMIN_TOKEN"] ?? "";
  if (token === "") {
    const why = "--url needs the token of that gateway in AFTERWORD_ADMIN_TOKEN";
    throw createArgumentError(command, why);
  }
  const route = `${address.base}/_afterword/api/insights`;
  return {
    report: async (filter) => toReport(await call("GET", queryOf(filter))),
    async erase({ instances, demo }) {
      const answer = await call("DELETE", {
        instance: instances?.[0] ?? null,
        demo: demo ? "yes" : null,
      });
      return isRecord(answer) ? Number(answer["rows"]) : 0;
    },
  };

  async function call(
    method: "GET" | "DELETE",
    query: Readonly<Record<string, string | null>>,
  ): Promise<unknown> {
    const given = Object.entries(query).filter(([, value]) => value !== null);
    const search = new URLSearchParams(given.map(([name, value]) => [name, value ?? ""]));
    const response = await fetch(`${route}?${search.toString()}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      // The token is for this address alone.
      redirect: "error",
      signal: AbortSignal.timeout(patience),
    }).catch((error: unknown) => {
      throw createCallError(`no answer: ${reasonOf(error)}`);
    });
    const answer = parseJson(await response.text());
    if (response.ok && isRecord(answer)) return answer;
    throw createCallError(messageIn(answer) ?? `it answered ${response.status}`);
  }

  function createCallError(why: string): AfterwordError {
    return new AfterwordError("call-failed", `${route}: ${why}`);
  }
}

function queryOf({ from, to, instances, questions, contents }: ReportFilter) {
  return {
    from,
    to,
    instance: instances?.[0] ?? null,
    contents: contents === "all" ? contents : null,
    questions: questions === undefined ? null : String(Math.min(questions, MAX_QUESTIONS)),
  };
}

/** Every gateway of this version returns them; other servers have no messages. */
function toReport(answer: unknown): InsightsReport {
  if (!isRecord(answer) || typeof answer["messages"] !== "number") {
    throw new AfterwordError("call-failed", "what answered is no Afterword of this version");
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API's own report
  return answer as unknown as InsightsReport;
}

/** The message of the API's errors. */
function messageIn(answer: unknown): string | null {
  const errors: unknown = isRecord(answer) ? answer["errors"] : null;
  const [first]: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return isRecord(first) && typeof first["message"] === "string" ? first["message"] : null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
