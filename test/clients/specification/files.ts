import { testsOf } from "./rows.ts";
import type { Reference } from "./rows.ts";

type Tests = (title: string) => Reference;

/** Test files that the checklist names often. */

export const common: Tests = testsOf("clients/specification/common.test.ts");
export const contract: Tests = testsOf("clients/specification/case-management.test.ts");
export const clients: Tests = testsOf("clients/specification/clients.test.ts");

export const auth: Tests = testsOf("backend/auth/auth.test.ts");
export const domainKeys: Tests = testsOf("backend/auth/domain-keys.test.ts");
export const credentials: Tests = testsOf("backend/auth/credentials.test.ts");
export const routes: Tests = testsOf("backend/routes.test.ts");
export const http: Tests = testsOf("backend/http/http.test.ts");
export const rates: Tests = testsOf("backend/auth/rate-limits.test.ts");
export const published: Tests = testsOf("backend/docs/docs.test.ts");

export const tickets: Tests = testsOf("backend/ticketing/suites/case-management.ts");
export const hooks: Tests = testsOf("backend/ticketing/suites/webhooks.ts");
export const media: Tests = testsOf("backend/ticketing/ticketing.test.ts");

export const engine: Tests = testsOf("backend/chatbot/conversation.test.ts");
export const direct: Tests = testsOf("backend/chatbot/direct-answers.test.ts");
export const causes: Tests = testsOf("backend/chatbot/flags.test.ts");
export const presets: Tests = testsOf("backend/chatbot/presets.test.ts");
export const checks: Tests = testsOf("backend/chatbot/check-questions.test.ts");
export const choices: Tests = testsOf("backend/chatbot/options.test.ts");
export const forms: Tests = testsOf("backend/chatbot/forms.test.ts");
export const calls: Tests = testsOf("backend/chatbot/direct-calls.test.ts");
export const submission: Tests = testsOf("backend/forms/submission.test.ts");

export const flags: Tests = testsOf("direct-answers/flags.test.ts");
export const decided: Tests = testsOf("direct-answers/decide.test.ts");
export const defaults: Tests = testsOf("direct-answers/default-content.test.ts");
export const recognized: Tests = testsOf("direct-answers/recognition.test.ts");
export const related: Tests = testsOf("direct-answers/related-title.test.ts");

export const contents: Tests = testsOf("backend/knowledge/suites/contents.ts");
export const search: Tests = testsOf("backend/knowledge/suites/searches.ts");
export const tracking: Tests = testsOf("backend/knowledge/suites/tracking.ts");
export const detector: Tests = testsOf("backend/knowledge/language-detector.test.ts");
export const knowledgeWire: Tests = testsOf("backend/knowledge/suites/every-operation.ts");
export const knowledgeClient: Tests = testsOf("backend/knowledge/suites/typed-client.ts");

export const chat: Tests = testsOf("clients/specification/chat.test.ts");
export const chatAccess: Tests = testsOf("backend/chat/access.test.ts");
export const chatTable: Tests = testsOf("backend/chat/access-table.test.ts");
export const chatDoors: Tests = testsOf("backend/chat/access-addresses.test.ts");
export const chatForeign: Tests = testsOf("backend/chat/foreign-app.test.ts");
export const chatInput: Tests = testsOf("backend/chat/bad-input.test.ts");
export const chatFiles: Tests = testsOf("backend/chat/bad-input-media.test.ts");
export const chatStart: Tests = testsOf("backend/chat/start.test.ts");
export const chatCommands: Tests = testsOf("cli/backend/suites/chat-access.ts");
export const chatPort: Tests = testsOf("cli/backend/chat-port.test.ts");
export const chats: Tests = testsOf("backend/chat/suites/chats.ts");
export const chatFeatures: Tests = testsOf("backend/chat/features.test.ts");
export const chatClients: Tests = testsOf("backend/chat/client.test.ts");
export const chatMachine: Tests = testsOf("backend/chat/machine.test.ts");
export const chatStream: Tests = testsOf("backend/chat/event-stream.test.ts");
export const chatHooks: Tests = testsOf("backend/chat/webhooks.test.ts");

export const tokens: Tests = testsOf("api/call/token.test.ts");
export const failures: Tests = testsOf("api/failures.test.ts");
export const fields: Tests = testsOf("api/call/fields.test.ts");
export const message: Tests = testsOf("gateway/message/message.test.ts");
