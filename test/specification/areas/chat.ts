import * as chat from "../chat-tests.ts";
import { section } from "../rows.ts";
import type { Row } from "../rows.ts";

/** seed.md 7. */
export const CHAT: readonly Row[] = [
  ...section("7.1", [
    ["chat.rule-1", "an integration is an app with an id and a secret", chat.credentialsWanted],
    ["chat.rule-1-registration", "registering an app makes both", chat.registered, chat.otherApp],
    [
      "chat.rule-2-app",
      "the id travels in x-hyper-appId",
      chat.credentialsWanted,
      chat.clientSpellings,
    ],
    [
      "chat.rule-2-secret",
      "the secret travels in x-hyper-secret",
      chat.credentialsWanted,
      chat.clientSpellings,
    ],
    [
      "chat.rule-3-app",
      "availability and sign-up are shown with the id alone",
      chat.idAlone,
      chat.openOperations,
    ],
    ["chat.rule-3-both", "everything else needs both", chat.nothingElse],
    ["chat.rule-3-silent", "silent on the secret for those two: it may be left out", chat.idAlone],
    ["chat.rule-4", "the secret is a server's", chat.neverInPages],
  ]),
  ...section("7.2", [
    ["chat.app", "an app's id and secret are made when it is registered", chat.registered],
    ["chat.app-data", "an app's data is its own", chat.apart],
    ["chat.user-name", "a user needs a name and nothing else", chat.users],
    ["chat.user-external-id", "an external id finds the user again", chat.users, chat.taken],
    ["chat.user-id", "sign-up answers the user's id", chat.begun],
    ["chat.chat-room", "a chat is in a room", chat.roomAndCreator],
    ["chat.chat-creator", "a chat has a creator, a user", chat.roomAndCreator],
    ["chat.chat-id", "creation answers the chat's id", chat.begun],
    ["chat.chat-history", "a chat may begin with a history", chat.wholeWay],
    ["chat.message", "a message has a sender and a text", chat.messages],
    ["chat.close-user", "a close may name a user", chat.closed],
    ["chat.settings", "settings hold the allowed types of media", chat.exactList],
    [
      "chat.right",
      "a right lets agents edit what is known of the user in an ongoing chat",
      chat.editRight,
    ],
    ["chat.records", "silent on the records as answered: ours are published", chat.publishedPage],
    ["chat.algorithm", "of the free agents the one with most room is chosen", chat.freestAgent],
  ]),
  ...section("7.3", [
    [
      "chat.get-available",
      "GET /v1/agents/available?roomIds= tells whether somebody is there",
      chat.begun,
      chat.rooms,
    ],
    [
      "chat.get-available-first",
      "availability is to be checked before a chat is created",
      chat.fourSteps,
    ],
    ["chat.post-users", "POST /v1/users: name, perhaps an external id", chat.users],
    [
      "chat.post-chats",
      "POST /v1/chats: room and creator, perhaps a history",
      chat.roomAndCreator,
      chat.wholeWay,
    ],
    [
      "chat.get-assign",
      "GET /v1/chats/<id>/assign begins the search and invites",
      chat.begun,
      chat.wholeWay,
    ],
    [
      "chat.post-messages",
      "POST /v1/chats/<id>/messages says something in an open chat",
      chat.messages,
    ],
    ["chat.delete-chat", "DELETE /v1/chats/<id> closes it, with or without a user", chat.closed],
    ["chat.post-media", "POST /media uploads a file", chat.files, chat.filesAsJson],
    ["chat.put-settings", "PUT /settings keeps exactly the given list", chat.exactList],
    ["chat.get-surveys", "GET /surveys lists them", chat.surveys],
    ["chat.get-survey", "GET /surveys/<id> answers one", chat.surveys],
    [
      "chat.sequence",
      "check, sign up, create, search: in this order a chat begins",
      chat.begun,
      chat.fourSteps,
    ],
    ["chat.sequence-existing", "an existing user may be taken instead of a new one", chat.existing],
    ["chat.answers", "silent on further answers: ours are published", chat.publishedPage],
    [
      "chat.requests",
      "silent on media, settings, surveys and history: ours are published",
      chat.publishedPage,
    ],
  ]),
  ...section("7.4", [
    ["chat.states", "a chat is open, closed or waiting", chat.statusWords],
    [
      "chat.state-waiting",
      "without an ongoing invitation it does not wait",
      chat.statusWords,
      chat.begun,
    ],
    [
      "chat.transitions",
      "silent on other transitions: ours are a table",
      chat.actsTable,
      chat.actsOnce,
    ],
    ["chat.close-system", "closed without a user it is as if by the system", chat.closed],
    ["chat.close-by-user", "closed with a user it is on that user's behalf", chat.closed],
    ["chat.close-exists", "only a chat that exists can be closed", chat.closed],
    [
      "chat.assign-state",
      "the search uses the configured way; silent on the state after it",
      chat.begun,
      chat.freestAgent,
      chat.hookChooses,
    ],
  ]),
  ...section("7.5", [
    ["chat.invitation", "the search sends the chosen agent an invitation", chat.wholeWay],
    [
      "chat.events",
      "silent on real-time events and notifications: ours are published",
      chat.stream,
      chat.hookTold,
    ],
  ]),
];
