import { isRecord, listMember, memberOf, textMember } from "../read.ts";
import type { AnsweredContent, AnswerOption, ConversationAnswer, HistoryEntry } from "./types.ts";

/**
 * Reads one answer. Old services leave out `flags`, `options`, `messageList` or `attributes`, or
 * send null: each becomes empty here, and `message` and `messageList` stand in for one another.
 */
export function readAnswer(value: unknown): ConversationAnswer {
  const list = texts(listMember(value, "messageList"));
  const message = textMember(value, "message") ?? list.join("\n");
  return {
    type: textMember(value, "type") ?? "answer",
    message,
    messageList: list.length > 0 ? list : message === "" ? [] : [message],
    flags: texts(listMember(value, "flags")),
    options: listMember(value, "options").flatMap((option) => readOption(option) ?? []),
    attributes: objectOf(memberOf(value, "attributes")),
    contents: readContent(memberOf(memberOf(value, "parameters"), "contents")),
    actions: listMember(value, "actions").map((action) => objectOf(action)),
    raw: objectOf(value),
  };
}

function readContent(value: unknown): AnsweredContent | null {
  if (!isRecord(value)) return null;
  const codes = memberOf(value, "trackingCode");
  const related = memberOf(value, "related");
  return {
    title: textMember(value, "title") ?? "",
    clickCode: textMember(codes, "clickCode"),
    rateCode: textMember(codes, "rateCode"),
    relatedTitle: textMember(related, "relatedTitle"),
    related: listMember(related, "relatedContents").flatMap((one) => {
      const id = memberOf(one, "id");
      const title = textMember(one, "title");
      const usable = typeof id === "number" || typeof id === "string";
      return title === null ? [] : [{ id: usable ? id : "", title }];
    }),
    url: textMember(memberOf(value, "url"), "value"),
  };
}

export function readHistoryEntry(value: unknown): HistoryEntry {
  return {
    user: textMember(value, "user") ?? "",
    message: textMember(value, "message") ?? "",
    messageList: texts(listMember(value, "messageList")),
    datetime: textMember(value, "datetime") ?? "",
  };
}

function readOption(value: unknown): AnswerOption | null {
  const given = memberOf(value, "value");
  if (typeof given !== "number" && typeof given !== "string") return null;
  return {
    label: textMember(value, "label") ?? String(given),
    value: given,
    revisitableLink: textMember(value, "revisitableLink"),
    attributes: objectOf(memberOf(value, "attributes")),
  };
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
