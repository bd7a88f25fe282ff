import type { QuestionGroup, ReportFilter } from "./facts.ts";
import { MIN_SHOWN, readUsed } from "./question-store.ts";
import { type KeptQuestions, type QuestionLanguages, UNANSWERED } from "./questions.ts";
import { REDACTED } from "./redaction/redact.ts";
import { toContentLine } from "./shown-lines.ts";
import type { InsightsDatabase, QuestionTable } from "./tables.ts";

/**
 * Reads the groups that were asked in this time, those of most conversations first: without an
 * answer, or answered by one content. A group without an answer that a content would answer by now
 * is noted as answered when that is first seen.
 */
export async function readQuestions(
  database: InsightsDatabase,
  { from, to, instances, questions: most = 100, contents = "all", dismissed }: ReportFilter,
  kept: KeptQuestions,
  now: number,
): Promise<readonly QuestionGroup[]> {
  const { kysely } = database;
  const known = await kysely
    .selectFrom("insight_questions")
    .select("instance")
    .distinct()
    .execute();
  const named = known.map(({ instance }) => instance);
  const seen = instances === null ? named : named.filter((one) => instances.includes(one));
  if (seen.length === 0) return [];
  const own = seen.filter(kept.isOwn);
  let query = kysely
    .selectFrom("insight_questions")
    .selectAll()
    .where("instance", "in", seen)
    .where("typed", ">=", now - kept.retention)
    .where((where) =>
      where.or([
        where("conversations", ">=", MIN_SHOWN),
        ...(own.length === 0 ? [] : [where("instance", "in", own)]),
      ]),
    );
  query =
    contents === "all"
      ? query.where("line", "=", UNANSWERED)
      : query
          .where("line", "=", toContentLine(contents.id))
          .where("language", "=", contents.language);
  if (dismissed !== true) query = query.where("dismissed", "=", 0);
  if (from !== null) query = query.where("last", ">=", Date.parse(from));
  if (to !== null) query = query.where("last", "<", Date.parse(to) + 86_400_000);
  const rows = await query
    .orderBy("conversations", "desc")
    .orderBy("asked", "desc")
    .orderBy("last", "desc")
    .limit(most)
    .execute();
  const groups: QuestionGroup[] = [];
  const answered: { readonly id: number; readonly content: number }[] = [];
  for (const row of rows) {
    const group = await toGroup(row, kept, now);
    groups.push(group);
    if (row.line === UNANSWERED && row.answered === null && group.answered !== null) {
      answered.push({ id: row.id, content: group.answered.content });
    }
    // Each search examines all contents, so other work runs in between.
    if (groups.length % 10 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  await noteAnswered(database, answered, now);
  return groups;
}

async function toGroup(
  row: QuestionTable,
  kept: KeptQuestions,
  now: number,
): Promise<QuestionGroup> {
  const { id, instance, language, line, speaker, asked, conversations, first, last } = row;
  const isOwn = kept.isOwn(instance);
  const text = isOwn ? row.text : hideRareWords(row, kept.languages);
  const nearest = isOwn ? await kept.nearest?.(instance, language, toPlain(row.text)) : null;
  const since = new Date(row.answered ?? now).toISOString();
  return {
    id: String(id),
    instance,
    language,
    text,
    line,
    speaker,
    asked,
    conversations,
    first: new Date(first).toISOString(),
    last: new Date(last).toISOString(),
    nearest: nearest ?? null,
    answered:
      line === UNANSWERED && nearest?.verdict === "answers" ? { content: nearest.id, since } : null,
    dismissed: row.dismissed === 1,
    demo: row.demo === 1,
  };
}

/**
 * Hides words of a shown question that fewer conversations used than a question needs to be shown:
 * such a word may be a name that nobody recognized.
 */
function hideRareWords(
  { text, language, used }: QuestionTable,
  { comparerOf }: QuestionLanguages,
): string {
  const counts = readUsed(used);
  const shown = comparerOf(language)
    .cut(text)
    .map((piece) =>
      piece.stems.every((stem) => (counts[stem] ?? 0) >= MIN_SHOWN) ? piece.text : REDACTED,
    )
    .join("");
  return shown.replaceAll(REPEATED, REDACTED);
}

const REPEATED = /\[…\](?:\s*\[…\])+/gu;

function toPlain(text: string): string {
  return text.replaceAll(REDACTED, " ");
}

/** Records the time since which a content would answer each of these groups. */
async function noteAnswered(
  database: InsightsDatabase,
  groups: readonly { readonly id: number; readonly content: number }[],
  now: number,
): Promise<void> {
  if (groups.length === 0) return;
  await database.transaction(async (queries) => {
    for (const { id, content } of groups) {
      await queries
        .updateTable("insight_questions")
        .set({ answered: now, content })
        .where("id", "=", id)
        .execute();
    }
  });
}
