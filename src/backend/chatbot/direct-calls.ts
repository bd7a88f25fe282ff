import type { Flag } from "../../direct-answers/flags.ts";
import { preset } from "./presets.ts";
import { contentOf, keepingOpen, withSession } from "./scene.ts";
import type { Scene, Turn } from "./scene.ts";
import { show } from "./show.ts";

/**
 * Direct calls that the engine answers itself when no content has the name, or the one that has it
 * can't be seen now.
 */
const presets: ReadonlyMap<string, Flag> = new Map([
  ["sys-welcome", "welcome"],
  ["sys-no-results", "no-results"],
]);

/**
 * Jumps to the content with this direct-call name, a hidden one too. A name that leads nowhere here
 * and now is the only cause of `conversation-error-message`; whatever was open stays open then.
 */
export async function jump(before: Scene, name: string): Promise<Turn> {
  const scene = name === "sys-welcome" ? welcoming(before) : before;
  const named = scene.shelf.byDirectCall.get(name);
  const item = named === undefined ? null : contentOf(scene, named.id);
  const flag = presets.get(name);
  // A content in the place of a preset answer answers no question either.
  if (item !== null) return show(scene, item, { said: "", answered: flag === undefined });
  return flag === undefined
    ? keepingOpen(before, await preset(before, "conversation-error-message", ""))
    : preset(scene, flag, "");
}

/**
 * The welcome, which is given once to a reader who has not said anything yet, and whenever a client
 * asks for it.
 */
export function welcome(scene: Scene): Promise<Turn> {
  return preset(welcoming(scene), "welcome", "");
}

function welcoming(scene: Scene): Scene {
  return withSession(scene, { ...scene.session, welcomed: true });
}
