import { type CallerOperation, type CallerProduct, readOperation } from "./caller-operation.ts";

/**
 * What a caller may be allowed: every operation of the three products, with its query parameters. A
 * request is known by this whole table before anybody looks at what its caller may do, so that
 * `GET /v1/users/public` is never taken for a user named `public`. A path in several spellings goes
 * out in the first.
 */
export const CALLER_OPERATIONS: readonly CallerOperation[] = operations({
  ticketing: {
    createUser: "POST /v1/users",
    users: "GET /v1/users?length&offset&id&hash_uuid&name&address",
    publicUser: "GET /v1/users/public?address",
    user: "GET /v1/users/{id}",
    changeUser: "PUT /v1/users/{id}",
    createTicket: "POST /v1/tickets /v1/tickets/public",
    tickets:
      "GET /v1/tickets?length&offset&iql&sort&external_id&creator&solver&parent&queue&status&source&classification",
    ticket: "GET /v1/tickets/{id}",
    changeTicket: "PUT /v1/tickets/{id}",
    createReply: "POST /v1/tickets/{id}/replies",
    replies: "GET /v1/tickets/{id}/replies?length&offset",
    createSubticket: "POST /v1/tickets/{id}/subtickets",
    history: "GET /v1/tickets/{id}/history?length&offset",
    upload: "POST /v1/media",
    media: "GET /v1/media/{id}",
    download: "GET /v1/media/{id}/content",
    queues: "GET /v1/queues",
    createQueue: "POST /v1/queues",
    workTimetable: "GET /v1/settings/work-timetable",
    setWorkTimetable: "PUT /v1/settings/work-timetable",
    createSurvey: "POST /v1/surveys",
    startSurvey: "POST /v1/surveys/{id}/start",
    submitSurvey: "POST /v1/surveys/{id}/submit",
    createWebhook: "POST /v1/webhooks",
    webhooks: "GET /v1/webhooks?length&offset",
    changeWebhook: "PUT /v1/webhooks/{id}",
    removeWebhook: "DELETE /v1/webhooks/{id}",
  },
  knowledge: {
    startSession: "POST /v1/tracking/session",
    setSessionUser: "POST /v1/tracking/session/user",
    track: "POST /v1/tracking/events",
    trackConversion: "POST /v1/inbtrck/events",
    search: "POST /v1/search",
    generateAnswer: "POST /v1/generate-answer",
    contents: "GET /v1/contents?length&offset&lang&categoryId&sortBy",
    contentsByIds: "GET /v1/contents/ids?ids&lang",
    popular: "GET /v1/contents/popular?length&offset&lang&categoryId&sortBy",
    push: "GET /v1/contents/push?length&offset&lang&categoryId&sortBy",
    content: "GET /v1/contents/{contentId}?tracking&autocompleterClick&lang",
    contentBySlug: "GET /v1/contents/slug/{slug}?tracking&autocompleterClick&lang",
    related: "GET /v1/contents/{contentId}/related?length&offset&lang",
    userQuestionsOf:
      "GET /v1/contents/{contentId}/user-questions /v1/content/{contentId}/user-questions?length&offset&lang",
    decisionTree: "GET /v1/contents/{contentId}/decision-tree?lang",
    categories: "GET /v1/categories?maxDepth&lang",
    category: "GET /v1/categories/{categoryId}?maxDepth&lang",
    categoryBySlug: "GET /v1/categories/slug/{slug}?maxDepth&lang",
    categoryContents: "GET /v1/categories/{categoryId}/contents?length&offset&lang",
    userQuestions: "GET /v1/user-questions?length&offset&lang",
    userQuestion: "GET /v1/user-questions/{userQuestionId}?lang",
    userQuestionBySlug: "GET /v1/user-questions/slug/{slug}?lang",
    contentsOfUserQuestion:
      "GET /v1/user-questions/{userQuestionId}/contents /v1/user-question/{userQuestionId}/contents?length&offset&lang",
    crossSelling: "GET /v1/cross-selling/{crossSellingId}?tracking&autocompleterClick&lang",
    searchCrossSelling:
      "GET /v1/cross-selling/search?length&offset&lang&query&contentId&tracking&autocompleterClick",
    autocompleterData: "GET /v1/autocompleter/data?lang",
    detectLanguage: "POST /v1/language-detector",
    detectLanguageOf: "GET /v1/language-detector?query",
    appData: "GET /v1/app/data/{data}?name",
    userTypes: "GET /v1/user-types",
  },
  chat: {
    createApp: "POST /v1/apps",
    apps: "GET /v1/apps",
    app: "GET /v1/apps/{id}",
    changeApp: "PUT /v1/apps/{id}",
    validateApp: "GET /v1/apps/{id}/validate",
    createUser: "POST /v1/users",
    users: "GET /v1/users?length&offset&externalId",
    user: "GET /v1/users/{id}",
    changeUser: "PUT /v1/users/{id}",
    activity: "POST /v1/users/{id}/activity",
    agents: "GET /v1/agents?length&offset&roomId&online",
    createAgent: "POST /v1/agents",
    availableAgents: "GET /v1/agents/available?roomIds&roomId&langs&lang",
    onlineAgents: "GET /v1/agents/online?roomIds&roomId&langs&lang",
    loginAgent: "POST /v1/agents/login",
    logoutAgent: "POST /v1/agents/logout",
    agent: "GET /v1/agents/{id}",
    changeAgent: "PUT /v1/agents/{id}",
    rooms: "GET /v1/rooms",
    createRoom: "POST /v1/rooms",
    createChat: "POST /v1/chats",
    chats: "GET /v1/chats?length&offset&status&room&userId&externalId",
    chat: "GET /v1/chats/{id}",
    changeChat: "PUT /v1/chats/{id}",
    closeChat: "DELETE /v1/chats/{id}?userId",
    assign: "GET /v1/chats/{id}/assign",
    toInbox: "POST /v1/chats/{id}/toinbox",
    join: "POST /v1/chats/{id}/join",
    leave: "PUT /v1/chats/{id}/leave",
    transfer: "POST /v1/chats/{id}/transfer",
    chatUsers: "GET /v1/chats/{id}/users",
    messages: "GET /v1/chats/{id}/messages?length&offset&after",
    sendMessage: "POST /v1/chats/{id}/messages",
    readMessage: "PUT /v1/messages/{id}/read",
    history: "GET /v1/chats/{id}/history?format",
    importHistory: "POST /v1/chats/{id}/history",
    invite: "POST /v1/invitations",
    accept: "POST /v1/invitations/accept",
    reject: "POST /v1/invitations/reject",
    mediaList: "GET /v1/media /media?length&offset&chatId",
    upload: "POST /v1/media /media?chatId&senderId",
    download: "GET /v1/media/{id} /media/{id}",
    queueStatus: "GET /v1/queues/status",
    queuePlace: "GET /v1/queues/update/{id}",
    settings: "GET /v1/settings /settings",
    changeSettings: "PUT /v1/settings /settings",
    surveys: "GET /v1/surveys /surveys",
    survey: "GET /v1/surveys/{id} /surveys/{id}?sourceType&sourceId",
    createSurvey: "POST /v1/surveys /surveys",
    webhooks: "GET /v1/webhooks",
    webhook: "GET /v1/webhooks/{id}",
    createWebhook: "POST /v1/webhooks",
    changeWebhook: "PUT /v1/webhooks/{id}",
    removeWebhook: "DELETE /v1/webhooks/{id}",
    undelivered: "GET /v1/webhooks/{id}/undelivered?length&offset",
    resendUndelivered: "POST /v1/webhooks/{id}/undelivered",
    events: "GET /v1/events",
    newId: "GET /v1/id",
  },
});

/**
 * Operations that administer a project, or show or change what belongs to people who did not ask:
 * nothing for a caller that only says where its page came from, because whoever has no browser says
 * so too.
 */
export const SENSITIVE_OPERATIONS: ReadonlySet<string> = new Set([
  ..."users user changeUser tickets ticket changeTicket replies history download media createQueue setWorkTimetable createSurvey createWebhook webhooks changeWebhook removeWebhook"
    .split(" ")
    .map((name) => `ticketing.${name}`),
  ..."createApp apps app changeApp users user changeUser agents createAgent loginAgent logoutAgent agent changeAgent createRoom chats chat changeChat closeChat assign toInbox join leave transfer chatUsers messages sendMessage readMessage activity history importHistory invite accept reject mediaList download changeSettings createSurvey webhooks webhook createWebhook changeWebhook removeWebhook undelivered resendUndelivered events"
    .split(" ")
    .map((name) => `chat.${name}`),
]);

function operations(
  table: Readonly<Record<CallerProduct, Readonly<Record<string, string>>>>,
): readonly CallerOperation[] {
  const products: readonly CallerProduct[] = ["ticketing", "knowledge", "chat"];
  return products.flatMap((product) =>
    Object.entries(table[product]).map(([name, written]) => {
      const [method = "", ...rest] = written.split(" ");
      return readOperation(`${product}.${name}`, product, method, rest.join(" "));
    }),
  );
}
