/** What a well set text of one language looks like; docs/languages.md gives the reasons. */
export interface LanguageFacts {
  /** Letters the language is written with. */
  readonly script: RegExp;
  /** Marks that may stand in a text, beside letters, digits, blanks and quotes. */
  readonly marks: string;
  /** Quotation marks: the opening one, then the closing one. */
  readonly quotes: readonly (readonly [string, string])[];
  /** What a sentence ends with. Empty: with a letter. */
  readonly sentenceEnds: string;
  /** How a question ends. */
  readonly question: RegExp;
  /** What the heading of related contents ends with. Empty: with a letter. */
  readonly titleEnd: string;
  /** Words that are spelled like English ones and belong to the language. */
  readonly shared: string;
  /** Letters and words that a careless hand puts here. */
  readonly never: readonly Never[];
}

export interface Never {
  readonly what: RegExp;
  readonly why: string;
}

const latin: LanguageFacts = {
  script: /\p{Script=Latin}/u,
  marks: ".,?!:-",
  quotes: [["“", "”"]],
  sentenceEnds: ".?!",
  question: /\?$/u,
  titleEnd: ":",
  shared: "",
  never: [],
};
const cyrillic: LanguageFacts = {
  ...latin,
  script: /\p{Script=Cyrillic}/u,
  quotes: [["«", "»"]],
};
const chinese: LanguageFacts = {
  ...latin,
  script: /\p{Script=Han}/u,
  marks: "。，、？！：；",
  quotes: [["“", "”"]],
  sentenceEnds: "。？！",
  question: /？$/u,
  titleEnd: "：",
};

const guillemets = [["«", "»"]] as const;
const lowHigh = [["„", "“"]] as const;
const lowRight = [["„", "”"]] as const;

/** Characters that only one of the two ways of writing Chinese has. */
const simplifiedOnly =
  /[们这说话个请问没关还来长发开会为对写项条义务单讯换简过错选输览检验证实现录资词语题处连络]/u;
const traditionalOnly =
  /[們這說話個請問沒關還來長發開會為對寫項條義務單訊換簡過錯選輸覽檢驗證實現錄資詞語題處連絡]/u;

export const LANGUAGES: Readonly<Record<string, LanguageFacts>> = {
  ar: {
    ...latin,
    script: /\p{Script=Arabic}/u,
    marks: ".،؛؟!:",
    quotes: guillemets,
    sentenceEnds: ".؟!",
    question: /؟$/u,
    never: [
      { what: /\u0640/u, why: "the tatweel only stretches a word" },
      { what: /[\u06a9\u06cc]/u, why: "these are Persian letters" },
    ],
  },
  ca: { ...latin, marks: ".,?!:-’·", quotes: guillemets, shared: "no i a format us moment agent" },
  cs: { ...latin, quotes: lowHigh, shared: "to a do detail by" },
  da: { ...latin, quotes: guillemets, shared: "for i format to system team at" },
  de: {
    ...latin,
    quotes: lowHigh,
    shared: "problem format was system in team name an person ticket chat minute moment",
    never: [{ what: /ß/u, why: "the table serves Switzerland too" }],
  },
  el: {
    ...latin,
    script: /\p{Script=Greek}/u,
    marks: ".,;!:-’·",
    quotes: guillemets,
    sentenceEnds: ".;!",
    question: /;$/u,
    never: [{ what: /[\u1f00-\u1fff]/u, why: "the spelling is monotonic" }],
  },
  en: { ...latin, marks: ".,?!:-’" },
  es: { ...latin, marks: ".,?!:-¿¡", quotes: guillemets, shared: "a no chat" },
  eu: { ...latin, quotes: guillemets },
  fi: { ...latin, quotes: [["”", "”"]], shared: "on" },
  fr: {
    ...latin,
    marks: ".,?!:;-’",
    quotes: guillemets,
    shared: "long message a format options conversation moment chat minute minutes assistant",
    never: [{ what: /désolé/iu, why: "the bot has no gender" }],
  },
  gl: { ...latin, quotes: guillemets, shared: "a no" },
  he: {
    ...latin,
    script: /\p{Script=Hebrew}/u,
    marks: ".,?!:־",
    quotes: [["”", "”"]],
    never: [
      { what: /[\u0591-\u05bd\u05bf-\u05c7]/u, why: "the spelling is full, without points" },
      { what: /-/u, why: "a prefix is joined with a maqaf" },
    ],
  },
  hu: { ...latin, quotes: lowRight, shared: "a is" },
  id: { ...latin, shared: "detail", never: [{ what: /\banda\b/u, why: "Anda has a capital" }] },
  it: { ...latin, marks: ".,?!:-’", quotes: guillemets, shared: "a in me no team i file chat" },
  ja: {
    ...latin,
    script: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u,
    marks: "。、？！：",
    quotes: [["「", "」"]],
    sentenceEnds: "。？！",
    question: /？$/u,
    titleEnd: "：",
    never: [{ what: /あなた/u, why: "the reader is not addressed with a pronoun" }],
  },
  ko: {
    ...latin,
    script: /\p{Script=Hangul}/u,
    titleEnd: "",
    never: [{ what: /당신|니다/u, why: "the register is 해요체, without a pronoun" }],
  },
  nl: {
    ...latin,
    shared: "in me was best sorry of details later contact team is we moment ticket chat",
  },
  no: { ...latin, quotes: guillemets, shared: "for i best to send" },
  pl: {
    ...latin,
    quotes: lowRight,
    shared: "to a i do format system go",
    never: [{ what: /\bPan(?:i|a|u|ią)?\b/u, why: "the reader has no gender" }],
  },
  pt: {
    ...latin,
    quotes: guillemets,
    shared: "a no do me chat",
    never: [
      { what: /obrigad/iu, why: "the bot has no gender" },
      { what: /\bvocê/iu, why: "European Portuguese is courteous without a pronoun" },
    ],
  },
  "pt-BR": {
    ...latin,
    shared: "no do a chat",
    never: [
      { what: /obrigad/iu, why: "the bot has no gender" },
      { what: /\b(?:te|contacte|connosco)\b/iu, why: "this is not Brazilian" },
    ],
  },
  ro: {
    ...latin,
    quotes: lowRight,
    shared: "a i chat minute",
    never: [{ what: /[şţŞŢ]/u, why: "ș and ț have a comma below, not a cedilla" }],
  },
  ru: {
    ...cyrillic,
    never: [
      { what: /[іїєґ]/iu, why: "these are Ukrainian letters" },
      { what: /(?<=\p{L} )(?:Вы|Вас|Вам|Ваш)/u, why: "вы has a small letter" },
    ],
  },
  sv: { ...latin, quotes: [["”", "”"]], shared: "i in system team person" },
  th: {
    ...latin,
    script: /\p{Script=Thai}/u,
    marks: "",
    sentenceEnds: "",
    question: /ไหม$/u,
    titleEnd: "",
    never: [{ what: /ครับ|ค่ะ|คะ(?!แนน)/u, why: "the bot has no gender" }],
  },
  tr: { ...latin },
  uk: {
    ...cyrillic,
    marks: ".,?!:-’",
    never: [{ what: /[ыэъё]/iu, why: "these are Russian letters" }],
  },
  vi: { ...latin },
  zh: {
    ...chinese,
    never: [
      { what: traditionalOnly, why: "this is a Traditional character" },
      { what: /你/u, why: "the reader is 您" },
    ],
  },
  "zh-Hant": {
    ...chinese,
    quotes: [["「", "」"]],
    never: [
      { what: simplifiedOnly, why: "this is a Simplified character" },
      { what: /你/u, why: "the reader is 您" },
    ],
  },
};

/** Writing systems in which a Latin letter is a foreign body. */
export const WITHOUT_LATIN: readonly string[] = "ja ko zh zh-Hant ru uk el ar he th".split(" ");

/** Writing systems that put no blank between words. */
export const WITHOUT_BLANKS: readonly string[] = ["ja", "zh", "zh-Hant"];
