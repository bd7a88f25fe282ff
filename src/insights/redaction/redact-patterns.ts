import { AGES } from "./redact-ages.ts";
import { BEGINS, ENDS } from "./words.ts";

// Words with which readers write an address, a number or a date in their own way.

/** The words for `@` and for `.` in an address that somebody says. */
const AT =
  "at|klammeraffe|klammeraffen|kuyruklu a|آت|ät|aet|arobase|arroba|chiocciola|małpa|malpa|собака|равлик|zavináč|zavinac|kukac|apenstaartje|snabel-?a|krøllalfa|alfakrøll|παπάκι";
const DOT =
  "دوت|dot|punkt|punt|point|punto|ponto|kropka|точка|крапка|tečka|tecka|pont|piste|τελεία|nokta";
const PART = String.raw`[\p{L}\p{M}\p{N}_+.-]{1,64}`;

/** Words for streets: before their names, after them, and at the end of a compound. */
const STREET_BEFORE =
  "c/|avda|av\\.|rue|avenue|boulevard|chemin|allée|impasse|quai|place|calle|avenida|paseo|plaza|carrer|via|viale|piazza|corso|rua|travessa|praça|strada|bulevardul|ul|ulica|ulicy|aleja|улица|улице|улицу|улицы|ул|проспект|переулок|вулиця|вул|οδός|οδό|شارع|طريق|רחוב|jalan|jl|đường";
const STREET_AFTER =
  "close|way|grove|gardens|street|st|road|rd|avenue|ave|lane|ln|drive|court|square|boulevard|blvd|terrace|crescent|caddesi|cad|sokak|sokağı|sok|straße|strasse|str|weg|platz|allee|utca|kalea|markt|ufer";
const STREET_END =
  "straße|strasse|str|weg|gasse|platz|allee|damm|straat|laan|plein|gracht|vägen|gatan|gata|gade|veien|katu|utca";

const WORD = String.raw`[\p{L}\p{M}'.-]{1,40}`;
/** Words before a number plate, where its letters and digits may stand in any order. */
const PLATE =
  "number plate|license plate|licence plate|plate number|registration number|reg|kennzeichen|immatriculation|plaque|matrícula|placa|targa|rejestracja|rejestracyjny|номер машины|номер авто|госномер|plaka|plakası|kenteken|اللوحة|गाड़ी|गाड़ी नंबर";
const NO_PLATE =
  "in|on|at|am|im|en|el|la|de|del|le|du|di|to|for|für|bis|por|w|z|на|в|с|от|में|के|की|का";
const BORN =
  "born|birthday|birthday is|date of birth|date of birth is|birthdate|birthdate is|dob|dob is|geboren|geburtstag|geburtsdatum|geburtsdatum ist|né|née|naissance|anniversaire|nacido|nacida|nací|nacimiento|cumpleaños|nascido|nascida|nasci|nascimento|aniversário|nato|nata|nascita|compleanno|geboortedatum|verjaardag|urodzony|urodzona|urodziłem się|urodziłam się|urodzenia|urodziny|родился|родилась|рождения|doğum|doğum tarihim|doğumluyum|ميلادي|ميلاد|ولدت|مواليد";
const MONTH =
  "January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec";
/** The months as they follow a day, in the languages of the words above. */
const MONTHS = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "tr", "ar"]
  .flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { day: "numeric", month: "long" });
    return Array.from({ length: 12 }, (_, month) =>
      format.formatToParts(new Date(2000, month, 15)).find(({ type }) => type === "month"),
    );
  })
  .flatMap((part) => part?.value ?? [])
  .join("|");
const DAY = String.raw`\p{Nd}{1,2}(?:\.|st|nd|rd|th|er|º)?`;
const DAY_AND_MONTH = String.raw`(?:${DAY} (?:de |of )?(?:${MONTHS})|(?:${MONTHS}) ${DAY}|\p{Nd}{1,2}[./]\p{Nd}{1,2}(?:[./]\p{Nd}{2,4})?|\p{Nd}{1,2}-\p{Nd}{1,2}-\p{Nd}{2,4})`;
/** Services at which people have names, and providers of e-mail that are named without an ending. */
const SERVICE =
  "instagram|insta|telegram|tiktok|twitter|snapchat|skype|discord|wechat|facebook|whatsapp|paypal|login|log-in|username|user name|user id|nickname|nick|handle|benutzername|nutzername|benutzerkennung|anmeldename|identifiant|pseudo|nom d'utilisateur|usuario|nombre de usuario|usuário|nome de usuário|utilizador|nome de utilizador|nome utente|gebruikersnaam|inlognaam|nazwa użytkownika|логин|никнейм|ник|имя пользователя|ім'я користувача|логін|اسم المستخدم|kullanıcı adım|kullanıcı adı|användarnamn|brukernavn|brugernavn|käyttäjätunnus|nume de utilizator|felhasználónév|uživatelské jméno";
const UNSPACED_SERVICE =
  "微信号?|微信號?|qq号?|用户名|用戶名|账号|帳號|登录名|昵称|ユーザー名|ユーザーid|ログインid|アイディー|아이디|닉네임|카톡";
const PASSWORD =
  "password|passcode|passphrase|passwort|kennwort|mot de passe|contraseña|clave|senha|palavra-passe|wachtwoord|hasło|пароль|كلمة المرور|كلمة السر|şifre|şifrem|parola|jelszó|heslo|lösenord|passord|adgangskode|salasana|parolă";
/** Words between the name of a value and the value. */
const IS =
  " is| ist| lautet| عندي| الخاص بي| est(?: le)?| c'est| es(?: el)?| è| é| to| это| هو| هي| :|是|为|為|は|は、|는|은|이";
const PROVIDER =
  "gmail|googlemail|hotmail|outlook|yahoo|icloud|gmx|protonmail|proton|aol|yandex|naver";
/** Numbers that only one person has. Those of a model or an error are no secret. */
const OWN_NUMBER = [
  "(?:customer|client|account|member|membership|order|ticket|case|invoice|booking|policy|contract|card|user) (?:number|no\\.?|nr\\.?|id|code)",
  "(?:kunden|bestell|auftrags|mitglieds|konto|vertrags|rechnungs|ticket|karten|buchungs|klant|bestel|order|lid|rekening)-?(?:nummer|nr\\.?|id)",
  "(?:numéro|n°|code) (?:de )?(?:client|commande|compte|adhérent|contrat|facture|dossier|réservation)",
  "(?:número|nº|código) (?:de|do|da) (?:cliente|pedido|cuenta|conta|socio|sócio|contrato|factura|fatura|reserva)",
  "(?:numero|codice|n°) (?:di |d')?(?:cliente|ordine|conto|utente|contratto|fattura|socio)",
  "numer\\p{L}? (?:klienta|zamówienia|konta|umowy|faktury)",
  "(?:номер|номером) (?:клиента|заказа|счёта|счета|договора|карты|билета)",
  "номер (?:клієнта|замовлення|рахунку|договору)",
  "(?:müşteri|sipariş|üye|üyelik|hesap|fatura|sözleşme) (?:no|numara\\p{L}{0,4})",
  "رقم (?:العميل|الطلب|الحساب|العضوية|الفاتورة|العقد)",
].join("|");

/** A house number; `\p{Co}` is a mark in its place, with the number of the town. */
const HOUSE = String.raw`(?:(?:no|nr|n°|д|дом|буд|№)[.:]? ?)?(?:\p{Nd}{1,4}(?: ?\p{L})?|\p{Co})`;

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
  /[A-Za-z0-9_.+-]{1,64} ?(?:艾特|圈[aAa]|小老鼠|アットマーク|アット|골뱅이) ?[A-Za-z0-9_-]{0,64}(?: ?(?:点|點|ドット|점|닷|\.) ?[A-Za-z0-9]{1,24}){0,3}/gu,
  // xiaoming圈example点com
  /[A-Za-z0-9_.+-]{1,64} ?[圈在] ?[A-Za-z0-9_-]{1,64}(?: ?(?:点|點) ?[A-Za-z0-9]{1,24}){1,3}/gu,
  // shop dot example slash orders slash anna
  new RegExp(
    String.raw`${BEGINS}${PART}(?: (?:${DOT}) ${PART}){1,3}(?: slash ${PART}){1,6}`,
    "giu",
  ),
  // Instagram: anna_miller.84, my login is anna_84
  new RegExp(
    String.raw`(?<=(?:${BEGINS}(?:${SERVICE})|${UNSPACED_SERVICE})(?:${IS})?:? ?["'„“«]?)\p{L}(?:[\p{L}\p{M}\p{Nd}]|-){0,40}[_.\p{Nd}](?:[\p{L}\p{M}\p{Nd}_.]|-){0,40}`,
    "giu",
  ),
  // My password is Hunter2!
  new RegExp(
    String.raw`(?<=(?:${BEGINS}(?:${PASSWORD})|密码|密碼|パスワード|비밀번호)(?:${IS})?:? ?["'„“«]?)(?=[^ ]{0,40}(?:\p{Nd}|[!#$%&*+=?^_~][^ ]))[^ ]{4,64}`,
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
  // my customer number is 4711
  new RegExp(
    String.raw`(?<=${BEGINS}(?:${OWN_NUMBER})(?: ist die|${IS})?:? ?)\p{Nd}{3,4}${ENDS}`,
    "giu",
  ),
  /(?<=(?:客户|顾客|会员|订单|账户|账号|合同|お客様|顧客|会員|注文|口座|契約|予約|고객|주문|회원|계좌|계약|예약) ?(?:番号|编号|号码|号|번호)(?:是|为|は|는)? ?:? ?)\p{Nd}{3,4}(?!\p{Nd})/gu,
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
  // The flat behind a street: кв. 12, apt 4
  new RegExp(
    String.raw`(?<=\p{Co},? ?)(?:кв|квартира|корп|корпус|стр|подъезд|flat|unit|apt|apartment|suite|apartment|appartement|étage|piso|puerta|interno|scala|piano|m|lok|lokal|mieszkanie|daire|kat|whg|wohnung|stock|bus|ap|apto|bloco|شقة)[. ] ?(?:\p{Nd}{1,4}\p{L}?|\p{L})${ENDS}`,
    "giu",
  ),
  /(?<=\p{Co} ?)(?:\p{Nd}{1,4}[号號栋棟幢单單元室楼樓层層]{1,2}){1,4}/gu,
  // 建国路88号, 丸の内1-2-3, 테헤란로 12
  /\p{sc=Han}{1,12}[路街道巷弄]\p{Nd}{1,4}[号號]?(?:\p{Nd}{1,4}[号號栋棟幢单單元室楼樓层層]{1,2}){0,4}/gu,
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
  // born on 3 May, am 3. Mai geboren
  new RegExp(
    String.raw`(?<=${BEGINS}(?:${BORN}):? (?:\p{L}{1,4} ){0,2})${DAY_AND_MONTH}${ENDS}`,
    "giu",
  ),
  new RegExp(
    String.raw`${BEGINS}${DAY_AND_MONTH}(?=(?:'\p{L}{1,2})? (?:geboren|doğdum|doğumlu|doğumluyum)${ENDS})`,
    "giu",
  ),
  // 1990年5月1日, 1990년 5월 1일; 生日是5月1日
  /(?:\p{Nd}{4}|\p{Nd}{2}|\ue000)[年년] ?\p{Nd}{1,2}[月월] ?\p{Nd}{1,2}[日号號일]?|[二一][〇零九]?[〇零一二三四五六七八九]{0,3}年[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}[日号號]?/gu,
  /(?<=(?:生日|出生|誕生日|生年月日|생일|생년월일|태어)[^\p{Nd}]{0,4})\p{Nd}{1,2}[月월] ?\p{Nd}{1,2}[日号號일]?/gu,
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
  // श्री राम शर्मा, शर्मा जी
  new RegExp(
    String.raw`(?<=${BEGINS}(?:${HINDI_TITLE}) )(?!(?:${HINDI_PARTICLE})${ENDS})[\p{L}\p{M}]{2,30}(?: (?!(?:${HINDI_PARTICLE})${ENDS})[\p{sc=Deva}]{2,30})?`,
    "gu",
  ),
  new RegExp(
    String.raw`${BEGINS}(?!(?:हाँ|हां|नहीं|अच्छा|सर|मैम|ठीक)${ENDS})\p{sc=Deva}{2,30}(?= जी${ENDS})`,
    "gu",
  ),
  // Ich, Anna Berg, möchte …; ich bin's, die Anna
  new RegExp(
    String.raw`(?<=${BEGINS}(?:(?:[Ii]ch|I|[Mm]oi|[Yy]o|[Ii]o|[Ee]u|[Ii]k|[Jj]a|[Яя]|[Bb]en), |[Bb]in(?:'s| ?es|s), (?:der |die )?))\p{Lu}[\p{L}\p{M}'-]{1,30}(?: \p{Lu}[\p{L}\p{M}'-]{1,30}){0,2}(?=,|[.!]|$)`,
    "gu",
  ),
  // मैं राम शर्मा बोल रहा हूँ
  new RegExp(
    String.raw`(?<=${BEGINS}(?:मैं|मै) )[\p{sc=Deva}]{2,30}(?: [\p{sc=Deva}]{2,30})?(?= बोल रह)`,
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
  const patterns = [...PATTERNS, ...AGES];
  const redacted = patterns.reduce((left, pattern) => left.replace(pattern, mark), text);
  return redacted.replace(CODE, (code) => {
    const runs = code.match(new RegExp(String.raw`[${MIXED}]+|\p{Nd}+`, "gu")) ?? [];
    const digits = code.match(/\p{Nd}/gu)?.length ?? 0;
    const isShort = runs.every((run) => run.length <= longestRun);
    // Sizes such as 40x30 are no codes, nor are tools such as 18V-55.
    if (/^\p{Nd}+(?:[xх]|[VВ]-)\p{Nd}+(?:Ah)?$/iu.test(code)) return code;
    return runs.length >= minRuns && digits >= minDigitsOfCode && isShort ? mark : code;
  });
}

const [minRuns, minDigitsOfCode, longestRun] = [3, 2, 4];
