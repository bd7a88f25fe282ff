/** Every text that the desk itself says, as locales/pages/<tag>.yaml has it under `desk`. */
export type Words = { readonly [name in Name]: string };

/** Languages that the desk speaks, in the order in which they are offered. */
export const LANGUAGES = ["en", "es", "fr", "de", "ar", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The words of a language. Only the one that is spoken is fetched. */
export async function wordsIn(language: Language): Promise<Words> {
  const answer = await fetch(new URL(`./words-${language}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`the desk's words are not there: ${answer.status}`);
  return answer.json();
}

/** The first of these language tags that the desk speaks; English where it speaks none. */
export function languageOf(tags: readonly (string | null)[]): Language {
  const codes = tags.map((tag) => tag?.toLowerCase().split(/[-_]/)[0] ?? "");
  return codes.flatMap((code) => LANGUAGES.filter((one) => one === code)).at(0) ?? "en";
}

export function directionOf(language: Language): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}

/** Fills `{name}` places. In a right-to-left line each value is isolated (FSI and PDI). */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  const both = [text, ...Object.values(values)].some((part) => rightToLeft.test(String(part)));
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = String(values[name] ?? place);
    return both ? `\u2068${value}\u2069` : value;
  });
}

const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u;

type Name =
  | "desk"
  | "signIn"
  | "signInAbout"
  | "appId"
  | "login"
  | "password"
  | "signingIn"
  | "demoHint"
  | "wrongPassword"
  | "unknownApp"
  | "locked"
  | "sessionEnded"
  | "nothingLost"
  | "signOut"
  | "online"
  | "onlineHelp"
  | "offlineHelp"
  | "language"
  | "joining"
  | "live"
  | "lost"
  | "tryNow"
  | "chats"
  | "invitations"
  | "mine"
  | "waiting"
  | "closedChats"
  | "noMine"
  | "noWaiting"
  | "nextUnread"
  | "unread"
  | "asksYou"
  | "asksJoin"
  | "asksTransfer"
  | "accept"
  | "reject"
  | "secondsLeft"
  | "place"
  | "beingAsked"
  | "unattended"
  | "take"
  | "room"
  | "assistant"
  | "you"
  | "system"
  | "somebody"
  | "back"
  | "pickChat"
  | "pickChatAbout"
  | "noSuchChat"
  | "loading"
  | "conversation"
  | "before"
  | "begins"
  | "noMessages"
  | "joinedChat"
  | "leftChat"
  | "closedBy"
  | "closedIdle"
  | "nobodyFound"
  | "isWriting"
  | "newBelow"
  | "yourMessage"
  | "send"
  | "sendHelp"
  | "tooLong"
  | "attach"
  | "fileTooLarge"
  | "download"
  | "downloadFile"
  | "show"
  | "showFile"
  | "sending"
  | "sent"
  | "readMark"
  | "notSent"
  | "retry"
  | "discard"
  | "notInChat"
  | "chatClosed"
  | "putAway"
  | "more"
  | "transfer"
  | "transferTitle"
  | "transferTo"
  | "transferNobody"
  | "transferAsk"
  | "transferAsked"
  | "giveBack"
  | "giveBackHelp"
  | "leave"
  | "leaveHelp"
  | "closeChat"
  | "closeTitle"
  | "closeAbout"
  | "cancel"
  | "details"
  | "name"
  | "contact"
  | "externalId"
  | "opened"
  | "chatLanguage"
  | "fieldName"
  | "fieldValue"
  | "save"
  | "saved"
  | "mayNotEdit"
  | "dismiss"
  | "unreachable"
  | "notAllowed"
  | "gone"
  | "changedMeanwhile"
  | "tooLarge"
  | "notUnderstood"
  | "tooMany"
  | "failed"
  | "toldMessage"
  | "toldInvitation"
  | "toldRefused"
  | "toldClosed";
