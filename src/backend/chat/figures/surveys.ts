import { sql } from "kysely";
import type { SurveyQuestion } from "../../../api/chat/answers-figures.ts";
import { survey, type SurveyDefinition } from "../../../api/ticketing/schema.ts";
import type { BackendDatabase, Queries } from "../../storage/tables/database.ts";
import type { Period } from "./period.ts";

/**
 * Reads the answers to a project's surveys that began in the period, of every question with answers
 * from 0 to 10. Surveys of chats and of the chatbot are the project's, with or without a ticket.
 */
export async function readSatisfaction(
  { kysely: queries, dialect }: BackendDatabase,
  project: string,
  period: Period,
): Promise<readonly SurveyQuestion[]> {
  const each =
    dialect === "sqlite" ? sql`json_each(answers)` : sql`jsonb_each_text(answers::jsonb)`;
  const { rows } = await sql<Answered>`
    SELECT survey, given.key AS item, given.value AS value, count(*) AS count
    FROM survey_answers CROSS JOIN ${each} AS given
    WHERE project = ${project} AND created >= ${period.from} AND created < ${period.to}
      AND answers IS NOT NULL AND given.value IN (${sql.join(RATINGS)})
    GROUP BY survey, given.key, given.value`.execute(queries);
  const definitions = await readDefinitions(queries, new Set(rows.map((row) => row.survey)));
  const questions = Map.groupBy(rows, ({ survey: id, item }) => `${id}.${item}`);
  return [...questions]
    .flatMap(([id, answered]) => {
      const [first] = answered;
      const definition = first && definitions.get(first.survey);
      return definition === undefined
        ? []
        : questionOf(id, first?.item ?? "", definition, answered);
    })
    .toSorted((one, other) => other.answers - one.answers || one.id.localeCompare(other.id));
}

interface Answered {
  readonly survey: number;
  /** Number of the question. */
  readonly item: string;
  readonly value: string;
  readonly count: number;
}

const RATINGS = Array.from({ length: 11 }, (_, rating) => String(rating));

async function readDefinitions(
  queries: Queries,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, SurveyDefinition>> {
  if (ids.size === 0) return new Map();
  const rows = await queries
    .selectFrom("surveys")
    .select(["id", "document"])
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map(({ id, document }) => [id, survey.parse(JSON.parse(document))]));
}

function questionOf(
  id: string,
  item: string,
  { name, pages }: SurveyDefinition,
  answered: readonly Answered[],
): SurveyQuestion {
  const asked = pages.flatMap(({ items }) => items).find((one) => String(one.id) === item);
  const { label, title, text } = asked?.settings ?? {};
  const wording = [label, title, text].find((one) => typeof one === "string" && one.trim() !== "");
  const values = answered.map(({ value }) => Number(value));
  const answers = answered.reduce((sum, { count }) => sum + count, 0);
  const sum = answered.reduce((all, { value, count }) => all + Number(value) * count, 0);
  return {
    id,
    name,
    question: typeof wording === "string" ? wording : item,
    answers,
    average: Math.round((sum / answers) * 100) / 100,
    least: Math.min(...values),
    most: Math.max(...values),
  };
}
