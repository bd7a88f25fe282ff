import { DIGIT_WORDS } from "./redact-spoken-numbers.ts";
import { BEGINS, ENDS } from "./words.ts";

/** Numbers from 13 to 99 in words; smaller ones are seldom an age of a person who types. */
const SPOKEN_AGE = (() => {
  const unit = String.raw`(?:[ -](?:(?:y|e|et|și|und)[ -])?(?:${DIGIT_WORDS.join("|")}))?`;
  const tens = [
    "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety",
    "vingt|trente|quarante|cinquante|soixante|quatre-vingts?|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa",
    "vinte|trinta|quarenta|cinquenta|sessenta|oitenta|douăzeci|treizeci|patruzeci|cincizeci|șaizeci|șaptezeci|optzeci|nouăzeci",
    "dwadzieścia|trzydzieści|czterdzieści|pięćdziesiąt|sześćdziesiąt|siedemdziesiąt|osiemdziesiąt|dziewięćdziesiąt",
    "dvacet|třicet|čtyřicet|padesát|šedesát|sedmdesát|osmdesát|devadesát",
    "двадцать|тридцать|сорок|пятьдесят|шестьдесят|семьдесят|восемьдесят|девяносто|двадцять|п'ятдесят|шістдесят|сімдесят|вісімдесят|дев'яносто",
    "είκοσι|τριάντα|σαράντα|πενήντα|εξήντα|εβδομήντα|ογδόντα|ενενήντα",
    "yirmi|otuz|kırk|elli|altmış|yetmiş|seksen|doksan|עשרים|שלושים|ארבעים|חמישים|שישים|שבעים|שמונים|תשעים",
  ].join("|");
  const whole = [
    String.raw`(?:thir|four|fif|six|seven|eigh|nine)teen|\p{L}{4,9}(?:naście|надцать|надцять|náct)`,
    String.raw`(?:\p{L}{3,6}und)?(?:zwanzig|drei(?:ß|ss)ig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn`,
    String.raw`(?:\p{L}{3,5}[eë]n)?(?:twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig)|(?:der|veer|vijf|zes|zeven|acht|negen)tien`,
    String.raw`(?:tjugo|trettio|fyrtio|femtio|sextio|sjuttio|åttio|nittio|tjue|tretti|førti|femti|seksti|sytti|åtti|nitti)\p{L}{0,4}`,
    String.raw`(?:\p{L}{2,4}og)?(?:tyve|tredive|fyrre|halvtreds|tres|halvfjerds|firs|halvfems)`,
    String.raw`(?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant)[aiou]?\p{L}{0,7}|veinti\p{L}{2,6}|dieci(?:séis|siete|ocho|nueve)|(?:quator|quin)ze`,
    String.raw`\p{L}{4,9}kymmentä\p{L}{0,9}|(?:huszon|harminc|negyven|ötven|hatvan|hetven|nyolcvan|kilencven)\p{L}{0,6}`,
    String.raw`(?:\p{sc=Arab}{3,7} و)?(?:عشر|ثلاث|أربع|اربع|خمس|ست|سبع|ثمان|تسع)(?:ون|ين)`,
  ].join("|");
  return String.raw`(?:(?:${tens})${unit}|${whole})`;
})();
const AGE = String.raw`(?:\p{Nd}{1,3}|${SPOKEN_AGE}${ENDS})`;
/** Words before an age that need no others after it. */
const AGE_AFTER =
  "my age is|aged|age|alter|âge|edad|età|idade|edat|adina|leeftijd|ålder|alder|ikäni|ikä|wiek|věk|vek|vârsta|életkorom|yaşım|возраст|вік|ηλικία|عمري|عمر (?:أمي|أبي|ابني|ابنتي|والدي|والدتي|زوجي|زوجتي)|عمرها|عمره|גילי|בן|בת|umur saya|umur|usia|उम्र|年齢は?|年龄是?|나이는?|อายุ";
/** Words before an age that is a limit, and so nobody's own age. */
const AGE_LIMIT =
  "minimum|maximum|min\\.?|max\\.?|legal|required|lowest|highest|minimale|maximale|lägsta|högsta|minste|laveste|højeste|høyeste|minimalny|maksymalny|minimální|maximální|minimálny|maximálny|минимальный|максимальный|мінімальний|максимальний|ελάχιστη|μέγιστη|न्यूनतम|अधिकतम|최소|최저|최대";
/** Words before a number that is an age if a sentence or years follow: "I am 2 days late". */
const BEING =
  "my (?:mother|father|mum|mom|dad|son|daughter|husband|wife|grandmother|grandfather|grandma|grandpa) is|meine? (?:mutter|vater|sohn|tochter|mann|frau|oma|opa) ist|i am|i'm|ich bin|ik ben|jag är|jeg er|olen|είμαι|tôi|saya|she is|he is|she's|he's|sie ist|er ist|hij is|zij is|hon är|han är|hun er|han er";
const YEARS_OF_AGE =
  "years|yrs|yo|jahre|jaar|år|vuotta|vuotias|χρονών|ετών|tuổi|tahun|and|but|und|aber|en|maar|och|og|men|ja|και";
/** Words before a number of years that is an age, unless it is that of a thing. */
const HAVING =
  "ma (?:mère|fille|femme|grand-mère) a|mon (?:père|fils|mari|grand-père) a|маме|папе|сыну|дочери|мужу|жене|бабушке|дедушке|j'ai|il a|elle a|tengo|tiene|ho|ha|tenho|tem|tinc|mam|ma|mám|am|мне|мені|ему|ей|йому|їй|έχω";
const YEARS_HAD =
  "ans|años|anni|anos|anys|lat|lata|let|roků|rokov|de ani|ani|лет|года|год|років|роки|рік";
/** Words after an age. */
const AGE_BEFORE =
  "years? old|year-old|years? of age|y/o|jahre alt|jährig\\p{L}{0,2}|jaar oud|år gammal|år gammel|vuotta vanha|vuotias|ans d'âge|años de edad|anni d'età|anos de idade|lat mam|éves|yaşında\\p{L}{0,3}|yaşım\\p{L}{0,3}|tuổi|साल का|साल की|साल के|वर्ष का|वर्ष की";

/** Ages of people, in digits and words; those that are a limit stay. */
export const AGES: readonly RegExp[] = [
  // I am 34; aged 34
  new RegExp(
    String.raw`(?<=${BEGINS}(?:${BEING}) )${AGE}(?= ?(?:$|[.,;!?)]|(?:${YEARS_OF_AGE})${ENDS}))`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<=${BEGINS}(?<!${BEGINS}(?:${AGE_LIMIT}) ?)(?:${AGE_AFTER}):? ?)${AGE}(?!\p{Nd}|\+| ?(?:以上|以下|未満))`,
    "giu",
  ),
  // J'ai 34 ans, but not: j'ai 2 ans de garantie
  new RegExp(
    String.raw`(?<=${BEGINS}(?:${HAVING}) )${AGE}(?= (?:${YEARS_HAD})${ENDS}(?! d(?:e (?!edad|idade)|i |u |'(?!âge|età))))`,
    "giu",
  ),
  // 34 years old, 34岁
  new RegExp(String.raw`${BEGINS}${AGE}(?=(?: |-)?(?:${AGE_BEFORE})${ENDS})`, "giu"),
  new RegExp(String.raw`(?<!\p{Nd})\p{Nd}{1,3}(?=(?:${AGE_BEFORE})${ENDS})`, "giu"),
  /(?<![\p{Nd}一二三四五六七八九十])(?:\p{Nd}{1,3}|[一二三四五六七八九十百]{1,4}|(?:열|스물?|스무|서른|마흔|쉰|예순|일흔|여든|아흔)(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉)?)(?= ?(?:周?岁|歳|살)(?!以上|以下|未満| ?이상| ?이하))/gu,
];
