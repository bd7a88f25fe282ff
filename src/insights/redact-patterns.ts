// Words by which readers say an address, a number or a date that machines would write otherwise.

/** The words for `@` and for `.` in an address that somebody says. */
const AT =
  "at|ät|aet|arobase|arroba|chiocciola|małpa|malpa|собака|равлик|zavináč|zavinac|kukac|apenstaartje|snabel-?a|krøllalfa|alfakrøll|παπάκι";
const DOT = "dot|punkt|point|punto|ponto|kropka|точка|крапка|tečka|tecka|pont|piste|τελεία|nokta";
const PART = String.raw`[\p{L}\p{M}\p{N}_+.-]{1,64}`;

/** Words for streets: before their names, after them, and at the end of a compound. */
const STREET_BEFORE =
  "rue|avenue|boulevard|chemin|allée|impasse|quai|place|calle|avenida|paseo|plaza|carrer|via|viale|piazza|corso|rua|travessa|praça|strada|bulevardul|ul|ulica|ulicy|aleja|улица|улице|ул|проспект|переулок|вулиця|вул|οδός|οδό|شارع|طريق|רחוב|jalan|jl|đường";
const STREET_AFTER =
  "street|st|road|rd|avenue|ave|lane|ln|drive|court|square|boulevard|blvd|terrace|crescent|caddesi|cad|sokak|sokağı|sok|straße|strasse|str|weg|platz|allee|utca|kalea";
const STREET_END =
  "straße|strasse|str|weg|gasse|platz|allee|damm|straat|laan|plein|gracht|vägen|gatan|gata|gade|veien|katu|utca";

const WORD = String.raw`[\p{L}\p{M}'.-]{1,40}`;
/** A house number; `\p{Co}` is a mark in its place, with the number of the town. */
const HOUSE = String.raw`(?:(?:no|nr|n°|д|дом|буд|№)[.:]? ?)?(?:\p{Nd}{1,4}(?: ?\p{L})?|\p{Co})`;
const BEGINS = String.raw`(?<![\p{L}\p{M}\p{N}])`;
const ENDS = String.raw`(?![\p{L}\p{M}\p{N}])`;

const MIXED = String.raw`A-Za-z\p{sc=Cyrl}`;

const PATTERNS: readonly RegExp[] = [
  // anna dot miller at shop dot com
  new RegExp(
    String.raw`${BEGINS}${PART}(?: (?:${DOT}) ${PART}){0,4} (?:${AT}) ${PART}(?: ?(?:${DOT}) ?${PART}){1,4}`,
    "giu",
  ),
  // 221B Baker Street
  new RegExp(
    String.raw`${BEGINS}\p{Nd}{1,4}\p{L}? (?:${WORD} ){1,3}(?:${STREET_AFTER})${ENDS}`,
    "giu",
  ),
  // 12 rue de la Paix
  new RegExp(
    String.raw`${BEGINS}\p{Nd}{1,4}(?: ?bis| ?ter)?,? (?:${STREET_BEFORE})\.? (?:(?:de|du|des|la|les|le) ){0,2}${WORD}`,
    "giu",
  ),
  // Calle Mayor 5, ул. Ленина, д. 5
  new RegExp(
    String.raw`${BEGINS}(?:${STREET_BEFORE})\.? ${WORD}(?: ${WORD}){0,3},? ${HOUSE}${ENDS}`,
    "giu",
  ),
  // Atatürk Caddesi No: 5, Lange Straße 5
  new RegExp(String.raw`${BEGINS}${WORD} (?:${STREET_AFTER})\.? ${HOUSE}${ENDS}`, "giu"),
  // Lindenweg 7a
  new RegExp(
    String.raw`${BEGINS}\p{L}[\p{L}\p{M}-]{2,40}(?:${STREET_END})\.? ${HOUSE}${ENDS}`,
    "giu",
  ),
  // 建国路88号, 丸の内1-2-3, 테헤란로 12
  /\p{sc=Han}{1,12}[路街道巷弄]\p{Nd}{1,4}号?/gu,
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]{1,20}\p{Nd}{1,3}(?:丁目|番地?|[-\u2010-\u2015])\p{Nd}{1,4}(?:[-\u2010-\u2015号番]\p{Nd}{0,4})?/gu,
  /\p{sc=Hang}{1,12}[로길] ?\p{Nd}{1,4}(?:-\p{Nd}{1,4})?/gu,
  // 山田様, 김철수 씨: 仕様 and お客様 name nobody.
  /\p{sc=Han}{1,4}(?<![仕同多模客皆異一各王神])(?=様|さん|氏)/gu,
  /\p{sc=Hang}{2,4}(?= 씨(?!\p{sc=Hang}{2}))/gu,
  // 3 May 1941
  new RegExp(
    String.raw`${BEGINS}\p{Nd}{1,2}(?:\.|st|nd|rd|th|er)? (?:de |of )?\p{L}{3,12}\.?,? (?:de )?(?:19|20)\p{Nd}{2}${ENDS}`,
    "giu",
  ),
  // B-MX 4711, 34 ABC 123, AB12 CDE
  new RegExp(String.raw`${BEGINS}\p{Lu}{1,3}-\p{Lu}{1,2} ?\p{Nd}{1,4}${ENDS}`, "gu"),
  new RegExp(String.raw`${BEGINS}\p{Nd}{2} \p{Lu}{1,3} \p{Nd}{2,4}${ENDS}`, "gu"),
  new RegExp(String.raw`${BEGINS}\p{Lu}{2}\p{Nd}{2} \p{Lu}{3}${ENDS}`, "gu"),
];

/** A code in which letters and digits take turns, such as AB12C, AB-123-CD or А123ВС 77. */
const CODE = new RegExp(
  String.raw`(?<![${MIXED}\p{Nd}])[${MIXED}\p{Nd}·-]{5,}(?: \p{Nd}{1,3}${ENDS})?`,
  "gu",
);

/** Puts the mark in the place of addresses, dates, codes and names as people say and write them. */
export function redactPatterns(text: string, mark: string): string {
  const redacted = PATTERNS.reduce((left, pattern) => left.replace(pattern, mark), text);
  return redacted.replace(CODE, (code) => {
    const runs = code.match(new RegExp(String.raw`[${MIXED}]+|\p{Nd}+`, "gu")) ?? [];
    const digits = code.match(/\p{Nd}/gu)?.length ?? 0;
    const isShort = runs.every((run) => run.length <= longestRun);
    // Sizes such as 40x30 are no codes.
    if (/^\p{Nd}+[xх]\p{Nd}+$/iu.test(code)) return code;
    return runs.length >= leastRuns && digits >= leastDigitsOfCode && isShort ? mark : code;
  });
}

const [leastRuns, leastDigitsOfCode, longestRun] = [3, 2, 4];

/**
 * Puts the mark in the place of five and more digits in a row that are words, of any language:
 * `oh seven double seven one two`.
 */
export function redactSpokenNumbers(text: string, mark: string): string {
  return text.replace(SPOKEN, (run) => {
    const isUnspaced = /[\p{sc=Han}\p{sc=Kana}\p{sc=Hang}]/u.test(run);
    const digits = run.match(isUnspaced ? /\p{L}/gu : /[\p{L}\p{M}']+/gu) ?? [];
    return digits.length >= leastSpoken ? mark + run.slice(run.trimEnd().length) : run;
  });
}

const leastSpoken = 5;

/** From zero to nine, and the words for several of one; in French, numbers are said in tens. */
const DIGIT_WORDS = [
  "zero oh nought one two three four five six seven eight nine double triple",
  "null eins zwei zwo drei vier fünf sechs sieben acht neun doppel",
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze vingt trente quarante cinquante soixante",
  "cero uno dos tres cuatro cinco seis siete ocho nueve doble",
  "uno due tre quattro cinque sei sette otto nove",
  "um dois três quatro cinco seis meia sete oito nove",
  "doi trei patru cinci șase sase șapte sapte opt nouă noua",
  "nul een één twee drie vier vijf zes zeven acht negen",
  "noll ett två tre fyra fem sex sju åtta nio en to fire seks syv otte åtte ni",
  "nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän",
  "jeden dwa trzy cztery pięć sześć siedem osiem dziewięć",
  "nula jedna dva tři čtyři pět šest sedm osm devět nulla egy kettő három négy öt hat hét nyolc kilenc",
  "ноль один два три четыре пять шесть семь восемь девять нуль чотири п'ять шість сім вісім дев'ять",
  "μηδέν ένα δύο τρία τέσσερα πέντε έξι εφτά επτά οχτώ οκτώ εννιά εννέα",
  "sıfır bir iki üç dört beş altı yedi sekiz dokuz",
  "صفر واحد اثنان اثنين ثلاثة أربعة اربعة خمسة ستة سبعة ثمانية تسعة",
  "אפס אחת אחד שתיים שלוש ארבע חמש שש שבע שמונה תשע",
  "शून्य एक दो तीन चार पांच पाँच छह छः सात आठ नौ",
  "không một hai ba bốn năm sáu bảy tám chín nol satu dua tiga empat lima enam tujuh delapan sembilan",
].flatMap((words) => words.split(" "));

const SPOKEN_DIGIT = `(?:${DIGIT_WORDS.join("|")})${ENDS}`;
const SPOKEN = new RegExp(
  String.raw`${BEGINS}${SPOKEN_DIGIT}(?:[ ,.-]{1,3}${SPOKEN_DIGIT})*|[ゼロ零〇一二三四五六七八九]{5,}|(?:[공영일이삼사오육륙칠팔구]{2,4}(?:[ -]|(?!\p{sc=Hang}))){2,}`,
  "giu",
);
