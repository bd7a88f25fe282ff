import { z } from "zod";

/**
 * The JSON Schema (2020-12) of a shape. What JSON Schema cannot say, such as a transformed value,
 * is described as "anything" rather than left out. No object is closed: later answers may have more
 * members, and two closed shapes that are joined would let nothing through.
 */
export function shapeOf(
  schema: z.ZodType,
  io: "input" | "output",
): Readonly<Record<string, unknown>> {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return shape;
}
