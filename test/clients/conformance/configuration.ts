import { upstreamLines } from "./upstream-lines.ts";

/** The one configuration that every runtime under test runs, as files. */
export function configurationFiles(upstreamPort: number): Readonly<Record<string, string>> {
  const origin = `http://127.0.0.1:${upstreamPort}`;
  return {
    "afterword.yaml": `${upstreamLines(origin)}
instances:
  - name: fixed
    match: { apiKey: fixed }
    created: 2018-06-01
    language: en
    upstream: { apis: { chatbot: "${origin}/prod/chatbot" } }
    channels: { whatsapp-bot: whatsapp }
    variables: [name]
  - name: roaming
    match: { apiKey: roaming }
    created: 2018-06-01
    language: en
  - name: modern
    match: { apiKey: modern }
    created: 2019-03-01
    language: en
    upstream: { apis: { chatbot: "${origin}/prod/chatbot" } }
    recognize: { no-results: ["No Results"] }
    restoreFlags: true
  - name: shown
    match: { apiKey: shown }
    created: 2018-06-01
    language: en
    history: shown
    upstream: { apis: { chatbot: "${origin}/prod/chatbot" } }
  - name: prefixed
    match: { pathPrefix: /bots/fr }
    created: 2018-06-01
    language: fr
    upstream: { apis: { chatbot: "${origin}/prod/chatbot" } }
  - name: down
    match: { apiKey: down }
    created: 2018-06-01
    upstream: { apis: { chatbot: "http://127.0.0.1:1/prod/chatbot" } }
  - name: impatient
    match: { apiKey: impatient }
    created: 2018-06-01
    upstream: { apis: { chatbot: "${origin}/prod/chatbot" }, timeouts: { connect: 500ms, headers: 1s, total: 3s } }
messages: { fallback: { default: en, chains: { eo: [fr] } } }
limits: { transformBytes: 64KiB, requestBytes: 128KiB, inFlight: 12, queue: 2 }
`,
    "messages/en.yaml": `no-results:
  text: 'Nothing for "{{query}}".'
  channels: { whatsapp: { text: 'Nothing for {{query}}.', format: text } }
  when: [ { env: preproduction, text: "Nothing here yet." } ]
welcome: Hello from us!
multiple-options:
  variants: [ "Which one?", "Which of these?", "Please choose." ]
no-question: "Go on, {{name}}."
related-title: "See also:"
`,
    "messages/fr.yaml": `no-results: Rien trouvé.
welcome: Bonjour de notre part !
`,
    "messages/zh-Hant.yaml": `welcome: 歡迎
`,
  };
}

/** The secrets of each runtime under test. */
export const secrets = {
  AFTERWORD_ROUTE_KEYS: "conformance-route-key-0001",
  AFTERWORD_ADMIN_TOKEN: "conformance-admin-token",
  AFTERWORD_LOG: "silent",
} as const;
