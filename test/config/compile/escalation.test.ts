import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfig, type Diagnostic } from "../../../src/config/check/check.ts";
import { DEFAULT_ESCALATION } from "../../../src/config/escalation-config.ts";
import { load, workspace } from "../workspace.ts";

const HEAD = "version: 1\nupstream: embedded\n";
const SHOP = "instances: [{ name: shop, created: 2018-06-01 }]\n";
const LOCALES = { "locales/en.yaml": "welcome: Hello\n", "locales/fr.yaml": "welcome: Salut\n" };

/** What a check has to say about escalation. */
async function found(yaml: string, head = HEAD + SHOP): Promise<readonly Diagnostic[]> {
  const at = await workspace({ "afterword.yaml": head + yaml, ...LOCALES });
  const options = { env: { SECRET: "s" }, shipped: join(at, "locales") };
  const { diagnostics } = await checkConfig(join(at, "afterword.yaml"), options);
  return diagnostics.filter(
    ({ file, code }) => file.endsWith("afterword.yaml") && code !== "managed-mode",
  );
}

/** The same as `severity code line:column message`. */
async function shown(yaml: string, head = HEAD + SHOP): Promise<readonly string[]> {
  return (await found(yaml, head)).map(
    ({ severity, code, line, column, message }) =>
      `${severity} ${code} ${line}:${column} ${message}`,
  );
}

describe("escalation as it is written", () => {
  test("has the defaults where nothing is written", async () => {
    const config = await load({ "afterword.yaml": HEAD + SHOP });
    expect(config.escalation).toEqual(DEFAULT_ESCALATION);
    expect(config.instances[0]?.escalation).toEqual(DEFAULT_ESCALATION);
    expect(DEFAULT_ESCALATION).toMatchObject({
      mode: "off",
      offer: "ask",
      triggers: { noResults: 2, words: true },
    });
  });

  test("is read key by key", async () => {
    const config = await load(
      {
        "afterword.yaml": `${HEAD}${SHOP}escalation:
  mode: managed
  triggers:
    noResults: 3
    errors: "2"
    negativeRatings: 1
    negative: [2, bad]
    flags: [webhook-bad-request, conversation-link]
    escalateFlag: false
    directCalls: [callMe]
    callbacks: []
    words: false
    moreWords: { en: [talk to Bob], pt-br: [atendente], "*": [SOS] }
    rules:
      - name: unsure
        scoreBelow: 0.4
        turns: 3
        when: { channel: web, userType: 3, variables.plan: gold }
      - { name: billing, attribute: { name: Topic, value: Billing }, title: Bills, flag: no-rating }
  offer: direct
  coolDown: 1h
  atMost: 2
  identity:
    ask: [email]
    consent: true
    variables: { name: First_Name }
    claims: { id: user_id }
  hours:
    zone: Europe/Madrid
    weekly: { mon-fri: ["09:00-14:00", "15:00-18:00"], sat: [] }
    holidays: ["2026-12-25", "01-01"]
  ladder: [queue, ticket]
  chat:
    rooms: { es: 4, "*": main }
    source: web
    assignTimeout: 30s
    queueTimeout: 5m
    poll: 500ms
    hookSecret: "\${SECRET}"
    survey: 12
  ticket: { fields: { queue: 7, topic: chat, urgent: false }, link: "https://crm.example.com/{conversation}", email: true }
`,
      },
      { SECRET: "hush" },
    );
    const office = [
      [540, 840],
      [900, 1080],
    ];
    expect(config.warnings).toEqual([]);
    expect(config.escalation).toEqual({
      mode: "managed",
      triggers: {
        noResults: 3,
        errors: 2,
        negativeRatings: 1,
        negative: ["2", "bad"],
        flags: ["webhook-bad-request", "follow-up-question"],
        escalateFlag: false,
        directCalls: ["callMe"],
        callbacks: [],
        words: false,
        moreWords: { en: ["talk to Bob"], "pt-BR": ["atendente"], "*": ["SOS"] },
        rules: [
          {
            name: "unsure",
            scoreBelow: 0.4,
            turns: 3,
            when: { channel: "web", userType: "3", "variables.plan": "gold" },
          },
          {
            name: "billing",
            attribute: { name: "Topic", value: "Billing" },
            title: "Bills",
            flag: "no-rating",
            when: {},
          },
        ],
      },
      offer: "direct",
      coolDown: 3_600_000,
      atMost: 2,
      identity: {
        ask: ["email"],
        consent: true,
        variables: { name: "first_name", email: null },
        claims: { name: "name", email: "email", id: "user_id" },
      },
      hours: {
        zone: "Europe/Madrid",
        weekly: { "1": office, "2": office, "3": office, "4": office, "5": office },
        holidays: ["2026-12-25", "01-01"],
      },
      ladder: ["queue", "ticket"],
      chat: {
        rooms: { es: 4, "*": "main" },
        source: "web",
        assignTimeout: 30_000,
        queueTimeout: 300_000,
        poll: 500,
        hookSecret: "hush",
        survey: "12",
      },
      ticket: {
        fields: { queue: 7, topic: "chat", urgent: false },
        link: "https://crm.example.com/{conversation}",
        email: true,
      },
    });
  });

  test("of an instance overrides the general settings, key by key", async () => {
    const config = await load({
      "afterword.yaml": `${HEAD}instances:
  - name: a
    created: 2018-06-01
    match: { apiKey: a }
    escalation:
      triggers: { errors: 1 }
      hours: { holidays: ["12-24"] }
      chat: { source: 9, survey: null }
      ticket: { link: null }
      identity: { variables: { name: null } }
  - { name: b, created: 2018-06-01, match: { apiKey: b }, escalation: { hours: always, mode: off } }
  - { name: c, created: 2018-06-01 }
escalation:
  mode: signal
  triggers: { noResults: 4 }
  hours: { zone: UTC, weekly: { mon: ["09:00-10:00"] }, holidays: ["01-01"] }
  chat: { source: 8, survey: s, poll: 2s }
  ticket: { fields: { a: 1 }, link: "https://a.example" }
  identity: { variables: { name: n, email: e } }
`,
    });
    const [a, b, c] = config.instances;
    expect(a?.escalation).toMatchObject({
      mode: "signal",
      triggers: { noResults: 4, errors: 1 },
      hours: { zone: "UTC", weekly: { "1": [[540, 600]] }, holidays: ["12-24"] },
      chat: { source: 9, survey: null, poll: 2000 },
      ticket: { fields: { a: 1 }, link: null },
      identity: { variables: { name: null, email: "e" } },
    });
    expect(b?.escalation).toMatchObject({ mode: "off", hours: null });
    expect(c?.escalation).toEqual(config.escalation);
  });

  test("does not put the secret of webhooks into the hash", async () => {
    const written = `${HEAD}${SHOP}escalation: { chat: { hookSecret: "\${SECRET}" } }\n`;
    const hashes = await Promise.all(
      ["one", "two"].map(
        async (SECRET) => (await load({ "afterword.yaml": written }, { SECRET })).hash,
      ),
    );
    expect(hashes[0]).toBe(hashes[1]);
    const other = await load(
      { "afterword.yaml": written.replace("}\n", ", atMost: 7 }\n") },
      { SECRET: "one" },
    );
    expect(other.hash).not.toBe(hashes[0]);
  });

  test.each<[string, string]>([
    ["{ mod: off }", 'error unknown-key 4:15 unknown key "mod". Did you mean "mode"?'],
    [
      "{ mode: manged }",
      'error invalid-value 4:21 one of off, signal, managed is needed here. Did you mean "managed"?',
    ],
    [
      "{ triggers: { noResult: 2 } }",
      'error unknown-key 4:27 unknown key "noResult". Did you mean "noResults"?',
    ],
    [
      "{ triggers: { noResults: -1 } }",
      "error invalid-value 4:38 a whole number from 0 to 100 is needed here",
    ],
    [
      "{ triggers: { flags: [no-result] } }",
      'error unknown-flag 4:35 unknown flag "no-result". Did you mean "no-results"?',
    ],
    [
      "{ triggers: { moreWords: { en: hello } } }",
      "error invalid-value 4:44 a list is needed here, not a text",
    ],
    [
      "{ triggers: { moreWords: { 1e: [a] } } }",
      "error invalid-value 4:40 a language tag such as fr, or * for all others, is needed here",
    ],
    [
      "{ triggers: { rules: [{ flag: x }] } }",
      'error missing-key 4:35 the key "name" is missing here',
    ],
    [
      "{ triggers: { rules: [{ name: x }] } }",
      "error invalid-value 4:35 this rule names nothing to look for, so it would hold for every answer",
    ],
    [
      "{ triggers: { rules: [{ name: x, when: { chanel: web } }] } }",
      'error unknown-key 4:54 unknown key "chanel". Did you mean "channel"?',
    ],
    ["{ offer: never }", "error invalid-value 4:22 one of ask, direct is needed here."],
    [
      "{ coolDown: 10 }",
      "error invalid-value 4:25 a duration with its unit is needed here, such as 500ms, 3s, 5m, 12h or 30d",
    ],
    ["{ ladder: [] }", "error invalid-value 4:23 name at least one of agents, queue and ticket"],
    ["{ ladder: [agents, agents] }", "error invalid-value 4:23 a step stands here twice"],
    [
      "{ ladder: [tickets] }",
      'error invalid-value 4:24 one of agents, queue, ticket is needed here. Did you mean "ticket"?',
    ],
    [
      "{ identity: { ask: [mail] } }",
      'error invalid-value 4:33 one of name, email is needed here. Did you mean "email"?',
    ],
    [
      "{ ticket: { link: crm } }",
      "error invalid-value 4:31 an address such as https://crm.example.com/{conversation} is needed here",
    ],
    [
      "{ hours: { zone: Europe/Madird, weekly: {} } }",
      'error invalid-value 4:30 no time zone is known by the name "Europe/Madird"',
    ],
    [
      "{ hours: { zone: +02:00, weekly: {} } }",
      'error invalid-value 4:30 no time zone is known by the name "+02:00"',
    ],
    ["{ hours: { weekly: {} } }", 'error missing-key 4:15 the key "zone" is missing here'],
    ["{ hours: { zone: UTC } }", 'error missing-key 4:15 the key "weekly" is missing here'],
    [
      "{ hours: { zone: UTC, weekly: { mo: [] } } }",
      'error invalid-value 4:45 "mo" is no weekday or range of them, such as mon or mon-fri. Did you mean "mon"?',
    ],
    [
      '{ hours: { zone: UTC, weekly: { mon: ["9-17"] } } }',
      'error invalid-value 4:51 a window such as "09:00-17:30" is needed here',
    ],
    [
      '{ hours: { zone: UTC, weekly: { mon: ["09:00-24:30"] } } }',
      'error invalid-value 4:51 "09:00-24:30" is not a time window between 00:00 and 24:00',
    ],
    [
      '{ hours: { zone: UTC, weekly: { mon: ["09:60-10:00"] } } }',
      'error invalid-value 4:51 "09:60-10:00" is not a time window between 00:00 and 24:00',
    ],
    [
      '{ hours: { zone: UTC, weekly: { mon: ["09:00-09:00"] } } }',
      'error invalid-value 4:51 "09:00-09:00" is not a time window between 00:00 and 24:00',
    ],
    [
      '{ hours: { zone: UTC, weekly: { mon: ["09:00-12:00", "11:59-14:00"] } } }',
      'error invalid-value 4:66 "11:59-14:00" overlaps 09:00-12:00 of mon',
    ],
    [
      '{ hours: { zone: UTC, weekly: { sun: ["22:00-02:00"], mon: ["01:00-03:00"] } } }',
      'error invalid-value 4:73 "01:00-03:00" overlaps 00:00-02:00 of mon',
    ],
    [
      '{ hours: { zone: UTC, weekly: { mon-fri: [], wed: ["09:00-10:00"] } } }',
      'error duplicate 4:58 wed is already listed under "mon-fri"',
    ],
    [
      '{ hours: { zone: UTC, weekly: {}, holidays: ["2026-02-29"] } }',
      "error invalid-value 4:58 the calendar has no day 2026-02-29",
    ],
    [
      '{ hours: { zone: UTC, weekly: {}, holidays: ["13-01"] } }',
      "error invalid-value 4:58 the calendar has no day 13-01",
    ],
    [
      "{ hours: { zone: UTC, weekly: {}, holidays: [christmas] } }",
      "error invalid-value 4:58 a day such as 2026-12-25, or 01-01 for every year, is needed here",
    ],
    [
      "{ chat: { hookSecret: hush } }",
      "warning plain-secret 4:23 a secret stands in this file; anybody who may read it may use it",
    ],
    [
      "{ triggers: { negative: [2] } }",
      "warning idle-setting 4:27 this has no effect while negativeRatings is 0",
    ],
  ])("%s: %s", async (written, problem) => {
    expect(await shown(`escalation: ${written}\n`)).toEqual([problem]);
  });

  test("may have a window over midnight, which belongs to its first day, and days in any order", async () => {
    const config = await load({
      "afterword.yaml": `${HEAD}${SHOP}escalation:
  hours:
    zone: America/New_York
    weekly: { sat-sun: ["22:00 - 02:00"], tue: ["20:00-00:00", "08:00-12:00", "12:00-13:00"], fri: ["0:00–24:00"] }
    holidays: ["02-29"]
`,
    });
    expect(config.escalation.hours?.weekly).toEqual({
      "2": [
        [480, 720],
        [720, 780],
        [1200, 1440],
      ],
      "5": [[0, 1440]],
      "6": [[1320, 1560]],
      "7": [[1320, 1560]],
    });
  });
});

describe("a hand-over that cannot be made", () => {
  const vendor = (more: string, chat = "https://chat.example.com"): string =>
    `version: 1\nupstream: { auth: https://api.example.com${chat === "" ? "" : `, chat: ${chat}`} }\ninstances:\n  - name: shop\n    created: 2018-06-01\n${more}`;
  const needs = (place: string, step: string, key: string): string =>
    `error missing-key ${place} "shop" hands over by itself, and its step "${step}" needs ${key}, which is missing`;

  test("names each key that is missing, once", async () => {
    expect(await shown("escalation: { mode: managed }\n", vendor(""))).toEqual([
      needs("4:5", "agents", "credentials.chatApp"),
      needs("4:5", "agents", "credentials.chatSecret"),
      needs("4:5", "agents", "credentials.room"),
      needs("4:5", "ticket", "credentials.apiKey"),
      needs("4:5", "ticket", "credentials.secret"),
    ]);
    const some = vendor(
      '    credentials: { apiKey: k, secret: "${SECRET}", chatApp: c, chatSecret: "${SECRET}" }\n',
    );
    expect(await shown("escalation: { mode: managed }\n", some)).toEqual([
      needs("6:5", "agents", "credentials.room"),
    ]);
    expect(
      await shown('escalation: { mode: managed, chat: { rooms: { "*": 1 } } }\n', some),
    ).toEqual([]);
  });

  test("names a chat that does not exist", async () => {
    const keys = vendor('    credentials: { apiKey: k, secret: "${SECRET}" }\n', "");
    expect(await shown("escalation: { mode: managed }\n", keys)).toEqual([
      needs("4:5", "agents", "upstream.chat"),
    ]);
    expect(await shown("escalation: { mode: managed, ladder: [ticket] }\n", keys)).toEqual([]);
  });

  test("is none with the embedded backend, and none in the other modes", async () => {
    expect(await shown("escalation: { mode: managed }\n")).toEqual([]);
    expect(await shown("escalation: { mode: signal }\n", vendor(""))).toEqual([]);
    expect(await shown("escalation: { mode: off }\n", vendor(""))).toEqual([]);
    const mixed = vendor('    credentials: { apiKey: k, secret: "${SECRET}" }\n', "embedded");
    expect(await shown("escalation: { mode: managed }\n", mixed)).toEqual([]);
  });
});

describe("a check of escalation", () => {
  const modern = `${HEAD}instances: [{ name: shop, created: 2019-06-01 }]\n`;

  test("reports the instances for which managed is set", async () => {
    const at = await workspace({
      "afterword.yaml": `${HEAD}${SHOP}escalation: { mode: managed }\n`,
      ...LOCALES,
    });
    const file = join(at, "afterword.yaml");
    const { diagnostics } = await checkConfig(file, { env: {}, shipped: join(at, "locales") });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        severity: "note",
        code: "managed-mode",
        line: 4,
        column: 15,
        message: "managed is for clients without a hand-over of their own",
      }),
    );
  });

  test.each<[string, string, string?]>([
    [
      '{ mode: managed, ladder: [agents], hours: { zone: UTC, weekly: { mon: ["09:00-10:00"] } } }',
      "warning unreachable 4:48 outside these hours nothing can be offered: the ladder has no ticket",
    ],
    [
      "{ mode: managed, hours: { zone: UTC, weekly: { mon: [] } } }",
      "warning never-fires 4:30 no weekday has a window, so that nobody is ever there",
    ],
    [
      "{ mode: signal, triggers: { noResults: 0, escalateFlag: false, directCalls: [], callbacks: [], words: false } }",
      "warning never-fires 4:29 nothing can ever ask for a person: all triggers are off",
    ],
    [
      "{ mode: signal, triggers: { negativeRatings: 1, negative: [] } }",
      "warning never-fires 4:41 no value of a rating is negative",
    ],
    [
      "{ mode: managed, identity: { variables: { email: Mail } } }",
      'warning unknown-reference 4:55 the instance does not list the variable "mail", so its value is never known',
    ],
    [
      "{ mode: signal, triggers: { noResults: 1 } }",
      "warning never-fires 4:41 default content is active on shop, so the flag no-results does not come and nothing is counted",
      modern,
    ],
    [
      "{ mode: signal, triggers: { noResults: 0, flags: [end-form, welcome] } }",
      "warning never-fires 4:73 default content is active on shop, so the flag welcome does not come",
      modern,
    ],
  ])("of %s: %s", async (written, warning, head = HEAD + SHOP) => {
    expect(await shown(`escalation: ${written}\n`, head)).toEqual([warning]);
  });

  test("is content with a title by which hidden content is known", async () => {
    const known = `${HEAD}instances: [{ name: shop, created: 2019-06-01, recognize: { no-results: [No Results] } }]\n`;
    expect(await shown("escalation: { mode: signal }\n", known)).toEqual([]);
  });

  test("reports nothing of what is off", async () => {
    const written =
      "escalation: { triggers: { negativeRatings: 1, negative: [] }, hours: { zone: UTC, weekly: {} } }\n";
    expect(await shown(written)).toEqual([]);
  });

  test("points to the instance that wrote it, and reports general settings once", async () => {
    const two = (own: string): string =>
      `${HEAD}instances:\n  - { name: a, created: 2018-06-01, match: { apiKey: k } }\n  - { name: b, created: 2018-06-01${own} }\n`;
    const never = "no value of a rating is negative";
    const all = "escalation: { mode: signal, triggers: { negativeRatings: 1, negative: [] } }\n";
    expect(await shown(all, two(""))).toEqual([`warning never-fires 6:41 ${never}`]);
    const own = ", escalation: { mode: signal, triggers: { negativeRatings: 1, negative: [] } }";
    expect(await shown("", two(own))).toEqual([`warning never-fires 5:77 ${never}`]);
  });
});

describe("lines of escalation in a messages file", () => {
  async function messages(text: string): Promise<readonly string[]> {
    const files = { "afterword.yaml": HEAD + SHOP, "messages/en.yaml": text, ...LOCALES };
    const at = await workspace(files);
    const options = { env: {}, shipped: join(at, "locales") };
    const { diagnostics } = await checkConfig(join(at, "afterword.yaml"), options);
    return diagnostics
      .filter(({ file }) => file.endsWith("messages/en.yaml"))
      .map(({ severity, code, line, message }) => `${severity} ${code} ${line} ${message}`);
  }

  test("have the names that there are", async () => {
    expect(await messages("escalation.offer: A person?\n")).toEqual([]);
    expect(await messages("escalation.ofer: A person?\n")).toEqual([
      'error unknown-key 1 unknown line "escalation.ofer". Did you mean "escalation.offer"?',
    ]);
    const [far] = await messages("escalation.something-else: x\n");
    expect(far).toMatch(/^error unknown-key 1 unknown line .* The lines are: escalation\.offer, /);
  });

  test("have the placeholders that are filled there", async () => {
    expect(
      await messages(
        'escalation.ticket: "{{ticket}} on {{date}}"\nescalation.queued: { plural: { one: "1", other: "{{count}}" } }\n',
      ),
    ).toEqual([]);
    expect(await messages('escalation.offer: "{{ticket}}"\n')).toEqual([
      "error unknown-placeholder 1 nothing fills the placeholder {{ticket}}.",
    ]);
    expect(await messages('escalation.ticket: "{{tiket}}"\n')).toEqual([
      'error unknown-placeholder 1 nothing fills the placeholder {{tiket}}. Did you mean "ticket"?',
    ]);
  });
});
