import type { JwtCheck } from "./port.ts";
import type { Platform } from "../platform.ts";

/** Brings jose in when the first signed token comes. */
export async function loadJwtCheck(platform: Platform): Promise<JwtCheck> {
  const { createJwtCheck } = await import("./jwt.ts");
  return createJwtCheck(platform);
}
