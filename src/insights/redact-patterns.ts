// Words with which readers write an address, a number or a date in their own way.

/** The words for `@` and for `.` in an address that somebody says. */
const AT =
  "at|klammeraffe|kuyruklu a|آت|ät|aet|arobase|arroba|chiocciola|małpa|malpa|собака|равлик|zavináč|zavinac|kukac|apenstaartje|snabel-?a|krøllalfa|alfakrøll|παπάκι";
const DOT =
  "دوت|dot|punkt|point|punto|ponto|kropka|точка|крапка|tečka|tecka|pont|piste|τελεία|nokta";
const PART = String.raw`[\p{L}\p{M}\p{N}_+.-]{1,64}`;

/** Words for streets: before their names, after them, and at the end of a compound. */
const STREET_BEFORE =
  "c/|avda|av\\.|rue|avenue|boulevard|chemin|allée|impasse|quai|place|calle|avenida|paseo|plaza|carrer|via|viale|piazza|corso|rua|travessa|praça|strada|bulevardul|ul|ulica|ulicy|aleja|улица|улице|ул|проспект|переулок|вулиця|вул|οδός|οδό|شارع|طريق|רחוב|jalan|jl|đường";
const STREET_AFTER =
  "street|st|road|rd|avenue|ave|lane|ln|drive|court|square|boulevard|blvd|terrace|crescent|caddesi|cad|sokak|sokağı|sok|straße|strasse|str|weg|platz|allee|utca|kalea|markt|ufer";
const STREET_END =
  "straße|strasse|str|weg|gasse|platz|allee|damm|straat|laan|plein|gracht|vägen|gatan|gata|gade|veien|katu|utca";

const WORD = String.raw`[\p{L}\p{M}'.-]{1,40}`;
/** Words before a number plate, where its letters and digits may stand in any order. */
const PLATE =
  "number plate|license plate|licence plate|plate number|registration number|reg|kennzeichen|immatriculation|plaque|matrícula|placa|targa|rejestracja|rejestracyjny|номер машины|номер авто|госномер|plaka|plakası|kenteken|اللوحة|गाड़ी|गाड़ी नंबर";
const NO_PLATE =
  "in|on|at|am|im|en|el|la|de|del|le|du|di|to|for|für|bis|por|w|z|на|в|с|от|में|के|की|का";
const BORN =
  "born|birthday|birthday is|date of birth|dob|geboren|geburtstag|né|née|nacido|nacida|nascido|nascida|nato|nata|urodzony|urodzona|родился|родилась|doğum";
const MONTH =
  "January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec";
/** Services at which people have names, and providers of e-mail that are named without an ending. */
const SERVICE =
  "instagram|insta|telegram|tiktok|twitter|snapchat|skype|discord|wechat|facebook|微信号?:?|微信是|qq号?:?";
const PROVIDER =
  "gmail|googlemail|hotmail|outlook|yahoo|icloud|gmx|protonmail|proton|aol|yandex|naver";
/**
 * The most frequent family names of China and Korea, because nothing else marks the beginning of a
 * name.
 */
const SURNAME =
  "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董袁潘蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸汪范金石廖贾賈夏韦韋付方白邹鄒孟熊秦邱江尹薛闫阎段雷侯龙龍史陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔向汤湯";
const KOREAN_SURNAME =
  "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민";

/** A house number; `\p{Co}` is a mark in its place, with the number of the town. */
const HOUSE = String.raw`(?:(?:no|nr|n°|д|дом|буд|№)[.:]? ?)?(?:\p{Nd}{1,4}(?: ?\p{L})?|\p{Co})`;
const BEGINS = String.raw`(?<![\p{L}\p{M}\p{N}])`;
const ENDS = String.raw`(?![\p{L}\p{M}\p{N}])`;

const AGE = String.raw`\p{Nd}{1,3}`;
/** Words before an age that need no others after it. */
const AGE_AFTER =
  "my age is|aged|age|alter|âge|edad|età|idade|edat|adina|leeftijd|ålder|alder|ikäni|ikä|wiek|věk|vek|vârsta|életkorom|yaşım|возраст|вік|ηλικία|عمري|عمرها|عمره|גילי|בן|בת|umur saya|umur|usia|उम्र|年齢は?|年龄是?|나이는?|อายุ";
/** Words before an age that is a limit, and so nobody's own age. */
const AGE_LIMIT =
  "minimum|maximum|min\\.?|max\\.?|legal|required|lowest|highest|minimale|maximale|lägsta|högsta|minste|laveste|højeste|høyeste|minimalny|maksymalny|minimální|maximální|minimálny|maximálny|минимальный|максимальный|мінімальний|максимальний|ελάχιστη|μέγιστη|न्यूनतम|अधिकतम|최소|최저|최대";
/** Words before a number that is an age if a sentence or years follow: "I am 2 days late". */
const BEING =
  "i am|i'm|ich bin|ik ben|jag är|jeg er|olen|είμαι|tôi|saya|she is|he is|she's|he's|sie ist|er ist|hij is|zij is|hon är|han är|hun er|han er";
const YEARS_OF_AGE =
  "years|yrs|yo|jahre|jaar|år|vuotta|vuotias|χρονών|ετών|tuổi|tahun|and|but|und|aber|en|maar|och|og|men|ja|και";
/** Words before a number of years that is an age, unless it is that of a thing. */
const HAVING =
  "j'ai|il a|elle a|tengo|tiene|ho|ha|tenho|tem|tinc|mam|ma|mám|am|мне|мені|ему|ей|йому|їй|έχω";
const YEARS_HAD =
  "ans|años|anni|anos|anys|lat|lata|let|roků|rokov|de ani|ani|лет|года|год|років|роки|рік";
/** Words after an age. */
const AGE_BEFORE =
  "years? old|year-old|years? of age|y/o|jahre alt|jährig\\p{L}{0,2}|jaar oud|år gammal|år gammel|vuotta vanha|vuotias|ans d'âge|años de edad|anni d'età|anos de idade|lat mam|éves|yaşında\\p{L}{0,3}|yaşım\\p{L}{0,3}|tuổi|साल का|साल की|साल के|वर्ष का|वर्ष की";

/** A number with a unit is no postcode, unless a town follows or one of these words precedes it. */
const UNIT = "KB|MB|GB|TB|MG|KG|LB|OZ|MM|CM|DM|KM|FT|ML|CL|DL|KW|HP|PS|HZ";
const POSTCODE_AFTER = String.raw`(?:\p{Co},?|[Pp]ost(?:al )?code:?|[Pp]ostcode is|[Zz]ip(?: code)?:?|PLZ:?)`;

/** Titles that stand before names in Hindi and Thai, whose names have no capitals. */
const HINDI_TITLE = "श्रीमती|श्री|सुश्री|कुमारी|डॉक्टर|डॉ\\.?|मेरा नाम";
const HINDI_PARTICLE =
  "का|की|के|को|ने|से|में|पर|और|है|हैं|हूँ|हूं|था|थी|थे|तक|भी|ही|कहाँ|कहां|कब|कैसे|क्या|क्यों|जी|सूची|गलत|बदलना";
const THAI_TITLE = "นางสาว|นาย|นาง|น\\.ส\\.|ด\\.ช\\.|ด\\.ญ\\.|ดร\\.";
/** Words after which these titles follow without a blank, and words that begin like a title. */
const THAI_BEFORE_TITLE = "ของ|ให้|ชื่อ|คือ|กับ|ถึง|จาก|โดย|และ|ผม|ฉัน";
const THAI_NO_NAME = "จ้าง|หน้า|แพทย์|ทะเบียน|ทหาร|ตำรวจ|กรัฐ|กสมาคม|แบบ|สาว|พยาบาล|ฟ้า|งาม";

const MIXED = String.raw`A-Za-z\p{sc=Cyrl}`;

const PATTERNS: readonly RegExp[] = [
  // anna dot miller at shop dot com
  new RegExp(
    String.raw`${BEGINS}${PART}(?: (?:${DOT}) ${PART}){0,4} (?:${AT}) ${PART}(?: ?(?:${DOT}) ?${PART}){1,4}`,
    "giu",
  ),
  // my mail is anna at gmail
  new RegExp(
    String.raw`(?<=${BEGINS}(?:e-?)?mail(?: address)?(?: is|:)? )${PART} (?:${AT}) (?:${PROVIDER})${ENDS}(?: com${ENDS})?`,
    "giu",
  ),
  // annaアットマークshopドットexample
  /[A-Za-z0-9_.+-]{1,64} ?(?:艾特|アットマーク|アット|골뱅이) ?[A-Za-z0-9_-]{0,64}(?: ?(?:点|ドット|점) ?[A-Za-z0-9]{1,24}){0,3}/gu,
  // shop dot example slash orders slash anna
  new RegExp(
    String.raw`${BEGINS}${PART}(?: (?:${DOT}) ${PART}){1,3}(?: slash ${PART}){1,6}`,
    "giu",
  ),
  // Instagram: anna_miller.84
  new RegExp(
    String.raw`(?<=${BEGINS}(?:${SERVICE}):? ?)[A-Za-z][A-Za-z0-9-]{0,40}[_.\p{Nd}][A-Za-z0-9_.-]{0,40}`,
    "giu",
  ),
  // PIN 4711, exp. 04/27
  new RegExp(
    String.raw`(?<=${BEGINS}(?:pin|tan|cvc|cvv|cvn)(?: code| is|:)? )\p{Nd}{3,4}${ENDS}`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<=${BEGINS}(?:exp|expires|expiry)\.?:? )\p{Nd}{1,2}/\p{Nd}{2}${ENDS}`,
    "giu",
  ),
  // 221B Baker Street
  new RegExp(
    String.raw`${BEGINS}\p{Nd}{1,4}\p{L}? (?!(?:${UNIT}) )(?:${WORD} ){1,3}(?:${STREET_AFTER})${ENDS}`,
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
  // May 3rd, 1941; born on 3 May 41
  new RegExp(
    String.raw`${BEGINS}(?:${MONTH})\.? \p{Nd}{1,2}(?:st|nd|rd|th)?,? (?:19|20)\p{Nd}{2}${ENDS}`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<=${BEGINS}(?:${BORN}):? (?:\p{L}{1,4} )?)\p{Nd}{1,2}(?:\.|st|nd|rd|th|er)? (?:de |of )?\p{L}{3,12}\.?(?: (?:de )?'?\p{Nd}{2})${ENDS}`,
    "giu",
  ),
  // AB 123 CD, А 123 ВС 77, DL 3C AB 1234, 12가 3456, 品川 300 あ 12-34
  new RegExp(
    String.raw`${BEGINS}\p{Lu}{1,2} \p{Nd}{3} (?!(?:${UNIT})${ENDS})\p{Lu}{2}(?: \p{Nd}{2,3})?${ENDS}`,
    "gu",
  ),
  new RegExp(String.raw`${BEGINS}[A-Z]{2} ?\p{Nd}{1,2}[A-Z]? ?[A-Z]{1,3} \p{Nd}{4}${ENDS}`, "gu"),
  /(?<!\p{Nd})\p{Nd}{2,3}[가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주하허호배] ?\p{Nd}{4}(?!\p{Nd})/gu,
  /(?<!\p{Nd})\p{Nd}{2,3} ?\p{sc=Hira} ?\p{Nd}{1,2}-\p{Nd}{2}(?!\p{Nd})/gu,
  // Kennzeichen M AB 1234, placa ABC-1234, matrícula 1234 BCD
  new RegExp(
    String.raw`(?<=${BEGINS}(?:${PLATE})(?: number| is| ist| est| es|:)? )(?:(?!(?:${NO_PLATE})${ENDS})(?:\p{L}{1,3}[ ·-]?){1,3}\p{Nd}{1,4}(?:[ -]?\p{L}{1,3})?(?:[ -]?\p{Nd}{1,4})?|\p{Nd}{1,4}[ -]?(?!(?:${UNIT})${ENDS})\p{L}{2,3}(?:[ -]?\p{Nd}{1,4})?)${ENDS}`,
    "giu",
  ),
  // B-MX 4711, 34 ABC 123, AB12 CDE
  new RegExp(String.raw`${BEGINS}\p{Lu}{1,3}-\p{Lu}{1,2} ?\p{Nd}{1,4}${ENDS}`, "gu"),
  new RegExp(String.raw`${BEGINS}\p{Nd}{2} \p{Lu}{1,3} \p{Nd}{2,4}${ENDS}`, "gu"),
  new RegExp(String.raw`${BEGINS}\p{Lu}{2}\p{Nd}{2} \p{Lu}{3}${ENDS}`, "gu"),
  // Postcodes of four digits or fewer: SW1A 1AA, 1012 AB, K1A 0B6, D02 X285, A-1010
  new RegExp(
    String.raw`${BEGINS}[A-Z]{1,2}\p{Nd}[A-Z\p{Nd}]? \p{Nd}(?![GTM]B)[ABD-HJLNP-UW-Z]{2}${ENDS}`,
    "giu",
  ),
  new RegExp(
    String.raw`${BEGINS}[1-9]\p{Nd}{3} (?!SA|SD|SS|(?<!${POSTCODE_AFTER} ?\p{Nd}{4} )(?:${UNIT})(?!,? \p{Lu}\p{Ll}))[A-Z]{2}${ENDS}`,
    "gu",
  ),
  new RegExp(String.raw`${BEGINS}[A-Z]\p{Nd}[A-Z] \p{Nd}[A-Z]\p{Nd}${ENDS}`, "giu"),
  new RegExp(
    String.raw`${BEGINS}[AC-FHKNPRTV-Y]\p{Nd}[\p{Nd}W] [AC-FHKNPRTV-Y\p{Nd}]{4}${ENDS}`,
    "gu",
  ),
  new RegExp(
    String.raw`${BEGINS}(?:AT|AU|BE|BG|CH|CY|DK|HU|LU|LV|NO|SI|A|B|H|L|N)-\p{Nd}{4}${ENDS}`,
    "gu",
  ),
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
  new RegExp(String.raw`(?<!\p{Nd})${AGE}(?=(?: |-)?(?:${AGE_BEFORE})${ENDS})`, "giu"),
  /(?<!\p{Nd})\p{Nd}{1,3}(?= ?(?:周?岁|歳|살)(?!以上|以下|未満| ?이상| ?이하))/gu,
  // श्री राम शर्मा, शर्मा जी
  new RegExp(
    String.raw`(?<=${BEGINS}(?:${HINDI_TITLE}) )(?!(?:${HINDI_PARTICLE})${ENDS})[\p{L}\p{M}]{2,30}(?: (?!(?:${HINDI_PARTICLE})${ENDS})[\p{sc=Deva}]{2,30})?`,
    "gu",
  ),
  new RegExp(
    String.raw`${BEGINS}(?!(?:हाँ|हां|नहीं|अच्छा|सर|मैम|ठीक)${ENDS})\p{sc=Deva}{2,30}(?= जी${ENDS})`,
    "gu",
  ),
  // मैं राम शर्मा बोल रहा हूँ
  new RegExp(
    String.raw`(?<=${BEGINS}(?:मैं|मै) )[\p{sc=Deva}]{2,30}(?: [\p{sc=Deva}]{2,30})?(?= बोल रह)`,
    "gu",
  ),
  // 我是王小明, 저는 김철수입니다
  new RegExp(
    String.raw`(?<=(?:我是|本人姓名是?|本人是?|收件人(?:是|:)?|收货人(?:是|:)?|联系人(?:是|:)?|姓名(?:是|:)?) ?)[${SURNAME}]\p{sc=Han}{1,2}(?!\p{sc=Han})`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<=(?:저는|나는|전) )[${KOREAN_SURNAME}]\p{sc=Hang}{2}(?=이고|입니다|이에요|예요|인데)`,
    "gu",
  ),
  // นายสมชาย ใจดี
  new RegExp(
    String.raw`(?<=(?:${BEGINS}|${THAI_BEFORE_TITLE})(?:${THAI_TITLE}) ?)(?!${THAI_NO_NAME})\p{sc=Thai}{2,30}(?: \p{sc=Thai}{2,30})?`,
    "gu",
  ),
];

/** A code in which letters and digits take turns, such as AB12C, AB-123-CD or А123ВС 77. */
const CODE = new RegExp(
  String.raw`(?<![${MIXED}\p{Nd}])[${MIXED}\p{Nd}·-]{5,}(?: \p{Nd}{1,3}${ENDS})?`,
  "gu",
);

const BRACKETED_AT = new RegExp(String.raw`[([{<] ?(?:${AT}) ?[)\]}>]`, "giu");
const BRACKETED_DOT = new RegExp(String.raw` ?[([{<] ?(?:${DOT}|\.) ?[)\]}>] ?`, "giu");

/** Writes "anna (at) shop [dot] example" as a proper address. */
export function joinAddresses(text: string): string {
  const joined = text.replace(BRACKETED_AT, "@").replace(BRACKETED_DOT, ".");
  return joined.replace(/\(a\)(?= ?[\p{L}\p{N}-]{1,64}\.\p{L})/giu, "@");
}

/**
 * Replaces addresses, dates, codes and names, in the forms in which people say and write them, by
 * the mark.
 */
export function redactPatterns(text: string, mark: string): string {
  const redacted = PATTERNS.reduce((left, pattern) => left.replace(pattern, mark), text);
  return redacted.replace(CODE, (code) => {
    const runs = code.match(new RegExp(String.raw`[${MIXED}]+|\p{Nd}+`, "gu")) ?? [];
    const digits = code.match(/\p{Nd}/gu)?.length ?? 0;
    const isShort = runs.every((run) => run.length <= longestRun);
    // Sizes such as 40x30 are no codes.
    if (/^\p{Nd}+[xх]\p{Nd}+$/iu.test(code)) return code;
    return runs.length >= minRuns && digits >= minDigitsOfCode && isShort ? mark : code;
  });
}

const [minRuns, minDigitsOfCode, longestRun] = [3, 2, 4];

/**
 * Replaces five and more digits in a row that are written as words, in any language, by the mark:
 * `oh seven double seven one two`.
 */
export function redactSpokenNumbers(text: string, mark: string): string {
  return text.replace(SPOKEN, (run) => {
    const isUnspaced = /[\p{sc=Han}\p{sc=Kana}\p{sc=Hang}]/u.test(run);
    const digits = run.match(isUnspaced ? /\p{L}/gu : /[\p{L}\p{M}\p{Nd}']+/gu) ?? [];
    return digits.length >= minSpoken ? mark + run.slice(run.trimEnd().length) : run;
  });
}

const minSpoken = 5;

/** From zero to nine, and the words for several of one; in French, numbers are said in tens. */
const DIGIT_WORDS = [
  "zero oh nought one two three four five six seven eight nine double triple",
  "twenty thirty forty fifty sixty seventy eighty ninety zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
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

const GERMAN_TENS =
  "(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(?:zwanzig|[a-zß]{4,6}zig|dreißig)";
const SPOKEN_DIGIT = String.raw`(?:${DIGIT_WORDS.join("|")}|${GERMAN_TENS}|\p{Nd}{2})${ENDS}`;
const SPOKEN = new RegExp(
  String.raw`${BEGINS}${SPOKEN_DIGIT}(?:[ ,.-]{1,3}${SPOKEN_DIGIT})*|[ゼロ零〇一二三四五六七八九]{5,}|(?:[공영일이삼사오육륙칠팔구]{2,4}(?:[ -]|(?!\p{sc=Hang}))){2,}`,
  "giu",
);
