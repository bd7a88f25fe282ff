import { ACCEPT_BOTH } from "./areas/accept-both.ts";
import { AUTHENTICATION } from "./areas/authentication.ts";
import { CASE_MANAGEMENT } from "./areas/case-management.ts";
import { CHAT } from "./areas/chat.ts";
import { CHATBOT } from "./areas/chatbot.ts";
import { COMMON } from "./areas/common.ts";
import { DISCOVERY } from "./areas/discovery.ts";
import { KNOWLEDGE } from "./areas/knowledge.ts";
import type { Row } from "./rows.ts";

/** All statements of the specification, and the tests that prove them. */
export const CHECKLIST: readonly Row[] = [
  ...DISCOVERY,
  ...AUTHENTICATION,
  ...CASE_MANAGEMENT,
  ...KNOWLEDGE,
  ...CHAT,
  ...CHATBOT,
  ...COMMON,
  ...ACCEPT_BOTH,
];

/**
 * The number of statements in each section of the specification: rows, numbered rules, limits,
 * states, headers, dated changes and sentences, including what it leaves open; then the reference's
 * README.md, whose table "Accept both" has two rows here for each of its own. A missing row fails
 * here.
 */
export const COUNTS: Readonly<Record<string, number>> = {
  "0": 1,
  "1": 7,
  "2": 5,
  "3": 9,
  "4": 12,
  "5.1": 19,
  "5.2": 5,
  "5.3": 5,
  "6.1": 11,
  "6.2": 26,
  "6.3": 17,
  "6.4": 2,
  "7.1": 8,
  "7.2": 15,
  "7.3": 15,
  "7.4": 7,
  "7.5": 2,
  "8.1": 2,
  "8.2": 34,
  "8.3": 2,
  "9": 11,
  "10": 33,
  "accept-both": 63,
  "error-bodies": 4,
  rules: 5,
  readings: 4,
};
