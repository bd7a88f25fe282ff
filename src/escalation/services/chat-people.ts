import { languageOf } from "../../locales/tag.ts";
import type { Person } from "../stores/record.ts";
import { settleCall, type CallResult, isMissing, mapResult, readOrThrow } from "./call-result.ts";
import { agentNameIn, areAgentsOnline, availableIn, isQueueMode, usersIn } from "./chat-answers.ts";
import type { ChatCalls } from "./chat-calls.ts";
import type { ChatService } from "./chat-service.ts";
import { choosePersonName } from "./person-name.ts";

type Agents = Pick<ChatService, "availability" | "isStaffed" | "agentName">;

type Users = Pick<ChatService, "findUser" | "createUser" | "updateUser">;

/** Creates the calls about the agents of the live chat. */
export function createAgents({ call, get }: ChatCalls): Agents {
  const staffed = new Map<string, { readonly at: number; readonly answer: Promise<boolean> }>();
  const agents: Agents = {
    async availability(room, lang) {
      const mode = await readQueueMode(get);
      if (mode.kind !== "ok") return mode;
      const queue = mode.value;
      const langs = languageOf(lang) === "" ? undefined : languageOf(lang);
      return settleCall(false, async () => {
        if (queue) {
          const name = "onlineAgents";
          const query = { roomId: room, langs };
          const value = await call(name, { query });
          return { agents: readOrThrow(`chat.${name}`, value, areAgentsOnline) ? 1 : 0, queue };
        }
        const name = "availableAgents";
        const query = { roomIds: room, langs };
        const value = await call(name, { query });
        const agents = readOrThrow(`chat.${name}`, value, (all) => availableIn(all, String(room)));
        return { agents, queue };
      });
    },

    isStaffed(room, lang, since, now) {
      const key = `${room} ${lang}`;
      const known = staffed.get(key);
      if (known !== undefined && known.at >= since && now < known.at + 10_000) return known.answer;
      const free = agents.availability(room, lang);
      const answer = free.then((all) => all.kind !== "ok" || all.value.agents > 0);
      staffed.set(key, { at: now, answer });
      return answer;
    },

    async agentName(id) {
      const answer = await get("user", { id });
      return answer.kind === "ok" ? (agentNameIn(answer.value) ?? "") : "";
    },
  };
  return agents;
}

async function readQueueMode(get: ChatCalls["get"]): Promise<CallResult<boolean>> {
  const answer = await get("settings");
  // A service without settings has no queue.
  return isMissing(answer) ? { kind: "ok", value: false } : mapResult(answer, isQueueMode);
}

/** Creates the calls about the users of the live chat. */
export function createUsers({ call, run, create }: ChatCalls): Users {
  const users: Users = {
    async findUser(externalId) {
      const found = await settleCall(false, async () => {
        const value = await call("users", { query: { externalId } });
        const [first = null] = readOrThrow("chat.users", value, (users) =>
          usersIn(users, externalId),
        );
        return first;
      });
      return isMissing(found) ? nothing : found;
    },

    async createUser({ externalId, person, extraInfo }) {
      const body = { ...contactOf(person), externalId, extraInfo };
      const made = await create("user", "createUser", { body });
      if (made.kind !== "refused" || made.status !== 409) return made;
      // A user with this id is ours, from an attempt whose answer was lost (chat.md 6).
      const found = await users.findUser(externalId);
      if (found.kind === "failed") return { ...found, sent: false };
      if (found.kind === "refused" || found.value === null) return made;
      await users.updateUser(found.value.id, person);
      return { kind: "ok", value: { id: found.value.id } };
    },

    updateUser: (id, person) => run("changeUser", { id, body: contactOf(person), answer: "none" }),
  };
  return users;
}

const nothing: CallResult<null> = { kind: "ok", value: null };

function contactOf(person: Person): { readonly name: string; readonly contact?: string } {
  return {
    name: choosePersonName(person),
    ...(person.email === "" ? {} : { contact: person.email }),
  };
}
