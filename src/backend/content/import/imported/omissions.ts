import { fillPlaces } from "../../../../text.ts";

/**
 * A part of another bot or of a sheet that did not come over unchanged, by its code: the sentence of
 * the command line. The console says `left-<code>` of `locales/pages/` instead.
 */
const OMISSIONS = {
  "row-no-answer": "Row {row}, column {column}: “{text}” has no answer.",
  "row-no-question": "Row {row}, column {column}: the answer “{text}” has no question.",
  "row-repeated": "Row {row}, column {column}: “{text}” is already in row {other}.",
  "row-same-key": "Row {row}, column {column}: row {other} has the same key and another answer.",
  "row-doubtful":
    "Row {row}, column {column}: “{text}” comes along unpublished. Look at its answer first.",
  "row-above": "Row {row} stands above the headings and does not come along: “{text}”.",
  "column-unused": "Column {column} does not come along. Cells with a text: {count}.",
  "no-question": "Nothing that readers ask leads to it.",
  "no-answer": "It has no answer of its own.",
  "other-wording": "Only the first wording comes along, because a content has one answer.",
  "other-way": "It answers the same question in another way, and a content has one answer.",
  condition: "It is only said under a condition. A content says the same to everybody.",
  channel: "It is only said in one channel. A content says the same in all of them.",
  rich: "A content has text, images and choices, and nothing else.",
  entity: "It finds values in a question. Its synonyms come along; a form asks for values.",
  form: "It asks readers for values. Write it as a form.",
  program: "It is a program. A form can call one through a webhook.",
  "answered-by-program":
    "A flow or a program answers it. Write what it says as a content or as a form.",
  "goes-on": "The dialog goes on elsewhere. Write that as choices or as a form.",
  below:
    "It is only said after another node. Write it as a content, and offer it there as a choice.",
  "other-condition": "Its condition is not an intent alone.",
  choice: "This choice leads to no content.",
  line: "Write it as the line “{line}” of your texts.",
  "small-talk": "Its questions are not in the export. Write those that you need as contents.",
  template: "It is a template, which has no words of its own.",
  counterexample: "It is an example of what the bot does not answer. Contents need none.",
  file: "Nothing in this file becomes a content.",
  "file-rasa":
    "This is neither YAML nor Markdown of Rasa. JSON is converted by “rasa data convert”.",
  present: "This question is already among your contents, with the same answer.",
  "present-other":
    "This question is already among your contents, with another answer. That answer stays.",
  hidden:
    "It comes along hidden, because it is said after another step. Offer it as a choice of another content.",
  "unpublished-value": "It comes along unpublished: the other bot fills in a value.",
  "unpublished-html": "It comes along unpublished: its HTML is broken.",
  "unpublished-program": "It comes along unpublished: a program is part of the answer.",
  "unpublished-form": "It comes along unpublished: it asks readers for values. Write it as a form.",
  "unpublished-condition": "It comes along unpublished: some of it is only said under a condition.",
  "unpublished-element": "It comes along unpublished: its answer is not in the file.",
} as const;

export type OmissionCode = keyof typeof OMISSIONS;
export const OMISSION_CODES: readonly string[] = Object.keys(OMISSIONS);

type Places<Sentence> = Sentence extends `${string}{${infer Place}}${infer Rest}`
  ? Place | Places<Rest>
  : never;

/** The values of a code's sentence. */
export type OmissionParams<Code extends OmissionCode> = Readonly<
  Record<Places<(typeof OMISSIONS)[Code]>, string | number>
>;

/** The code of an omission with the values of its sentence. */
export type OmissionReason = {
  [Code in OmissionCode]: [Places<(typeof OMISSIONS)[Code]>] extends [never]
    ? { readonly code: Code; readonly params?: undefined }
    : { readonly code: Code; readonly params: OmissionParams<Code> };
}[OmissionCode];

/** A part that did not come over unchanged. */
export type Omission = OmissionReason & OmissionPart;

export interface OmissionPart {
  readonly file: string;
  /** From 1; null for a file as a whole, and where JSON has no lines. */
  readonly line: number | null;
  /** The part as the other bot names it, such as `slot "name"`; null if the sentence names it. */
  readonly part: string | null;
  /** Its own text, shortened; null if it has none, or the sentence quotes it. */
  readonly text?: string | null;
}

/** Says in English why a part stays behind. */
export function describeOmission({ code, params }: OmissionReason): string {
  return fillPlaces(OMISSIONS[code], params ?? {});
}
