import { setTimeout as sleep } from "node:timers/promises";

/** A reader with an unmodified client: what is not answered is sent once more, byte for byte. */
export class Reader {
  readonly lang: string;
  /** What was asked and answered, for whoever looks at a fault. */
  readonly transcript: string[] = [];
  /** Every text that was said to this reader. */
  readonly texts: string[] = [];
  #session = "";
  #headers: Record<string, string> = {};
  readonly #url: () => string;
  #options: readonly { readonly value: unknown }[] = [];

  constructor(url: () => string, lang: string) {
    this.#url = url;
    this.lang = lang;
  }

  /** The session token. */
  get session(): string {
    return this.#session;
  }

  async toTheOffer(): Promise<void> {
    const key = { "x-inbenta-key": "demo-key", "content-type": "application/json" };
    const login = await this.#read("/v1/auth", key, { secret: "demo-secret" });
    const authorized = { ...key, authorization: `Bearer ${String(login["accessToken"])}` };
    const started = await this.#read("/v1/conversation", authorized, { lang: this.lang });
    this.#session = String(started["sessionToken"]);
    this.#headers = { ...authorized, "x-inbenta-session": `Bearer ${this.#session}` };
    await this.#send({ message: "qwxz zzyx" });
    await this.#send({ message: "vvkq jjxq plugh" });
  }

  /** Says yes, gives a name, and asks on until somebody said what became of it. */
  async beHandedOver(): Promise<void> {
    await this.#send({ message: "", option: this.#options[0]?.value });
    await this.#send({ message: "Ada Lovelace" });
    for (let question = 1; question <= mostQuestions && !this.#knows(); question++) {
      await sleep(pause);
      await this.#send({ message: `qwxz ${question}` });
    }
  }

  /** A promise, or an honest word that there is none. */
  #knows(): boolean {
    return this.texts.some((text) => endings.some((words) => words.test(text)));
  }

  async #send(body: Record<string, unknown>): Promise<void> {
    const { answers } = await this.#read("/v1/conversation/message", this.#headers, body);
    const all = Array.isArray(answers) ? answers : [];
    const said = all.map((answer) => String(answer.message));
    this.texts.push(...said);
    this.transcript.push(`> ${JSON.stringify(body)}`, ...said.map((text) => `< ${text}`));
    const offered = all.findLast(({ options }) => Array.isArray(options));
    if (offered !== undefined) this.#options = offered.options;
  }

  async #read(
    path: string,
    headers: Record<string, string>,
    body: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const text = JSON.stringify(body);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      try {
        const response = await fetch(this.#url() + path, { method: "POST", headers, body: text });
        if (response.ok) return (await response.json()) as Record<string, unknown>;
        this.transcript.push(`! ${response.status} ${await response.text()}`);
      } catch {
        this.transcript.push("! no answer");
      }
      await sleep(pause);
    }
    throw new Error(`nobody answered ${path}`);
  }
}

/** How the lines begin that end a hand-over, in the two languages of the runs. */
export const promised: { readonly chat: readonly RegExp[]; readonly ticket: readonly RegExp[] } = {
  chat: [/asked someone from our team/u],
  ticket: [/created ticket/u, /He creado para ti la solicitud/u],
};
const endings = [
  ...promised.chat,
  ...promised.ticket,
  /can.t tell whether|No puedo saber/u,
  /nothing has been sent|nadie puede atenderte/u,
];
const pause = 100;
const mostAttempts = 200;
const mostQuestions = 200;
