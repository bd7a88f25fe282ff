import type { ChatAgent, ChatUser } from "../../api/chat/answers.ts";
import type { Figures } from "../../api/chat/answers-figures.ts";
import type { FigureTable } from "../../api/chat/schema-figures.ts";
import type { Acts } from "./acts.ts";
import { call } from "./api.ts";
import { FailedCall } from "../shared/failed-call.ts";
import { createChatMoves, createChatReading } from "./chat-acts.ts";
import { createContext } from "./context.ts";
import type { Context } from "./context.ts";
import { createEventHandler } from "./event-handler.ts";
import { createLoginActs, createSessionKeeper } from "./login.ts";
import type { Stream } from "./login.ts";
import { createOutbox } from "./outbox.ts";
import { withDraft, withPerson } from "./state/state.ts";
import type { Desk } from "./state/state.ts";
import type { Store } from "./state/store.ts";
import { createSync } from "./sync.ts";
import { createTicketActs } from "./ticket-acts.ts";
import type { Words } from "./words.ts";

export interface DeskParts {
  readonly store: Store<Desk>;
  readonly words: () => Words;
  readonly announce: Context["announce"];
}

export function createDesk(parts: DeskParts): Acts {
  const { store } = parts;
  const keeper = createSessionKeeper(store);
  const { session, expire, doubt } = keeper;
  let rights: Promise<void> | null = null;
  const rereadRights = (): void => {
    // Rights that can't be read now are read after the next refusal.
    const end = (): void => void (rights = null);
    rights ??= sync.me().then(end, end);
  };
  const context = createContext({ ...parts, session, expire, doubt, rereadRights });
  const sync = createSync(context);
  const outbox = createOutbox(context);
  // True while no event has been missed, so that a stream may resume without reading everything.
  let complete = false;
  const { handle, readJoinedChat } = createEventHandler(
    context,
    sync,
    () => void (complete = false),
  );
  const stream: Stream = {
    opened(resumed) {
      if (resumed && complete) return outbox.retryUnreached();
      complete = true;
      store.change((desk) => ({ ...desk, ticketRound: desk.ticketRound + 1 }));
      // Reading begins once the stream is open, so that no event falls between the two.
      const read = context.attempt(() => sync.all());
      void read.then((all) => (complete &&= all)).then(outbox.retryUnreached);
    },
    event: handle,
  };
  const reading = createChatReading(context, sync);

  return {
    outbox,
    ...createLoginActs(keeper, context, outbox, stream),
    ...createChatMoves(context, sync, readJoinedChat),
    ...reading,
    ...createPeopleActs(context),
    tickets: createTicketActs(context),
    async figures<Table extends FigureTable>(table: Table, query: string) {
      const path = `figures/${table}?${query}`;
      return (await context.ask<{ figures: Figures<Table> }>("GET", path)).figures;
    },
    select(chat) {
      store.change((desk) => (desk.selected === chat ? desk : { ...desk, selected: chat }));
      if (chat !== null) reading.look(chat);
    },
    draft: (name, text) => store.change((desk) => withDraft(desk, name, text)),
    colleagues: () => sync.colleagues(),
    async download(address) {
      const current = session();
      if (current === null) throw new FailedCall(401, "");
      const response = await call(current, "GET", address.replace(/^\//, ""), {
        timeout: 120_000,
      });
      return response.blob();
    },
    hurry: keeper.hurry,
    doubt: keeper.doubt,
    forgetProblem: () => store.change((desk) => ({ ...desk, problem: null, notice: null })),
  };
}

function createPeopleActs({
  store,
  ask,
  attempt,
  session,
}: Context): Pick<Acts, "setStatus" | "changeUser"> {
  return {
    setStatus: (status) =>
      attempt(async () => {
        const me = encodeURIComponent(session()?.agent ?? "");
        const { agent } = await ask<{ agent: ChatAgent }>("PUT", `agents/${me}`, {
          body: { status, ...(store.get().me?.online === false && { online: true }) },
        });
        store.change((desk) => ({ ...desk, me: agent }));
      }),
    async changeUser(id, change) {
      const path = `users/${encodeURIComponent(id)}`;
      const { user } = await ask<{ user: ChatUser }>("PUT", path, { body: change });
      store.change((desk) => withPerson(desk, user));
    },
  };
}
