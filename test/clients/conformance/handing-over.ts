import { upstreamLines } from "./upstream-lines.ts";

/**
 * The configuration of gateways that hand over, as files. The upstream acts as engine, login and
 * case management.
 */
export function handingOverFiles(upstreamPort: number): Readonly<Record<string, string>> {
  const origin = `http://127.0.0.1:${upstreamPort}`;
  const chatbot = `chatbot: "${origin}/prod/chatbot"`;
  const credentials = 'credentials: { apiKey: "${API_KEY}", secret: "${SECRET}" }';
  return {
    "afterword.yaml": `${upstreamLines(origin)}
instances:
  - name: signalling
    match: { apiKey: signalling }
    created: 2018-06-01
    language: en
    upstream: { apis: { ${chatbot} } }
    escalation: { mode: signal }
  - name: managing
    match: { apiKey: managing }
    created: 2018-06-01
    language: en
    ${credentials}
    upstream: { apis: { ${chatbot}, ticketing: "${origin}/ticketing" } }
  # Nobody answers where its tickets are made.
  - name: shop
    match: { apiKey: shop }
    created: 2018-06-01
    language: en
    ${credentials}
    upstream:
      auth: "http://127.0.0.1:1"
      apis: { ${chatbot}, ticketing: "http://127.0.0.1:1" }
  - name: shown
    match: { apiKey: shown }
    created: 2019-03-01
    language: en
    history: shown
    recognize: { no-results: ["No Results"] }
    restoreFlags: true
    upstream: { apis: { ${chatbot} } }
    escalation: { mode: "off" }
escalation: { mode: managed, identity: { ask: [] }, ladder: [ticket] }
# The records that the tests of stores write are from 1970.
state: { retention: 36500d }
`,
    "messages/en.yaml": `no-results: 'Nothing for "{{query}}".'
welcome: Hello from us!
related-title: "See also:"
escalation.offer-message: A message?
escalation.yes: Yes, please
escalation.no: No, thanks
escalation.declined: Then not.
escalation.ticket-number: "Your ticket: {{ticket}}."
escalation.ticket-pending: Not yet.
`,
  };
}

/** The values of `\${NAME}` in it. */
export const credentials = { API_KEY: "a", SECRET: "b" } as const;
