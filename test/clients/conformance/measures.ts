import { decodedText, type Reading, valueOf, valuesOf } from "./exchange.ts";
import type { Keeps, Kept, Started } from "./runtime.ts";
import { engine, flagged, message, question } from "./scenario.ts";

/** Measures what remains of a message on its way through this gateway. */
export async function measure(bed: Started): Promise<Keeps> {
  return {
    ...(await ofTheAnswer(bed)),
    ...(await ofTheRequest(bed)),
    ...(await ofCodings(bed)),
    ...(await ofStreams(bed)),
    "dot segments of the target seen and refused": kept(await refusesDots(bed)),
    "body of a GET": kept(await keepsBodyOfGet(bed)),
    "WebSocket upgrade": kept(await upgrades(bed)),
  };
}

const key = ["x-inbenta-key", "fixed"];
const base = "/prod/chatbot";

/** Each connection's own. */
const framing: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);

function kept(is: boolean): Kept {
  return is ? "yes" : "no";
}

async function ofTheAnswer({ client, upstream }: Started) {
  const fields = ["X-Zebra", "1", "x-Alpha", "2", "X-Zebra", "3"];
  const cookies = ["Set-Cookie", "a=1", "Set-Cookie", "b=2"];
  const headers = [...fields, ...cookies];
  await upstream.script({ [`GET ${base}/v1/f`]: { reason: "Very Well", headers, body: "x" } });
  const answer = await client.ask({ target: "/v1/f", headers: key });
  const names = namesIn(answer.headers, /^x-(?:zebra|alpha)$/i);
  const zebras = valuesOf(answer.headers, "x-zebra");
  return {
    "reason phrase": kept(answer.reason === "Very Well"),
    "order of the answer's fields": kept(names[0]?.toLowerCase() === "x-zebra"),
    "case of the answer's fields": kept(names.includes("X-Zebra") && names.includes("x-Alpha")),
    "duplicates of the answer's fields": kept(zebras.join("|") === "1|3"),
    "nothing added to the answer's fields": kept(
      namesIn(answer.headers, /^(?!x-(?:zebra|alpha)$|set-cookie$|content-length$)/i).every(
        (name) => framing.has(name.toLowerCase()),
      ),
    ),
    "each Set-Cookie a line of its own": kept(
      valuesOf(answer.headers, "set-cookie").join("|") === "a=1|b=2",
    ),
  };
}

async function ofTheRequest({ client, upstream }: Started) {
  await upstream.script({ [`GET ${base}/v1/f`]: { body: "x" } });
  const fields = ["X-Zebra", "1", "x-Alpha", "2", "X-Zebra", "3"];
  await client.ask({ target: "/v1/f", headers: [...key, ...fields] });
  const received = (await upstream.received())[0]?.headers ?? [];
  const names = namesIn(received, /^x-(?:zebra|alpha)$/i);
  return {
    "order of the request's fields": kept(names[0]?.toLowerCase() === "x-zebra"),
    "case of the request's fields": kept(names.includes("X-Zebra") && names.includes("x-Alpha")),
    "duplicates of the request's fields": kept(valuesOf(received, "x-zebra").join("|") === "1|3"),
  };
}

async function ofCodings({ client, upstream }: Started) {
  const headers = ["Accept-Encoding", "gzip, deflate, br"];
  const edits = async (coding: "gzip" | "deflate" | "br"): Promise<Kept> => {
    await upstream.script({ [message]: engine(flagged("welcome"), { coding }) });
    const answer = await client.ask(question({ headers }));
    return kept((await decodedText(answer)).includes("Hello from us!"));
  };
  await upstream.script({ [`GET ${base}/v1/z`]: engine("{}", { coding: "gzip" }) });
  const reply = await client.ask({ target: "/v1/z", headers: [...key, ...headers] });
  return {
    "content coding of an answer that is not edited": kept(
      valueOf(reply, "content-encoding") === "gzip",
    ),
    "edits in gzip": await edits("gzip"),
    "edits in deflate": await edits("deflate"),
    "edits in br": await edits("br"),
  };
}

async function ofStreams(bed: Started) {
  const { client, upstream } = bed;
  const piecemeal = ["one", { hold: "rest" }, "two"];
  await upstream.script({ [`GET ${base}/v1/p`]: { body: piecemeal } });
  const reading = await inTime(client.open({ target: "/v1/p", headers: key }));
  const streamed = await comes("one", reading);
  await upstream.release("rest");
  reading?.leave();

  await upstream.script({ [`GET ${base}/v1/t`]: { body: ["one"], trailers: ["X-Sum", "1"] } });
  const withTrailers = await inTime(client.open({ target: "/v1/t", headers: key }));
  await inTime(withTrailers?.until("one"));
  const trailers = await comes("X-Sum: 1", withTrailers, soon);
  withTrailers?.leave();

  await upstream.script({ [`GET ${base}/v1/b`]: { body: ["one", { cut: true }] } });
  const broken = await client.ask({ target: "/v1/b", headers: key }).then(
    ({ complete, status }) => !complete || status >= 500,
    () => true,
  );
  return {
    "answer streamed as it comes": kept(streamed),
    "request streamed as it comes": kept(await streamsRequests(bed)),
    "trailers of an answer": kept(trailers),
    "answer that breaks off, broken off": kept(broken),
  };
}

async function streamsRequests({ client, upstream }: Started): Promise<boolean> {
  await upstream.script({ [`POST ${base}/v1/u`]: { body: "x" } });
  let seen = false;
  const body = (async function* () {
    yield "one";
    for (let tries = 0; tries < 1000 && !seen; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      seen = (await upstream.received()).some((request) => request.body.includes("one"));
    }
    yield "two";
  })();
  await client.ask({ method: "POST", target: "/v1/u", headers: key, body });
  return seen;
}

async function refusesDots({ client, upstream }: Started): Promise<boolean> {
  await upstream.script({ [`GET ${base}/v1/b`]: { body: "x" } });
  const answer = await client.ask({ target: "/v1/a/%2e./b", headers: key });
  return answer.status === 404;
}

async function keepsBodyOfGet({ client, upstream }: Started): Promise<boolean> {
  await upstream.script({ [`GET ${base}/v1/g`]: { body: "x" } });
  await client.ask({ target: "/v1/g", headers: key, body: "a body" }).catch(() => null);
  return (await upstream.received())[0]?.body === "a body";
}

async function upgrades({ client, upstream }: Started): Promise<boolean> {
  const raw =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nafter";
  await upstream.script({ [`GET ${base}/v1/socket`]: { raw } });
  const fields = ["Upgrade", "websocket", "Connection", "Upgrade"];
  const socket = ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version", "13"];
  try {
    const asked = { target: "/v1/socket", headers: [...key, ...fields, ...socket] };
    const reading = await inTime(client.open(asked));
    await inTime(reading?.until("HTTP/1.1 "));
    const switched = await comes("101 ", reading, soon);
    reading?.leave();
    return switched;
  } catch {
    return false;
  }
}

/** Milliseconds to wait for something that arrives together with an earlier part, or never. */
const soon = 2000;

/** Null when it takes longer than this, or fails. */
async function comes(text: string, reading: Reading | null, limit?: number): Promise<boolean> {
  return (
    (await inTime(
      reading?.until(text).then(() => true),
      limit,
    )) ?? false
  );
}

async function inTime<Value>(
  work: Promise<Value> | undefined,
  limit = 20_000,
): Promise<Value | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, limit, null);
  const found = await Promise.race([work?.catch(() => null) ?? null, late]);
  clearTimeout(timer);
  return found;
}

function namesIn(headers: readonly string[], wanted: RegExp): string[] {
  return headers.filter((name, i) => i % 2 === 0 && wanted.test(name));
}
