/**
 * Limits of fields that have no stricter format: UTF-16 code units of texts, and entries of lists.
 * The API reference shows them.
 */
export const LIMITS = {
  /** Ids, codes and other texts that are only compared. */
  id: 200,
  /** Limited by the size of an index entry. */
  externalId: 255,
  /** Names of people, queues, apps, rooms and surveys. */
  name: 500,
  title: 1_000,
  /** The longest address that mail servers accept. */
  mailAddress: 254,
  /** Web addresses. */
  address: 2_000,
  secret: 500,
  /** A file's name. */
  fileName: 255,
  /** A file of 7 MB as base64, with line breaks and a `data:` in front. */
  fileContent: 10_485_760,
  /** A text that a person writes: a survey's answer, an extra field, a variable, a comment. */
  answer: 10_000,
  /** The text of a ticket or a reply. A hand-over writes a whole conversation into one ticket. */
  ticketMessage: 500_000,
  chatMessage: 10_000,
  /** How many notes agents keep about one chat. */
  chatNotes: 200,
  /** All canned answers of an app, as JSON. */
  cannedAnswers: 1_000_000,
  /** One line of an earlier conversation. */
  priorLine: 20_000,
  priorLines: 1_000,
  /** All lines of an earlier conversation that a chat begins with, as JSON. */
  priorText: 500_000,
  /**
   * As large as a body, because a question of more than 256 characters is not refused but gets a
   * direct answer.
   */
  question: 10_485_760,
  /** The length of a search for chats and tickets. */
  search: 200,
  /** The query of a knowledge search. */
  query: 10_000,
  /** Files of a ticket or a reply, including those that its text shows. */
  attachments: 100,
  /** Tags of a ticket. */
  tags: 20,
  /** Characters of a tag. */
  tag: 60,
  /** Tickets that are changed in one call. */
  ticketsAtOnce: 100,
  /** Entries of any other list: fields, rooms, languages, ids, spans of a day. */
  entries: 500,
} as const;
