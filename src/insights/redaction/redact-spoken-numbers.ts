import { BEGINS, ENDS } from "./words.ts";

/**
 * Replaces five and more digits in a row that are written as words, in any language, by the mark:
 * `oh seven double seven one two`.
 */
export function redactSpokenNumbers(text: string, mark: string): string {
  return text.replace(SPOKEN, (run) => {
    const isUnspaced = /[\p{sc=Han}\p{sc=Kana}\p{sc=Hang}]/u.test(run);
    const digits = run.match(isUnspaced ? UNSPACED_DIGIT : /[\p{L}\p{M}\p{Nd}']+/gu) ?? [];
    if (digits.length < minSpoken) return run;
    return mark + run.slice(run.replace(BEHIND_SPOKEN, "").length);
  });
}

const minSpoken = 5;
const UNSPACED_DIGIT = /ゼロ|[零〇一二三四五六七八九공영일이삼사오육륙칠팔구]/gu;
const BEHIND_SPOKEN = /[에の\s,、・.-]{1,3}$/u;

/** From zero to nine, and the words for several of one; in French, numbers are said in tens. */
export const DIGIT_WORDS = [
  "zero oh nought one two three four five six seven eight nine double triple",
  "twenty thirty forty fifty sixty seventy eighty ninety zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
  "null eins zwei zwo drei vier fünf sechs sieben acht neun doppel",
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze vingt trente quarante cinquante soixante",
  "cero uno dos tres cuatro cinco seis siete ocho nueve doble diez once doce veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
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

const GERMAN_TENS =
  "(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(?:zwanzig|[a-zß]{4,6}zig|dreißig)";
/** Groups of digits, as in 〇九〇の一二三四の五六七八. */
const JAPANESE_GROUP = "[零〇一二三四五六七八九]{2,4}";
const SPOKEN_DIGIT = String.raw`(?:${DIGIT_WORDS.join("|")}|${GERMAN_TENS}|\p{Nd}{2})${ENDS}`;
const SPOKEN = new RegExp(
  String.raw`${BEGINS}${SPOKEN_DIGIT}(?:[ ,.-]{1,3}(?:y )?${SPOKEN_DIGIT})*|[ゼロ零〇一二三四五六七八九]{5,}|(?:${JAPANESE_GROUP}[の ,、・.-]{0,2}){2,}|(?:[공영일이삼사오육륙칠팔구]{2,4}에?(?:[ -]|(?!\p{sc=Hang}))){2,}`,
  "giu",
);
