import { chat, chatAccess, chatClients, chatFeatures, chatHooks, chatMachine } from "./files.ts";
import { chatCommands, chatDoors, chatFiles, chatForeign, chatInput, chatPort } from "./files.ts";
import { chats, chatStart, chatStream, chatTable, published as publishedIn } from "./files.ts";
import type { Reference } from "./rows.ts";

/** Tests of the chat that several rows name. */

export const begun: Reference = chat(
  "availability, then a user, then the chat, then the search: a chat has begun",
);
export const clientSpellings: Reference = chat("the client's spellings in the wire %s");
export const clientVersions: Reference = chat(
  "the client asks below /v1, media, settings and surveys too",
);
export const version: Reference = chat(
  "chat is there under v1 alone, but for media, settings and surveys",
);
export const credentialsWanted: Reference = chatAccess(
  "of an app are required by every operation, and each refuses a wrong secret",
);
export const registered: Reference = chat(
  "registering an app makes its id and its secret, and the secret is not shown again",
);
export const otherApp: Reference = chatAccess(
  "an app registered by another has a secret of its own, shown once",
);
export const idAlone: Reference = chat(
  "availability and sign-up do without the secret, and take it",
);
export const openOperations: Reference = chatAccess(
  "that are only the app's id open availability, sign-up, and what a browser needs before them",
);
export const nothingElse: Reference = chatAccess("open nothing else without a secret or token");
export const neverInPages: Reference = chatAccess(
  "never leave a page: no preflight allows the secret, nor does an answer name it",
);
export const apart: Reference = chatAccess(
  "what belongs to one app does not exist for another: every list is empty, every id unknown",
);
export const users: Reference = chat(
  "a user needs a name alone, and is found again by an external id",
);
export const taken: Reference = chatFeatures(
  "get 409 for an externalId that is taken, are found by it, and can be changed",
);
export const roomAndCreator: Reference = chat("a chat needs a room and a creator that are there");
export const wholeWay: Reference = chats("go from availability to closing");
export const messages: Reference = chat(
  "a message has a sender and a text, and goes into an open chat only",
);
export const closed: Reference = chat(
  "closed without a user a chat is closed by the system, with one on that user's behalf",
);
export const exactList: Reference = chatFeatures(
  "store exactly the list of media types, %s; an empty one allows nothing",
);
export const editRight: Reference = chatFeatures(
  "change user info only with the right to, and only of users in their chats",
);
export const publishedPage: Reference = publishedIn(
  "shows every operation with its address, its fields and its errors",
);
export const freestAgent: Reference = chats(
  "go to the agent with the most free slots who speaks their language, and then to the next",
);
export const rooms: Reference = chat(
  "rooms are named one or several, by either parameter, when agents are asked for",
);
export const fourSteps: Reference = chatClients(
  "starts a chat in four steps, and creates nothing where nobody is available",
);
export const files: Reference = chatFeatures(
  "are sent in a chat as multipart, and come back byte for byte, harmless to a browser",
);
export const filesAsJson: Reference = chatFeatures(
  "are sent as JSON, kept for an hour until a message names them, and then for good",
);
export const surveys: Reference = chat("surveys are listed and read, with and without the version");
export const existing: Reference = chat("an existing user begins a chat without signing up again");
export const statusWords: Reference = chatMachine(
  "only an invitation or a place in the queue is waiting, and the specification's word for active is open",
);
export const actsTable: Reference = chatMachine("$act of a chat that is $phase: $outcome");
export const actsOnce: Reference = chatMachine(
  "the tables have every action of the state machine once",
);
export const hookChooses: Reference = chatHooks("chooses the agent, if that one is free");
export const stream: Reference = chatStream(
  "a stream sends a person the events of their own chats, and resumes where it broke off",
);
export const hookTold: Reference = chatHooks(
  "get the events they asked for, in order, signed, and never with the header of the handshake",
);
export const anySpelling: Reference = chatAccess(
  "work in headers of any case and in the query, with and without a trailing slash",
);
export const clientCloses: Reference = chatClients(
  "closes with the user's id in the query, and in the body in the specification's spelling",
);
export const keptTypes: Reference = chat(
  "source and room are a number or text, and come back as they came",
);
export const typesBack: Reference = chats(
  "return room and source in the JSON type in which they came",
);
export const activity: Reference = chat("activity may be called %s");

export const everyOperation: Reference = chatTable(
  "every operation is refused: without an id, for an unknown app, and with a wrong secret or another app's secret or token",
);
export const idOpens: Reference = chatTable(
  "the id alone opens availability, sign-up and what comes before them; everything else is 401",
);
export const secretOpens: Reference = chatTable(
  "the app's server may call every operation with the secret",
);
export const preflights: Reference = chatTable(
  "no preflight in any spelling of any operation lets a page send the secret",
);
export const foreignIds: Reference = chatForeign(
  "every id of one app is unknown to another app's server, users and agents, in every operation",
);
export const foreignLists: Reference = chatForeign(
  "every list of another app is empty of the first app's entries",
);
export const sameNames: Reference = chatForeign(
  "rooms, agents, logins, external ids and keys of the same name are separate in two apps",
);
export const madeByCommand: Reference = chatCommands(
  "what add shows opens the chat, from the first question to an agent who answers",
);
export const ownPort: Reference = chatPort(
  "on the chat port the chat answers, in the specification's spellings, and nothing else does",
);
export const inOrder: Reference = chatStart(
  "start asks, signs up, creates and looks for an agent, in this order and nothing else",
);
export const existingStarts: Reference = chatStart(
  "start takes an existing user, named by id or found by the external id",
);
export const nothingMade: Reference = chatStart("start creates nothing at all and says so when %s");
export const closedTakesNothing: Reference = chatInput(
  "refuses further changes with that reason, and is closed once",
);
export const tooLargeFile: Reference = chatFiles(
  "is refused with 413 when a file is a byte over 7 MB, in either encoding",
);
export const tooLargeBody: Reference = chatFiles(
  "is refused with 413 when a request is over 10 MB, by any operation",
);
export const disguised: Reference = chatFiles("is refused with 403: %s");
export const rates: Reference = chatDoors(
  "an app that calls too often learns when to retry, and another app is not limited",
);
