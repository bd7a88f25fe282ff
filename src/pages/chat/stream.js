// Receives an agent's words as they come: the reader's event stream, read with fetch, because the
// session travels in a header and never in an address.
import { readEvents } from "./?file=server-sent.js";

/**
 * Listens to a conversation until `stop` is aborted; goes on where a stream broke off.
 *
 * @param {{address: URL, session: string, last: string | null}} conversation with the id of the
 *   last event that was received before
 * @param {AbortSignal} stop
 * @param {(event: string, data: object, id: string) => void} received gets the id of the last event
 *   that has one, or an empty text
 */
export async function listen({ address, session, last }, stop, received) {
  let pause = usualPause;
  for (let failures = 0; !stop.aborted && failures < maxFailures; failures++) {
    try {
      const headers = { "x-inbenta-session": `Bearer ${session}` };
      if (last !== null) headers["last-event-id"] = last;
      const response = await fetch(address, { headers, signal: stop });
      // The conversation was forgotten, or never existed, so the stream ends.
      if (response.status === 404) return;
      if (response.ok) {
        failures = 0;
        await read(response.body);
      }
    } catch {
      // The connection broke, so it is opened again in a moment.
    }
    const wait = pause * (failures + 1);
    pause = usualPause;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }

  async function read(body) {
    for await (const { event, data, id, retry } of readEvents(body)) {
      if (stop.aborted) return;
      if (retry !== null) pause = retry;
      const isNew = id !== "" && id !== last;
      if (isNew) last = id;
      // An event with only an id: the answer to a turn brought what the stream would have.
      if (data !== "" || isNew) received(event, JSON.parse(data || "{}"), id);
    }
  }
}

const maxFailures = 20;
/** Milliseconds after which to connect again, unless the stream names others. */
const usualPause = 1000;

/**
 * Reports what the reader does beside writing: types, and reads new messages. While the bot has the
 * conversation, nothing is sent.
 *
 * @param {(sign: object) => Promise<unknown>} send
 */
export function createSigns(send) {
  let isPerson = false;
  let typedAt = 0;
  let silence;
  /** The newest answer that arrived, and the newest that was reported as read. */
  let latest = 0;
  let reported = 0;

  const tell = (sign) => {
    // A lost sign does no harm.
    if (isPerson) void send(sign).catch(() => undefined);
  };
  const endTyping = () => {
    clearTimeout(silence);
    if (typedAt > 0) tell({ typing: false });
    typedAt = 0;
  };
  const tellRead = () => {
    if (!isPerson || latest <= reported || document.visibilityState !== "visible") return;
    if (!document.hasFocus()) return;
    reported = latest;
    tell({ read: latest });
  };
  for (const event of ["focus", "visibilitychange"]) addEventListener(event, tellRead, true);
  return {
    setHolder(isNow) {
      isPerson = isNow;
      tellRead();
    },
    noteAnswer(id) {
      latest = Math.max(latest, Number(id) || 0);
      tellRead();
    },
    noteTyping(text) {
      clearTimeout(silence);
      if (text.trim() === "") return endTyping();
      silence = setTimeout(endTyping, silentAfter);
      if (Date.now() - typedAt < signEvery) return;
      typedAt = Date.now();
      tell({ typing: true });
    },
    /** A message ends the sign by itself. */
    noteMessage() {
      clearTimeout(silence);
      typedAt = 0;
    },
    restart() {
      this.noteMessage();
      isPerson = false;
      latest = 0;
      reported = 0;
    },
  };
}

/** Milliseconds between two signs of typing, and from the last key until they end. */
const signEvery = 3000;
const silentAfter = 5000;
