/** The values of a first configuration. */
export interface ConfigTemplate {
  /** The shipped locale whose table is used. */
  readonly locale: string;
  /** The address that the file's editor reads the schema from. */
  readonly schema: string;
  /** The directory of keys and databases, relative to the file. */
  readonly data: string;
}

/** A first `afterword.yaml`: it runs as it is, with the demo bot. */
export function createConfigTemplate({ locale, schema, data }: ConfigTemplate): string {
  const tag = quoteUnlessPlain(locale);
  return `# yaml-language-server: $schema=${schema}
# (For editors; correct the path if you move this file.)
#
# Afterword's configuration. It runs as it is, in front of a demo shop's bot:
#   afterword check    says whether the file and your texts are right
#   afterword serve    starts; a chat page is at the address it prints
# Relative paths start at this file's folder. \${NAME} reads an environment variable. Remove the # of a line to use it.
version: 1

# Where Afterword listens. Behind a proxy set publicUrl to the address that clients see; it may have a path.
listen:
  host: 127.0.0.1
  port: 8787
  #publicUrl: https://bot.example.com/afterword
  #trustProxies: [127.0.0.1]

# Keys of routes, generated credentials, and what Afterword remembers. The database of its own bot is under \`backend\`.
data: ${data}

# Where the answers come from: \`embedded\` is Afterword's own bot. For your vendor's API take the lines below in place of this
# one; clients then use Afterword's address, and nothing else changes for them. \`afterword doctor\` tries it.
upstream: embedded
#upstream:
#  auth: https://api.example.com # serves /v1/auth, /v1/refreshToken and /v1/apis; the bot's own address comes from there
#  allow: [.example.com] # public https hosts that it may name; a private host by its whole name
#  keyHeader: x-inbenta-key # the API-key header of Afterword's own calls

# Who is asking. The first instance that matches decides what is said; \`match: {}\` takes every request.
instances:
  - name: my-bot
    match: {} # or apiKey:, host:, pathPrefix: to tell several bots apart
    language: ${tag} # when the conversation does not say
    # The day your vendor created the instance. From 2018-10-01 on, welcome, no-results and all-options-discarded are
    # answered by default content without a flag, and Afterword leaves them alone.
    created: 2018-06-01
    #defaultContent: { no-results: replace } # says your words there; inactive: you have switched that content off
    #recognize: { no-results: ["No Results"] } # the titles by which active default content is known
    #restoreFlags: true # gives it its flag back
    channel: web
    #channels: { whatsapp-bot: whatsapp } # from the x-inbenta-source header to a channel that texts may name
    #format: { default: html, whatsapp: text } # text: inserted values are not escaped for HTML
    variables: [name] # conversation variables that texts may use, as {{name}}

# What is said: your texts in ./messages, then those that come with Afterword in 30 languages. The fallback speaks to
# readers of a language that has no texts at all; chains name others to try before, such as
# fallback: { default: en, chains: { pt-PT: [pt-BR, es] } }.
messages: { dir: ./messages, use: [own, shipped], fallback: { default: ${tag} } }

# Afterword's own bot. Its contents are in the folder \`backend\` beside this file, which \`afterword backend init\` makes;
# without one it is a demo shop. \`afterword backend key add\` writes into the same database. Not used with a vendor's address.
backend: { database: ${data}/backend.db }

# What the start of a conversation said is remembered here: memory, file, or redis://… for several machines.
#state: { store: memory, retention: 30d }

# What readers ran into, and what they did next, is counted here; \`afterword insights\` shows it. With \`questions: true\`
# questions that found no answer are kept for 90 days, without addresses, numbers and names. With a vendor's bot ask your
# data protection first, or remove it.
insights: { store: file, questions: true }

# Handing a conversation over to a ticket or a person: off, signal or managed.
#escalation: { mode: off }

#limits:
#  transformBytes: 1MiB # a larger answer passes through as it is
#  requestBytes: 10MiB # a larger request is refused
#  heldBytes: 256MiB # of request bodies in memory at a time
#  inFlight: 512 # exchanges at a time
#  inFlightPerClient: 128 # of them, for one address
#  queue: 128 # how many more may wait
#  streams: 10000 # event streams and tunnels
`;
}

/** Plain where every reader of YAML agrees, else quoted: `no` is Norwegian, and false to many. */
export function quoteUnlessPlain(text: string): string {
  return text !== "no" && /^[A-Za-z./][\w./-]*$/.test(text) ? text : JSON.stringify(text);
}
