import type { DeskWord } from "../../../locales/page-words.d.ts";

/** Every text that the desk itself says, as locales/pages/<tag>.yaml has it under `desk`. */
export type Words = { readonly [name in DeskWord]: string };
