import { readSource } from "../../yaml/read-file.ts";
import { createReporter, diagnosticsAsText, type Reporter } from "../../yaml/diagnostic.ts";
import type { Source } from "../../yaml/source.ts";
import { DEFAULT_MATCHING } from "../../matching/types.ts";
import { formatOption, requireOnlyPositional, readFormat } from "../command/arguments.ts";
import { type ContentBase, baseOptions, openContentBase } from "../backend/content-base.ts";
import { formatCount } from "../command/counted.ts";
import type { Command } from "../command/command.ts";
import { parseRecords } from "../../config/translation/csv.ts";
import { readCell } from "../../config/translation/spreadsheet-cell.ts";

export const backendTestCommand: Command = {
  name: "backend test",
  usage:
    "QUESTIONS.csv [--language L] [--content DIR] [--database ADDRESS] [--config FILE] [--format text|json]",
  options: [...baseOptions, formatOption],
  positionals: 1,
  async run(args, terminal) {
    const format = readFormat(args);
    const file = requireOnlyPositional(args, "name a CSV file with the columns question and id");
    const base = await openContentBase(args, terminal);
    const reporter = createReporter();
    const source = readSource(file, maxFileLength, reporter);
    const questions = source === null ? [] : readQuestions(source, base, reporter);
    if (reporter.failed()) {
      terminal.error(diagnosticsAsText(reporter.diagnostics()));
      return 1;
    }
    const asked = questions.map((question) => ask(question, base));
    const curve = thresholds.map((threshold) => pointAt(threshold, asked));
    const proposed = proposedOf(curve, asked);
    terminal.out(
      format === "json"
        ? `${JSON.stringify({ questions: asked, curve, proposed }, null, 2)}\n`
        : formatText(asked, curve, proposed, base),
    );
    return 0;
  },
};

export const backendExplainCommand: Command = {
  name: "backend explain",
  usage:
    '"QUESTION" [--language L] [--content DIR] [--database ADDRESS] [--config FILE] [--format text|json]',
  options: [...baseOptions, formatOption],
  positionals: 1,
  async run(args, terminal) {
    const format = readFormat(args);
    const question = requireOnlyPositional(args, "name a question, in quotes");
    const { matcher, titles, language } = await openContentBase(args, terminal);
    const { hits, words } = matcher.explain(question);
    const { offer } = matcher.search(question, 1);
    const named = hits.map((hit) => ({ ...hit, title: titles.get(hit.id) ?? "" }));
    if (format === "json") {
      terminal.out(`${JSON.stringify({ question, language, hits: named, words }, null, 2)}\n`);
      return 0;
    }
    const [best, ...others] = named;
    if (best === undefined) {
      terminal.out("No content shares anything with this question: no-results.\n");
      return 0;
    }
    const says =
      best.score >= DEFAULT_MATCHING.threshold
        ? "answers"
        : best.score >= offer
          ? "is offered"
          : "comes closest and does not answer";
    const lines = [`${best.id} "${best.title}" ${says}: ${formatVerdict(best)}`];
    for (const { word, weight, by, share } of words) {
      const sign = share >= 0.5 ? "for    " : "against";
      const why = by === null ? "no phrase has it" : share === 1 ? `in "${by}"` : `near "${by}"`;
      lines.push(`  ${sign} ${word}: ${why}, weight ${weight.toFixed(1)}`);
    }
    if (words.length === 0) lines.push("  no word of it says what is wanted");
    for (const other of others) lines.push(`${other.id} "${other.title}": ${formatVerdict(other)}`);
    terminal.out(`${lines.join("\n")}\n`);
    return 0;
  },
};

const maxFileLength = 4_194_304;
const thresholds = Array.from({ length: 19 }, (_, step) => (step + 1) / 20);

interface Question {
  readonly question: string;
  /** The content that answers it; null if none does. */
  readonly id: number | null;
}

interface Asked extends Question {
  readonly found: number | null;
  /** The score of the best content: from 0 to 1. */
  readonly score: number;
  /** The score from which on it is offered. */
  readonly offer: number;
  /** True when the expected content is found, alone or among several with equal scores. */
  readonly right: boolean;
}

/** The result of all questions at one threshold. */
interface Point {
  readonly threshold: number;
  /** The questions that a content answers: those answered rightly, and wrongly. */
  readonly right: number;
  readonly wrong: number;
  /** The questions without an answer that were refused. */
  readonly refused: number;
}

function readQuestions(
  source: Source,
  { titles }: ContentBase,
  reporter: Reporter,
): readonly Question[] {
  const [header, ...rows] = parseRecords(source, reporter) ?? [];
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const [question, id] = [names.indexOf("question"), names.indexOf("id")];
  if (question === -1 || id === -1) {
    const message = "the first line must name the columns question and id";
    const hint = "Leave id empty for a question that no content answers.";
    reporter.error(source, header?.span ?? { start: 0, end: 0 }, "missing-key", message, hint);
    return [];
  }
  return rows.flatMap(({ cells, span }): Question[] => {
    const text = readCell(cells[question] ?? "").trim();
    const written = (cells[id] ?? "").trim();
    if (text === "" && written === "") return [];
    if (written === "") return [{ question: text, id: null }];
    if (/^\d{1,15}$/.test(written) && titles.has(Number(written)) && text !== "") {
      return [{ question: text, id: Number(written) }];
    }
    const message = text === "" ? "this row has no question" : `no content has the id "${written}"`;
    reporter.error(source, span, "unknown-reference", message);
    return [];
  });
}

function ask({ question, id }: Question, { matcher }: ContentBase): Asked {
  const { hits, rivals, offer } = matcher.search(question, 1);
  const [best] = hits;
  const near = new Set([best?.id, ...rivals.map((rival) => rival.id)]);
  const right = id !== null && near.has(id);
  return { question, id, found: best?.id ?? null, score: best?.score ?? 0, offer, right };
}

function pointAt(threshold: number, asked: readonly Asked[]): Point {
  const answered = asked.filter(({ id, score }) => id !== null && score >= threshold);
  const right = answered.filter((one) => one.right).length;
  const refused = asked.filter(({ id, score }) => id === null && score < threshold).length;
  return { threshold, right, wrong: answered.length - right, refused };
}

/**
 * Finds the score where the shares of right answers and of refusals add up to most; null without
 * either kind.
 */
function proposedOf(curve: readonly Point[], asked: readonly Asked[]): number | null {
  const inside = asked.filter(({ id }) => id !== null).length;
  const outside = asked.length - inside;
  if (inside === 0 || outside === 0) return null;
  const measureWorth = ({ right, wrong, refused }: Point): number =>
    (right - wrong) / inside + refused / outside;
  const most = Math.max(...curve.map(measureWorth));
  // Among equal scores, the middle is furthest from both kinds of mistakes.
  const equal = curve.filter((point) => measureWorth(point) > most - 1e-9);
  return equal[Math.floor(equal.length / 2)]?.threshold ?? null;
}

function formatText(
  asked: readonly Asked[],
  curve: readonly Point[],
  proposed: number | null,
  { titles, language, phrases }: ContentBase,
): string {
  const inside = asked.filter(({ id }) => id !== null).length;
  const outside = asked.length - inside;
  const { threshold } = DEFAULT_MATCHING;
  const formatTitle = (id: number | null): string =>
    id === null ? "nothing" : `${id} "${titles.get(id) ?? ""}"`;
  const amiss = asked.filter(({ id, score, offer, right }) =>
    id === null ? score >= offer : score < offer || !right,
  );
  const lines = [
    `${formatCount(asked.length, "question")} about ${formatCount(titles.size, "content")} with ${formatCount(phrases, "phrase")} in ${language}: ${inside} that a content answers, ${outside} that none does.`,
    "",
    ...amiss.map(({ question, id, found, score, offer }) => {
      const what =
        score >= threshold
          ? formatTitle(found)
          : score >= offer
            ? `offered ${formatTitle(found)}`
            : "no answer";
      return `"${question}": ${what} (${score.toFixed(2)}), meant ${formatTitle(id)}`;
    }),
    ...(amiss.length === 0 ? [] : [""]),
    "threshold   right   wrong   refused",
    ...curve.map((point) =>
      [
        point.threshold.toFixed(2).padStart(9),
        formatPercent(point.right, inside),
        formatPercent(point.wrong, inside),
        formatPercent(point.refused, outside),
        ...(point.threshold === proposed ? ["proposed"] : []),
      ].join("   "),
    ),
    "",
    proposed === null
      ? "Add questions of both kinds, with an id and without one, and a threshold is proposed."
      : `backend: { matching: { threshold: ${proposed} } }`,
  ];
  return `${lines.join("\n")}\n`;
}

function formatPercent(part: number, whole: number): string {
  return whole === 0 ? "    -" : `${((100 * part) / whole).toFixed(0).padStart(3)} %`;
}

function formatVerdict({
  score,
  exact,
}: {
  readonly score: number;
  readonly exact: boolean;
}): string {
  return exact ? "it is one of its phrases" : `score ${score.toFixed(2)}`;
}
