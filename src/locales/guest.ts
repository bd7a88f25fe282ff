import { toSpokenLanguage } from "./tag.ts";

/**
 * Returns the word for a person who gave no name, in the language of a tag; the English word if that
 * language has none here.
 *
 * @example
 * guestIn("fr-CA"); // "Invité"
 */
export function guestIn(tag: string): string {
  const words: Readonly<Record<string, string>> = GUEST;
  return words[toSpokenLanguage(tag)] ?? GUEST.en;
}

const GUEST = {
  ar: "ضيف",
  ca: "Convidat",
  cs: "Host",
  da: "Gæst",
  de: "Gast",
  el: "Επισκέπτης",
  en: "Guest",
  es: "Invitado",
  eu: "Gonbidatua",
  fi: "Vieras",
  fr: "Invité",
  gl: "Convidado",
  he: "אורח",
  hu: "Vendég",
  id: "Tamu",
  it: "Ospite",
  ja: "ゲスト",
  ko: "손님",
  nl: "Gast",
  no: "Gjest",
  pl: "Gość",
  pt: "Convidado",
  ro: "Vizitator",
  ru: "Гость",
  sv: "Gäst",
  th: "ผู้เยี่ยมชม",
  tr: "Misafir",
  uk: "Гість",
  vi: "Khách",
  zh: "访客",
};
