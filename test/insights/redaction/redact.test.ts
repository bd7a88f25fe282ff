import fc from "fast-check";
import { expect, it } from "vitest";
import { redactQuestion } from "../../../src/insights/redaction/redact.ts";
import { anyText, runs } from "../../fixtures/runs.ts";
import { toldIn } from "./told.ts";

/** A language's readers: what they ask around what is theirs, and how they write that. */
interface Readers {
  readonly questions: readonly (readonly [before: string, behind: string])[];
  readonly names: readonly string[];
  /** With `~` for the name, as these readers tell it. */
  readonly introductions: readonly string[];
  readonly phones: readonly string[];
  readonly accounts: readonly string[];
  /** Words of the questions that must be left. */
  readonly kept: readonly string[];
}

const readers: Readonly<Record<string, Readers>> = {
  en: {
    questions: [
      ["where is my parcel", "it should be here"],
      ["can you call me at", "about the refund?"],
    ],
    names: ["Anna Miller", "O'Brien", "Jean-Luc Moreau"],
    introductions: ["My name is ~,", "my name's ~."],
    phones: ["(555) 010-9922", "+44 20 7946 0958", "020-7946-0958", "555.010.9922"],
    accounts: ["GB29 NWBK 6016 1331 9268 19", "gb29nwbk60161331926819"],
    kept: ["parcel", "refund"],
  },
  de: {
    questions: [
      ["Wo bleibt meine Lieferung", "ich warte schon lange"],
      ["Bitte ruft mich an unter", "wegen der Rückgabe"],
    ],
    names: ["Jürgen Großmann", "Anna von der Heide", "Lena Müller-Lüdenscheidt"],
    introductions: ["Ich heiße ~,", "Mein Name ist ~."],
    phones: ["0170 / 123 45 67", "+49 (0)30 901820", "030-90 18 20"],
    accounts: ["DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
    kept: ["Lieferung", "Rückgabe"],
  },
  fr: {
    questions: [
      ["Où est ma commande", "svp"],
      ["Rappelez-moi au", "pour la livraison"],
    ],
    names: ["Hélène Lefèvre", "François Dupont"],
    introductions: ["Je m’appelle ~,", "Mon nom est ~."],
    phones: ["06 12 34 56 78", "+33 1.44.55.66.77"],
    accounts: ["FR14 2004 1010 0505 0001 3M02 606"],
    kept: ["commande", "livraison"],
  },
  es: {
    questions: [
      ["¿Dónde está mi pedido", "por favor?"],
      ["Llámame al", "para la factura"],
    ],
    names: ["José Núñez", "María del Carmen López"],
    introductions: ["Me llamo ~,", "Mi nombre es ~."],
    phones: ["612 34 56 78", "+34 91-123-45-67"],
    accounts: ["ES91 2100 0418 4502 0005 1332"],
    kept: ["pedido", "factura"],
  },
  pl: {
    questions: [
      ["Gdzie jest moja paczka", "czekam długo"],
      ["Proszę dzwonić", "w sprawie zwrotu"],
    ],
    names: ["Łukasz Żółty", "Anna Kowalska"],
    introductions: ["Nazywam się ~,", "Mam na imię ~."],
    phones: ["501 234 567", "+48 22 123-45-67"],
    accounts: ["PL61 1090 1014 0000 0712 1981 2874"],
    kept: ["paczka", "zwrotu"],
  },
  ru: {
    questions: [
      ["Где моя посылка", "жду давно"],
      ["Позвоните мне", "насчёт возврата"],
    ],
    names: ["Иван Петров", "Анна Сергеевна Ким"],
    introductions: ["Меня зовут ~,", "Моё имя ~."],
    phones: ["8 (916) 123-45-67", "+7 495 123 45 67"],
    accounts: ["40817 810 0 9991 0004312"],
    kept: ["посылка", "возврата"],
  },
  tr: {
    questions: [
      ["Siparişim nerede", "lütfen"],
      ["Beni arayın", "iade için"],
    ],
    names: ["İpek Yılmaz", "Oğuz Şahin"],
    introductions: ["Benim adım ~,", "Adım ~."],
    phones: ["0532 123 45 67", "+90 (212) 123 45 67"],
    accounts: ["TR33 0006 1005 1978 6457 8413 26"],
    kept: ["nerede", "iade"],
  },
  ar: {
    questions: [
      ["أين طلبي", "من فضلك"],
      ["اتصلوا بي على", "بخصوص الفاتورة"],
    ],
    names: ["أحمد الزهراني", "ليلى حداد"],
    introductions: ["اسمي ~،", "أنا اسمي ~."],
    phones: ["٠٥٠ ١٢٣ ٤٥٦٧", "+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧", "۰۹۱۲-۳۴۵-۶۷۸۹"],
    accounts: ["SA03 8000 0000 6080 1016 7519"],
    kept: ["طلبي", "الفاتورة"],
  },
  he: {
    questions: [
      ["איפה ההזמנה שלי", "בבקשה"],
      ["תתקשרו אליי", "לגבי החשבונית"],
    ],
    names: ["דוד כהן", "נועה לוי"],
    introductions: ["שמי ~,", "קוראים לי ~."],
    phones: ["050-123-4567", "+972 3 123 4567"],
    accounts: ["IL62 0108 0000 0009 9999 999"],
    kept: ["ההזמנה", "החשבונית"],
  },
  zh: {
    questions: [
      ["我的订单在哪里", "谢谢"],
      ["请打电话给我", "关于退款"],
    ],
    names: ["王小明", "欧阳建国"],
    introductions: ["我叫~，", "我的名字是~。"],
    phones: ["138 0013 8000", "１３８００１３８０００", "一三八零零一三八零零零"],
    accounts: ["6222 0212 3456 7890 123"],
    kept: ["订单", "退款"],
  },
  ja: {
    questions: [
      ["注文はどこですか", "お願いします"],
      ["電話してください", "返金について"],
    ],
    names: ["田中太郎", "佐藤花子", "アンナ・ミュラー"],
    introductions: ["私の名前は~です。", "~と申します。"],
    phones: ["０９０－１２３４－５６７８", "090-1234-5678", "（03）1234-5678"],
    accounts: ["１２３４５６７"],
    kept: ["注文", "返金"],
  },
  ko: {
    questions: [
      ["제 주문은 어디에 있나요", "부탁합니다"],
      ["전화 주세요", "환불 때문에"],
    ],
    names: ["김철수", "이영희"],
    introductions: ["제 이름은 ~입니다.", "이름은 ~,"],
    phones: ["010-1234-5678", "+82 2 123 4567"],
    accounts: ["110-234-567890"],
    kept: ["주문", "환불"],
  },
  th: {
    questions: [
      ["พัสดุของฉันอยู่ที่ไหน", "ขอบคุณ"],
      ["โทรหาฉันที่", "เรื่องคืนเงิน"],
    ],
    names: ["สมชาย", "มาลี"],
    introductions: ["ผมชื่อ~ ", "ฉันชื่อ~ "],
    phones: ["๐๘๑-๒๓๔-๕๖๗๘", "081 234 5678"],
    accounts: ["๑๒๓-๔-๕๖๗๘๙-๐"],
    kept: ["พัสดุ", "คืนเงิน"],
  },
  fi: {
    questions: [
      ["Missä pakettini on", "kiitos"],
      ["Soittakaa minulle", "palautuksesta"],
    ],
    names: ["Väinö Mäkinen", "Aino Järvinen"],
    introductions: ["Nimeni on ~,", "Minun nimeni on ~."],
    phones: ["040 123 4567", "+358 9 123 456"],
    accounts: ["FI21 1234 5600 0007 85"],
    kept: ["pakettini", "palautuksesta"],
  },
};

/** In every language the same, whatever its script. */
const everywhere = [
  "anna.miller+shop@mail.example.com",
  "ANNA@EXAMPLE.ORG",
  "anna @ example.org",
  "anna(at)example.org",
  "ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ",
  "почта@пример.рф",
  "@anna_m",
  "https://shop.example/orders/anna?token=x9",
  "http://münchen.example/",
  "www.anna-miller.example",
  "anna-miller.example/profile",
  "4111 1111 1111 1111",
  "४१११ ११११ ११११ ११११",
  "٤١١١١١١١١١١١١١١١",
  "5500-0000-0000-0004",
  "AB-2026-118-77",
  "C01X00T478",
  "١٢٣٤٥",
  "१२३४५",
  "１２３４５",
  "1\u200b2\u200b3\u200b4\u200b5",
  "28.11.1984",
  "192.168.100.17",
  "①②③④⑤",
];

const digitsOf = (text: string): readonly string[] =>
  text.normalize("NFKC").match(/\p{Nd}[^\p{L}]*/gu) ?? [];

/** What must not be in a question that is kept: parts of what was planted that tell it. */
function leaks(kept: string, planted: string): boolean {
  const plain = planted.normalize("NFKC").replace(/\p{Cf}/gu, "");
  const parts = plain.match(/[\p{L}\p{M}]{3,}/gu) ?? [];
  const compared = kept.toLowerCase();
  const words = new Set(compared.match(/[\p{L}\p{M}]{3,}/gu));
  const isWord = /[@/.]/u.test(plain) && !/^\P{L}+$/u.test(plain);
  return (
    compared.includes(plain.toLowerCase()) ||
    (isWord && parts.some((part) => words.has(part.toLowerCase()))) ||
    digitsOf(kept).some((run) => (run.match(/\p{Nd}/gu)?.length ?? 0) >= 5)
  );
}

it.each(Object.keys(readers))("keeps nothing of a person in %s", (language) => {
  const { questions, names, introductions, phones, accounts, kept } = readers[language] as Readers;
  const planted = fc.constantFrom(...everywhere, ...phones, ...accounts);
  const name = fc.constantFrom(...names);
  const gap = fc.constantFrom(" ", ", ", ": ", " (", "  ", "\u00a0");
  fc.assert(
    fc.property(
      fc.constantFrom(...questions),
      planted,
      planted,
      gap,
      name,
      fc.constantFrom(...introductions),
      name,
      fc.boolean(),
      ([before, behind], one, other, between, ownName, introduction, earlier, isFirst) => {
        const sentence = introduction.replace("~", ownName);
        const words = [before, between, one, " ", behind, " ", other];
        const typed = isFirst
          ? [sentence, " ", ...words].join("")
          : [...words, ". ", sentence].join("");
        const withEarlier = `${typed} ${earlier}`;
        const question = redactQuestion(withEarlier, toldIn(language, [earlier])) ?? "";
        expect(Array.from(question).length).toBeLessThanOrEqual(200);
        for (const secret of [one, other]) {
          expect({ question, secret, leaks: leaks(question, secret) }).toMatchObject({
            leaks: false,
          });
        }
        for (const whole of [ownName, earlier]) {
          for (const part of whole.split(/[\s·・-]+/u)) {
            if (Array.from(part).length < 2 || ["von", "der", "del"].includes(part)) continue;
            const isThere = question.toLowerCase().includes(part.toLowerCase());
            expect({ question, part, isThere }).toMatchObject({ isThere: false });
          }
        }
      },
    ),
    { numRuns: runs(300) },
  );
  // And what was asked is still there.
  for (const [at, [before, behind]] of questions.entries()) {
    for (const secret of [...phones, "anna@example.org"]) {
      const question = redactQuestion(`${before} ${secret} ${behind}`, toldIn(language));
      expect({ secret, question }).toEqual({
        secret,
        question: expect.stringContaining(kept[at] ?? ""),
      });
      expect(question).toContain("[…]");
    }
  }
});

it.each([
  ["Where is order 4711-0815? ada@shop.example", "Where is order […]? […]"],
  ["Are 14 days enough for 2 people?", "Are 14 days enough for 2 people?"],
  ["error E-24 on wash cycle 3", "error E-24 on wash cycle 3"],
  ["z. B. oder z.B. usw.", "z. B. oder z.B. usw."],
  ["  Wie\n lange \u202edauert das\u202c?", "Wie lange dauert das?"],
  ["is node.js 3.5 supported", "is […] 3.5 supported"],
  ["call 0791123456 if my parcel is late", "call […] if my parcel is late"],
  ["my name is anna and where is my order", "my name is […] and where is my order"],
  ["my name is on the list", "my name is on the list"],
  ["我叫王小明，我的订单在哪里", "我叫[…],我的订单在哪里"],
  ["我的邮箱是anna@example.com请回复", "我的邮箱是[…]请回复"],
])("keeps what is asked: %j", (typed, kept) => {
  const language = /\p{sc=Han}/u.test(typed) ? "zh" : typed.includes("Wie") ? "de" : "en";
  expect(redactQuestion(typed, toldIn(language))).toBe(kept);
});

it.each([
  ["en", "call me on oh seven seven double one two three four", "call me on […]"],
  ["en", "write to anna dot miller at shop dot example please", "write to […] please"],
  ["en", "mail anna [at] shop [dot] example", "mail […]"],
  ["en", "I'm Mrs Anna Miller, call Mr Miller", "I'm […], call Mr […]"],
  ["en", "deliver to 221B Baker Street, London", "deliver to […], London"],
  ["en", "order AB12C, born 3 May 1941", "order […], born […]"],
  ["de", "Frau Dr. Müller wohnt Hauptstraße 12, 80331 München", "Frau […] wohnt […] München"],
  ["de", "Kennzeichen M-AB 1234, Lindenweg 7a", "Kennzeichen […], […]"],
  ["de", "Post an anna punkt berg ät web punkt de", "Post an […]"],
  ["de", "Nummer null eins sieben null drei vier", "Nummer […]"],
  ["fr", "Madame Lefèvre, 12 rue de la Paix, Paris", "Madame […], […], Paris"],
  ["fr", "écrire : anna arobase exemple point fr", "écrire : […]"],
  ["fr", "plaque AB-123-CD, tel zéro six douze trente-quatre dix", "plaque […], tel […]"],
  ["es", "la señora García vive en Calle Mayor 5", "la señora […] vive en […]"],
  ["it", "la signora Rossi, via Garibaldi 12", "la signora […], […]"],
  ["pl", "Czy może mi Pan pomóc?", "Czy może mi Pan pomóc?"],
  ["pl", "Pani Kowalska czeka", "Pani […] czeka"],
  ["ru", "госпожа Петрова, ул. Ленина, д. 5", "госпожа […], […]"],
  ["ru", "номер А123ВС 77 у анна собака мейл точка ру", "номер […] у […]"],
  ["tr", "Ayşe Hanım, Atatürk Caddesi No: 5, 34 ABC 123", "[…] Hanım, […], […]"],
  ["ar", "السيدة ليلى حداد تنتظر", "السيدة […] تنتظر"],
  ["ar", "صفر خمسة صفر واحد ثلاثة أربعة اتصلوا", "[…] اتصلوا"],
  ["hi", "नंबर एक दो तीन चार पांच छह है", "नंबर […] है"],
  ["nl", "mevrouw De Vries, Kerkstraat 5", "mevrouw […], […]"],
  ["pt", "a senhora Silva, Rua das Flores 12", "a senhora […], […]"],
  ["zh", "王先生的订单在哪里", "[…]先生的订单在哪里"],
  ["zh", "送到建国路88号可以吗", "[…]可以吗"],
  ["ja", "山田様の注文", "[…]様の注文"],
  ["ja", "仕様とお客様の数", "仕様とお客様の数"],
  ["ko", "김철수 씨 주문, 테헤란로 12", "[…] 씨 주문, […]"],
  ["en", "I am 34 and live at SW1A 1AA", "I am […] and live at […]"],
  ["en", "I'm 71 years old, she is 9.", "I'm […] years old, she is […]."],
  ["en", "do you deliver to k1a 0b6 or D02 X285", "do you deliver to […] or […]"],
  ["de", "ich bin 16, Lieferung nach A-1010 Wien", "ich bin […], Lieferung nach […] Wien"],
  ["de", "Meine Tochter ist 9 Jahre alt", "Meine Tochter ist […] Jahre alt"],
  ["nl", "ik ben 34 jaar, postcode 1012 AB", "ik ben […] jaar, postcode […]"],
  ["nl", "mijn postcode is 1012 MB, of 1500 KG Zaandam", "mijn postcode is […], of […] Zaandam"],
  ["nl", "levering naar Kerkstraat 5a, 1500 KG", "levering naar […], […]"],
  ["en", "minimum age 18? My age is 16", "minimum age 18? My age is […]"],
  ["en", "age: 34, postcode 1500 KG", "age: […], postcode […]"],
  ["fr", "j’ai 34 ans", "j'ai […] ans"],
  ["es", "tengo 71 años de edad", "tengo […] años de edad"],
  ["it", "ho 16 anni", "ho […] anni"],
  ["pl", "mam 16 lat", "mam […] lat"],
  ["ru", "мне 34 года", "мне […] года"],
  ["tr", "34 yaşındayım", "[…] yaşındayım"],
  ["ar", "عمري ٣٤", "عمري […]"],
  ["zh", "我34岁", "我[…]岁"],
  ["ja", "私は34歳です", "私は[…]歳です"],
  ["ko", "저는 34살입니다", "저는 […]살입니다"],
  ["hi", "श्री राम शर्मा का ऑर्डर कहाँ है", "श्री […] का ऑर्डर कहाँ है"],
  ["hi", "वर्मा जी का ऑर्डर, मेरा नाम अमित है", "[…] जी का ऑर्डर, मेरा नाम […] है"],
  ["th", "พัสดุของนายสมชาย ใจดี", "พัสดุของนาย[…]"],
  ["th", "ดร. มาลี, นางสาวสุดา", "ดร. […], นางสาว[…]"],
])("redacts in %s how people say who they are, and where: %j", (language, typed, kept) => {
  expect(redactQuestion(typed, toldIn(language))).toBe(kept);
});

it.each([
  ["en", "one or two items, three at most"],
  ["en", "is there a street market at 9"],
  ["en", "do you sell 40x30 frames for iPhone15"],
  ["en", "meet me at 5 or at 10 dot"],
  ["es", "uno o dos, tres o cuatro personas"],
  ["ja", "お客様サポートはたくさんありますか"],
  ["en", "I am 2 days late with 3 items"],
  ["en", "does the M2 8GB model have 2 years of warranty"],
  ["fr", "j'ai 2 ans de garantie et 3 questions"],
  ["es", "tengo 2 preguntas sobre 3 años de garantía"],
  ["ja", "18歳以上ですか"],
  ["en", "Minimum age 18 for a rental car?"],
  ["en", "is the legal age: 21"],
  ["nl", "geldt de minimale leeftijd 16 of 18"],
  ["pl", "czy minimalny wiek 18 obowiązuje"],
  ["ru", "минимальный возраст 18?"],
  ["zh", "最低年龄18吗"],
  ["en", "is 1500 KG too heavy for the crane"],
  ["en", "does a plan of 2000 MB cost extra, and 1200 MM?"],
  ["hi", "हाँ जी, मेरा नाम सूची में है"],
  ["th", "นายจ้างส่งใบเสร็จให้ทนายความ"],
])("keeps in %s what contains no name: %j", (language, typed) => {
  expect(redactQuestion(typed, toldIn(language))).toBe(typed);
});

it("recognizes a name that was given before in the forms that it takes in a sentence", () => {
  const redact = (typed: string, name: string, language: string) =>
    redactQuestion(typed, toldIn(language, [name]));
  expect(redact("Wo ist Annas Paket?", "Anna Berg", "de")).toBe("Wo ist […] Paket?");
  expect(redact("Missä Annan paketti on?", "Anna Mäkinen", "fi")).toBe("Missä […] paketti on?");
  expect(redact("Gdzie jest paczka Anny?", "Anna", "pl")).toBe("Gdzie jest paczka […]?");
  expect(redact("где посылка Анны", "Анна", "ru")).toBe("где посылка […]");
  expect(redact("Oğuz'un siparişi nerede", "Oğuz", "tr")).toBe("[…]'un siparişi nerede");
  expect(redact("أين طلب وأحمد", "أحمد", "ar")).toBe("أين طلب […]");
  expect(redact("小明的订单在哪里", "王小明", "zh")).toBe("[…]的订单在哪里");
  expect(redact("田中さんの注文は？", "田中太郎", "ja")).toBe("[…]さんの注文は?");
  expect(redact("철수의 주문은 어디에", "김철수", "ko")).toBe("[…]의 주문은 어디에");
});

/** The name that a variable or a form told some turns before, what is asked now, and what is kept. */
it.each([
  ["en", "Sigrun Falkenrath", "is the Falkenraths' booking moved", "is the […]' booking moved"],
  ["de", "Ottfried Dimpfelmoser", "hat Dimpfelmosers Karte Rabatt", "hat […] Karte Rabatt"],
  ["fr", "Bérengère Castagnier", "Berengere peut-elle venir", "[…] peut-elle venir"],
  ["es", "José Núñez", "le llega a Jose la factura de Nuñez", "le llega a […] la factura de […]"],
  [
    "it",
    "Fiorenza Bevilacqua",
    "la tessera della Bevilacqua è attiva",
    "la tessera della […] è attiva",
  ],
  ["pl", "Wiesława Gąsienica", "czy karta Wiesławy dotarła", "czy karta […] dotarła"],
  ["cs", "Jiřina Nováková", "kde je balík Jiřiny Novákové", "kde je balík […]"],
  ["ru", "Клавдия Мстиславская", "где заказ Клавдии Мстиславской", "где заказ […]"],
  ["uk", "Ганна Левицька", "чи прийшла посилка Левицької", "чи прийшла посилка […]"],
  [
    "el",
    "Δημήτρης Παπαδόπουλος",
    "πού είναι το δέμα του Παπαδόπουλου",
    "πού είναι το δέμα του […]",
  ],
  ["tr", "Nurcihan Karakoyunlu", "Karakoyunlu'ya kart geldi mi", "[…]'ya kart geldi mi"],
  ["hu", "Kovács Ágnes", "Ágnesnek megjött a csomagja", "[…] megjött a csomagja"],
  ["fi", "Väinö Mäkinen", "tuliko kortti Mäkiselle", "tuliko kortti […]"],
  ["vi", "Nguyễn Thị Hương", "đơn của Hương ở đâu", "đơn của […] ở đâu"],
  ["ar", "خديجة المنصوري", "أين البطاقة للمنصوري", "أين البطاقة […]"],
  ["he", "נועה לוי", "איפה ההזמנה של נועה", "איפה ההזמנה של […]"],
  ["hi", "अमित शर्मा", "अमित का ऑर्डर कहाँ है", "[…] का ऑर्डर कहाँ है"],
  ["zh", "欧阳建国", "建国的快递到了吗", "[…]的快递到了吗"],
  ["ja", "小笠原千鶴", "千鶴の割引はありますか", "[…]の割引はありますか"],
  ["ja", "小笠原千鶴", "小笠原の割引はありますか", "[…]の割引はありますか"],
  ["ja", "五十嵐さくら", "さくらの荷物はどこ", "[…]の荷物はどこ"],
  ["ko", "남궁혜진", "혜진이 카드 왔나요", "[…]이 카드 왔나요"],
  ["th", "สมชาย ใจดี", "พัสดุสมชายถึงไหม", "พัสดุ[…]ถึงไหม"],
])("takes out in %s a name that was told before, %s: %s", (language, name, typed, kept) => {
  expect(redactQuestion(typed, toldIn(language, [name]))).toBe(kept);
});

it.each([
  ["en", "Falkenrath", "is the falcon a rat"],
  ["de", "Schneider", "ist der Schnee schon da"],
  ["fr", "Castagnier", "avez-vous des castagnettes"],
  ["ru", "Мстиславская", "мстительный ли мистраль"],
  ["ar", "المنصوري", "هل المنصة تعمل"],
  ["ja", "五十嵐さくら", "五時の荷物はどこ"],
  ["ja", "小笠原千鶴", "小包は千円ですか"],
])("keeps in %s words that only begin like the name that was told, %s", (language, name, typed) => {
  expect(redactQuestion(typed, toldIn(language, [name]))).toBe(typed);
});

it("keeps at most 200 characters, and no half of anything", () => {
  const conversation = toldIn("en");
  const long = redactQuestion(`why ${"is ".repeat(64)}0170 1234567 here`, conversation) ?? "";
  expect(Array.from(long).length).toBeLessThanOrEqual(200);
  expect(long).not.toMatch(/\[…?$/u);
  expect(redactQuestion("a".repeat(1001), conversation)).toBeNull();
  expect(redactQuestion("😀".repeat(300), conversation)).toBeNull();
  expect(redactQuestion("anna@example.org 0170 1234567", conversation)).toBe(null);
  expect(redactQuestion("", conversation)).toBeNull();
});

it("never throws and never leaves five digits together, whatever is typed", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText({ maxLength: 300 }),
        fc
          .array(fc.constantFrom(...Array.from("1٢३４５ ()-.a@é中:/."), "www.", "://"), {
            maxLength: 60,
          })
          .map((signs) => signs.join("")),
      ),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      (typed, name) => {
        const question = redactQuestion(typed, toldIn("en", [name])) ?? "";
        expect(Array.from(question).length).toBeLessThanOrEqual(200);
        expect(question).not.toMatch(/\p{Nd}{5}/u);
        expect(question).not.toContain("@");
        expect(question).not.toContain("://");
      },
    ),
    { numRuns: runs(2000) },
  );
});
