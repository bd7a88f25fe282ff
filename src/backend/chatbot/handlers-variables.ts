import { type ApiHandler, type ApiHandlers, bodyOf } from "../auth/handling.ts";
import { Refusal } from "../http/refusal.ts";
import { type Fields, listOf, membersOf, textOf } from "../http/request-body.ts";
import type { Session } from "../storage/types.ts";
import type { ChatbotOptions } from "./options.ts";
import { isSystemVariable, variablesOf } from "./system-variables.ts";

type Variable = readonly [name: string, value: string];

// A conversation has a handful of short variables. These limits are far beyond that.
const maxVariables = 200;
const maxNameLength = 100;
const maxValueLength = 10_000;

export function createVariableHandlers({
  sessions,
}: Pick<ChatbotOptions, "sessions">): Pick<
  ApiHandlers<"chatbot">,
  "variables" | "setVariable" | "setVariables"
> {
  const createSetter =
    (read: (fields: Fields) => readonly Variable[] | null): ApiHandler =>
    async (request) => {
      const variables = read(await bodyOf(request));
      if (variables === null) throw new Refusal(422, "Give each variable a name and a value.");
      return sessions.change(request.c.req.raw, request.caller, (session) => {
        const merged = [...new Map([...session.variables, ...variables])];
        const obstacle = findObstacle(variables, merged);
        return obstacle === null
          ? {
              session: { ...session, variables: merged },
              response: Response.json({ success: true }),
            }
          : { session, response: Response.json({ success: false, message: obstacle }) };
      });
    };
  return {
    variables: ({ c, caller }) =>
      sessions.read(c.req.raw, caller, (session) => Response.json(listVariables(session))),
    setVariable: createSetter(readVariable),
    setVariables: createSetter(readVariables),
  };
}

/** `{"<name>": {"value": "<string>"}}`. `fromEntries` makes even `__proto__` an ordinary key. */
function listVariables(session: Session): object {
  return Object.fromEntries(
    [...variablesOf(session)].map(([name, value]) => [name, { value }] as const),
  );
}

function readVariable(fields: Fields): readonly Variable[] | null {
  const variable = toVariable(fields["name"], fields["value"]);
  return variable === null ? null : [variable];
}

/** `variables`: a list of name and value, or an object of values, bare or as `{"value": …}`. */
function readVariables(fields: Fields): readonly Variable[] | null {
  const given = fields["variables"];
  const members = [...membersOf(given)];
  const pairs = isList(given, members)
    ? cutList(listOf(given)).map((one) => {
        const variable = membersOf(one);
        return [variable.get("name"), variable.get("value")] as const;
      })
    : cutList(members).map(
        ([name, value]) => [name, membersOf(value).get("value") ?? value] as const,
      );
  const variables = pairs.map(([name, value]) => toVariable(name, value));
  return pairs.length === 0 || variables.includes(null)
    ? null
    : variables.filter((variable) => variable !== null);
}

/** An array, or a list as forms nest it: an object whose members are each a name with a value. */
function isList(value: unknown, members: readonly (readonly [string, unknown])[]): boolean {
  return (
    Array.isArray(value) || (members.length > 0 && members.every(([key]) => /^\d+$/.test(key)))
  );
}

/** Cuts a list to one entry too many, which is enough to refuse it. */
function cutList<T>(given: readonly T[]): readonly T[] {
  return given.slice(0, maxVariables + 1);
}

function toVariable(name: unknown, value: unknown): Variable | null {
  const key = textOf(name)?.trim().toLowerCase() ?? "";
  const text = value === null ? "" : textOf(value);
  return key === "" || text === null ? null : [key, text];
}

/**
 * Says why one of these variables can't be set, in which case none of them is set; otherwise
 * returns null.
 */
function findObstacle(variables: readonly Variable[], merged: readonly Variable[]): string | null {
  for (const [name, value] of variables) {
    if (name.length > maxNameLength) {
      return `The name of a variable may have ${maxNameLength} characters, and one has ${name.length}.`;
    }
    if (isSystemVariable(name)) return `The variable ${name} belongs to the engine.`;
    if (value.length > maxValueLength) {
      return `A value may have ${maxValueLength} characters, and that of ${name} has ${value.length}.`;
    }
  }
  return merged.length > maxVariables
    ? `A conversation may have ${maxVariables} variables, and these would make more.`
    : null;
}
