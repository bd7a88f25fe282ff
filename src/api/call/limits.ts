/**
 * The most that a request may hold, where the field's own form says nothing: characters of texts
 * (UTF-16 units), entries of lists. The references show them.
 */
export const LIMITS = {
  /** An id, a code, a name of a kind: what is compared with something and never read. */
  id: 200,
  /** It stands in an index, which has no room for more. */
  externalId: 255,
  /** Names of people, queues, apps, rooms and surveys. */
  name: 500,
  title: 1_000,
  /** The longest that mail servers take. */
  mailAddress: 254,
  /** Web addresses. */
  address: 2_000,
  secret: 500,
  /** A file's name. */
  fileName: 255,
  /** A file of 7 MB as base64, with line breaks and a `data:` in front. */
  fileContent: 10_485_760,
  /** A field that a person fills: a survey's answer, an extra field, a variable, a comment. */
  answer: 10_000,
  /** The text of a ticket or a reply. Whole conversations are handed over in one. */
  ticketMessage: 500_000,
  chatMessage: 10_000,
  /** Notes that agents keep about one chat. */
  chatNotes: 200,
  /** All canned answers of an app, as JSON. */
  cannedAnswers: 1_000_000,
  /** One line of an earlier conversation. */
  priorLine: 20_000,
  priorLines: 1_000,
  /** All lines of an earlier conversation that a chat begins with, as JSON. */
  priorText: 500_000,
  /** A chatbot question may be as long as a body: over 256 characters it has its own answer. */
  question: 10_485_760,
  /** The length of a search for chats and tickets. */
  search: 200,
  /** Words that are searched for. */
  query: 10_000,
  /** Files of a ticket or a reply, those that its text shows included. */
  attachments: 100,
  /** Tags of a ticket, and characters of one. */
  tags: 20,
  tag: 60,
  /** Tickets that are changed in one call. */
  ticketsAtOnce: 100,
  /** Entries of any other list: fields, rooms, languages, ids, spans of a day. */
  entries: 500,
} as const;
