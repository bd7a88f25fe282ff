import { openApi } from "../../api/openapi.ts";
import type { DocumentedProduct } from "./products.ts";

/** What holds of every operation. Backticks stand around what is written so on the wire. */
export const RULES: readonly string[] = [
  "Paths are those of this backend's own address. A client that is told addresses by `apis` puts the path after the product's name behind the address: `/v1/…`.",
  "The version is `v1`, in small letters. Another version is answered 404. So is none, but for the chatbot and for the chat's media, settings and surveys.",
  "A path is the same with a slash at its end.",
  "Bodies are JSON. The same fields are accepted as a form, with nesting in brackets. A body has at most 10 MB.",
  "Booleans are `true` and `false`; `1`, `0` and the same as text are accepted, as are numbers as text.",
  "Any member that is not listed has no effect in a request, and may come in a later answer.",
];

/** The OpenAPI 3.1 document of these products. */
export function describeProducts(
  products: readonly DocumentedProduct[],
  version: string,
): Readonly<Record<string, unknown>> {
  const operations = products.flatMap((product) => product.operations);
  return {
    ...openApi(operations, {
      title: "Afterword's backend",
      version,
      description: RULES.map((rule) => `- ${rule}`).join("\n"),
    }),
    servers: [{ url: "/" }],
    tags: products.map(({ key, about }) => ({ name: key, description: about })),
  };
}
