/**
 * The embedded backend, free of platforms.
 *
 * @module afterword/backend
 */
export { createBackend } from "./create-backend.ts";
export type { Product } from "../api/call/routes.ts";
export type { BackendOptions, WebhookFailure } from "./options.ts";
export { credentialsFrom } from "./auth/credentials.ts";
export type { Credential, CredentialEntry, Credentials } from "./auth/credentials.ts";
export { DEMO_CREDENTIALS } from "./auth/credentials.ts";
export { parseContent } from "./content/parse.ts";
export type { ContentSources } from "./content/parse.ts";
export type { AppDatum, Content, ContentItem, EngineTexts, SourceFile } from "./content/types.ts";
export { DEMO_PROJECTS, projectsFrom } from "./chatbot/projects.ts";
export type { Project } from "./chatbot/projects.ts";
export type {
  EventStore,
  HistoryItem,
  Session,
  SessionSettings,
  SessionStore,
  Storage,
  StorageLimits,
  TrackedEvent,
} from "./storage/types.ts";
export { createRecognition } from "../locales/recognition.ts";
export type { PersonWords, RecognitionWords } from "../locales/phrases.ts";
export type { PolarLabels, Recognition, WordsByLanguage } from "../locales/recognition.ts";
export type { PageFiles } from "./pages/chat-page.ts";
