/**
 * Every operation of the five interfaces: its method, its path after the product's base address
 * with `{names}`, further spellings of the path, and the names of the query's parameters. The
 * service, the clients and the rights of callers are made from this table. A client uses the first
 * spelling of a path.
 */
export const ROUTES = {
  auth: {
    authorize: "POST /v1/auth",
    refresh: "POST /v1/refreshToken",
    discover: "GET /v1/apis",
  },
  chatbot: {
    start: "POST /v1/conversation /conversation",
    send: "POST /v1/conversation/message /conversation/message",
    history: "GET /v1/conversation/history /conversation/history",
    variables: "GET /v1/conversation/variables /conversation/variables",
    setVariable: "POST /v1/conversation/variables /conversation/variables",
    setVariables: "POST /v1/conversation/variables/multiple /conversation/variables/multiple",
    track: "POST /v1/tracking/events /tracking/events",
    setSessionUser: "POST /v1/tracking/session/user /tracking/session/user",
    survey: "GET /v1/surveys/{id} /surveys/{id}",
    startSurvey: "GET /v1/surveys/{id}/start /surveys/{id}/start",
    submitSurvey: "POST /v1/surveys/{id}/submit /surveys/{id}/submit",
    appData: "GET /v1/app/data/{id} /app/data/{id}?name",
  },
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
    chats:
      "GET /v1/chats?length&offset&status&room&userId&externalId&order&after&search&agent&lang&person&from&to&reason&preview",
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
    notes: "GET /v1/chats/{id}/notes",
    addNote: "POST /v1/chats/{id}/notes",
    history: "GET /v1/chats/{id}/history?format",
    importHistory: "POST /v1/chats/{id}/history",
    invite: "POST /v1/invitations",
    accept: "POST /v1/invitations/accept",
    reject: "POST /v1/invitations/reject",
    mediaList: "GET /v1/media /media?length&offset&chatId",
    upload: "POST /v1/media /media?chatId&senderId",
    download: "GET /v1/media/{id} /media/{id}",
    queueStatus: "GET /v1/queues/status",
    queuePosition: "GET /v1/queues/update/{id}",
    settings: "GET /v1/settings /settings",
    changeSettings: "PUT /v1/settings /settings",
    cannedAnswers: "GET /v1/canned-answers",
    changeCannedAnswers: "PUT /v1/canned-answers",
    tickets:
      "GET /v1/tickets?length&offset&view&status&search&tag&after&agent&lang&person&from&to&queue&order",
    ticket: "GET /v1/tickets/{id}",
    ticketChoices: "GET /v1/tickets/choices",
    ticketPeople: "GET /v1/tickets/people?search",
    createTicket: "POST /v1/tickets",
    changeTickets: "PUT /v1/tickets",
    changeTicket: "PUT /v1/tickets/{id}",
    answerTicket: "POST /v1/tickets/{id}/replies",
    addTicketNote: "POST /v1/tickets/{id}/notes",
    noteTicketActivity: "POST /v1/tickets/{id}/activity",
    mergeTicket: "POST /v1/tickets/{id}/merge",
    decideTicketMail: "POST /v1/tickets/{id}/mails",
    uploadTicketFile: "POST /v1/tickets/media",
    ticketFile: "GET /v1/tickets/media/{id}",
    chatTickets: "GET /v1/chats/{id}/tickets",
    figures: "GET /v1/figures/{id}?period&timeZone&format",
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
} as const;

/** The services, by their keys in `apis`, and `auth`. */
export type ServiceName = keyof typeof ROUTES;

/** The services whose addresses discovery returns. */
export type Product = Exclude<ServiceName, "auth">;

/** The names of a product's operations. */
export type OperationName<P extends ServiceName> = keyof (typeof ROUTES)[P] & string;

export interface ApiRoute {
  /** `product.name`, such as `ticketing.createTicket`: errors name it. */
  readonly id: `${ServiceName}.${string}`;
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly aliases: readonly string[];
  /** Names of the query's parameters. */
  readonly query: readonly string[];
}

export function routeOf(product: ServiceName, name: string): ApiRoute {
  const table: Readonly<Record<string, string>> = ROUTES[product];
  const [spelled = "", query = ""] = (table[name] ?? "").split("?");
  const [verb, path = "", ...aliases] = spelled.split(" ");
  const method = METHODS.find((one) => one === verb);
  if (method === undefined) throw new Error(`unreachable: there is no ${product}.${name}`);
  const parameters = query === "" ? [] : query.split("&");
  return { id: `${product}.${name}`, method, path, aliases, query: parameters };
}

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;
