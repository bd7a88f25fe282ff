import { z } from "zod";
import { shapeOf } from "./json-schema.ts";
import type { Operation, WireCredentials, WireProduct } from "./operation.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * What operations of an OpenAPI document refer to: how a caller shows who it is, and the shapes of
 * errors.
 */
export function components(): Json {
  return {
    securitySchemes,
    schemas: Object.fromEntries(
      Object.entries(errorBodies).map(([name, body]) => [name, shapeOf(body, "output")]),
    ),
  };
}

/** Reference to the shape of a product's errors. */
export function errorReference(product: WireProduct): Json {
  return { $ref: `#/components/schemas/${errorBodyOf[product]}` };
}

/** A security requirement. */
export function requirementOf(credentials: WireCredentials): Json {
  return Object.fromEntries(schemesOf[credentials].map((name) => [name, []]));
}

const fault = z.object({ code: z.int(), message: z.string() });
const message = z.string().optional();

/** Each system has errors of its own shape; code and status are the same number. */
const errorBodies: Readonly<Record<string, z.ZodType>> = {
  Errors: z.object({ errors: z.array(fault).length(1), message }),
  ErrorAndErrors: z.object({ errors: z.array(fault).length(1), error: fault, message }),
  Error: z.object({ error: fault }),
};

const errorBodyOf: Readonly<Record<WireProduct, string>> = {
  auth: "Errors",
  chatbot: "Errors",
  knowledge: "ErrorAndErrors",
  ticketing: "ErrorAndErrors",
  chat: "Error",
};

const headerKey = (name: string, description: string): Json => ({
  type: "apiKey",
  in: "header",
  name,
  description,
});

const securitySchemes: Json = {
  key: headerKey("x-vendor-key", "The API key. `x-inbenta-key` is the same header."),
  token: { type: "http", scheme: "bearer", description: "An access token issued to the API key." },
  session: headerKey("x-inbenta-session", "`Bearer ` and the `sessionToken`, or the token alone."),
  app: headerKey("x-hyper-appId", "The chat app's id."),
  secret: headerKey("x-hyper-secret", "The chat app's secret. It stays on a server."),
  person: headerKey("x-hyper-token", "The token of a chat user or of an agent."),
};

const schemesOf: Readonly<Record<WireCredentials, readonly string[]>> = {
  key: ["key"],
  token: ["key", "token"],
  session: ["key", "token", "session"],
  app: ["app"],
  "app-secret": ["app", "secret"],
  "app-token": ["app", "person"],
};

/** The product in an operation's id. */
export function productOf(id: Operation["id"]): WireProduct {
  const name = id.split(".")[0];
  const products: readonly WireProduct[] = ["auth", "chatbot", "knowledge", "ticketing", "chat"];
  const found = products.find((product) => product === name);
  if (found === undefined) throw new Error(`unreachable: ${id} is of no product`);
  return found;
}
