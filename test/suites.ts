// Which files `npm test` and `npm run test:fast` leave out, so that everybody types them often.
// docs/testing.md tells what runs where; `npm run test:all` leaves out nothing.

/** What only `npm run test:all` runs. */
export const rest = [
  // The suites of auth.test.ts, knowledge.test.ts and ticketing.test.ts once more, with a gateway
  // in front.
  "test/backend/{auth,knowledge,ticketing}/through-gateway.test.ts",
  // Hundreds of logins and 10,000 open conversations at once, and a stream that nobody reads.
  "test/backend/chat/logins.test.ts",
  "test/escalation/hand-over/{many-open,slow-reader}.test.ts",
  // The help of every command of bench/, each a process.
  "test/bench/commands.test.ts",
] as const;

/** What needs minutes: processes, another runtime, many inputs, or what a faster file plays too. */
export const long = {
  unit: [
    ...rest,
    // Thousands of inputs for what other files play with a few, and bases of 18,000 phrases.
    "test/backend/{chat/machine,chatbot/naughty,knowledge/text-cuts}.test.ts",
    "test/matching/large.test.ts",
    // Every operation for every kind of caller, and a stream that breaks in every place.
    "test/backend/chat/{access-table,event-stream-http}.test.ts",
    // Commands beside a running backend.
    "test/cli/backend/{chat-port,documented,running,service-options}.test.ts",
    // What the docs show, in shells and compilers of its own.
    "test/docs/{commands,examples}.test.ts",
    "test/escalation/hand-over/nasty-services.test.ts",
  ],
  e2e: [
    "test/e2e/{chat-killed,chat-streams,database,killed}.test.ts",
    "test/e2e/{own-bot,restart,state,token-keys,workers}.test.ts",
    // In the test's own process: test/runtime/node/reload.
    "test/e2e/reload.test.ts",
  ],
} as const;

/** Of what `npm test` runs in its own process: what takes longer than a second or two. */
export const slow = [
  "test/backend/{embedded-bodies,error-bodies,routes,trusted-proxies}.test.ts",
  "test/backend/auth/{auth,bodies,contract,domain-keys,public-keys,rate-limits,rotation}.test.ts",
  "test/backend/chat/{access-addresses,bad-input-media,bad-input,chat}.test.ts",
  "test/backend/chat/{event-socket,features,foreign-app}.test.ts",
  "test/backend/chat/{pages,webhooks}.test.ts",
  "test/backend/chatbot/{conversation,open-backend}.test.ts",
  "test/backend/content/{anything,reached,served,source}.test.ts",
  "test/backend/knowledge/{knowledge,peer}.test.ts",
  "test/backend/pages/desk.test.ts",
  "test/backend/storage/{backend-file,sqlite-file,sqlite}.test.ts",
  "test/backend/ticketing/{media-type,ticketing}.test.ts",
  "test/bench/**",
  "test/cli/{backend-import,commands,init,messages-command}.test.ts",
  "test/cli/{node-version,overrides,refused-starts}.test.ts",
  "test/cli/backend/{backups,chat-access,erasing,init,keys,reports}.test.ts",
  "test/config/check/shipped.test.ts",
  "test/config/load/{bad-input,load,prepared-tables}.test.ts",
  "test/conformance/node.test.ts",
  "test/direct-answers/decide.property.test.ts",
  "test/docs/{own-bot,readme}.test.ts",
  "test/escalation/edits.test.ts",
  "test/escalation/hand-over/{by-configuration,last-words,odd-media}.test.ts",
  "test/escalation/hand-over/{restart,shutdown,signs,store-failures,stream,to-a-ticket}.test.ts",
  "test/escalation/hand-over/{two-gateways,waiting,what-readers-send}.test.ts",
  "test/escalation/services/{chat,nasty,ticket}.test.ts",
  "test/escalation/triggers/words.test.ts",
  "test/gateway/{callers-media,fidelity,held-bodies,places}.test.ts",
  "test/gateway/console/{drafts,reviews,translations}.test.ts",
  "test/http/{endings,hostile-answers}.test.ts",
  "test/json/scan.property.test.ts",
  "test/locales/{recognition,tables}.test.ts",
  "test/matching/robustness.test.ts",
  "test/patterns.test.ts",
  "test/runtime/node/{decode,relay,serve}.test.ts",
  "test/runtime/node/console/{full-disk,killed}.test.ts",
  "test/runtime/node/reload/reload.test.ts",
  "test/runtime/node/state/{file-escalations,file-store,redis-connection}.test.ts",
  "test/specification/{case-management,chat,common}.test.ts",
] as const;
