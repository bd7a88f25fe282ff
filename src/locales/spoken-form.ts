/** Reads a list of phrases, one per line. */
export function phrasesOf(lines = ""): readonly string[] {
  return lines.split("\n").filter((line) => line !== "");
}

/**
 * True if a line has brackets and so stands for several phrases. Brackets neither nest nor contain
 * `~`. A phrase without brackets takes precedence.
 */
export function hasChoice(line: string): boolean {
  return /[([]/.test(line);
}

/**
 * Makes the source of a regular expression for the spoken forms of a line's phrases: `(a|b)` means
 * either, `[a|b]` either or nothing. Readers may leave out spaces beside brackets.
 *
 * @param between the pattern of a space
 * @example
 * patternOf("(stop|end) the [live] chat", "en"); // "(?:stop|end) ?the ?(?:live)? ?chat"
 */
export function patternOf(line: string, language: string, between = " "): string {
  return line
    .split(/([()[\]|])/)
    .map((part) => SYNTAX[part] ?? toLiteralPattern(part, toSpokenForm(part, language), between))
    .join("");
}

const SYNTAX: Readonly<Record<string, string>> = {
  "(": "(?:",
  "[": "(?:",
  "|": "|",
  ")": ")",
  "]": ")?",
};

/** Makes a pattern of a spoken form, whose letters, digits and spaces need no escaping. */
function toLiteralPattern(raw: string, form: string, between: string): string {
  if (form === "") return raw.includes(" ") ? " ?" : "";
  const before = raw.startsWith(" ") ? " ?" : "";
  return before + form.replaceAll(" ", between) + (raw.endsWith(" ") ? " ?" : "");
}

/**
 * Writes a phrase in the form in which phrases are compared: letters and digits in lower case,
 * single spaces between them, and no accents, except where two words would become one.
 *
 * @param language primary subtag, lower case
 */
export function toSpokenForm(text: string, language: string): string {
  const lower = text.normalize("NFKC").toLowerCase();
  const bare = keepsMarks.has(language)
    ? lower
    : lower.normalize("NFD").replaceAll(/\p{M}/gu, "").normalize("NFC");
  return (oneSpelling[language]?.(bare) ?? bare)
    .replaceAll(/['’‘`´]/g, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

// Without their marks, different words of these languages would be the same: Thai vowels and tones.
const keepsMarks: ReadonlySet<string> = new Set(["th", "vi", "ja"]);

/** Unifies spellings from keyboards without ı, ł, ä, æ or å, and letters that look alike. */
const oneSpelling: Readonly<Record<string, (text: string) => string>> = {
  tr: (text) => text.replaceAll("ı", "i"),
  ar: (text) => text.replaceAll("ة", "ه").replaceAll("ى", "ي"),
  zh: simplifyLetters,
  de: (text) => text.replaceAll("ß", "ss").replaceAll(/([aou])e/g, "$1"),
  pl: (text) => text.replaceAll("ł", "l"),
  da: (text) => text.replaceAll(/æ|ae|aa/g, "a").replaceAll(/ø|oe/g, "o"),
  // The Norwegian word "noe" must keep its "oe".
  no: (text) => text.replaceAll(/æ|ae|aa/g, "a").replaceAll("ø", "o"),
};

/**
 * Corrects repeated letters, and single typing mistakes in words of five letters or more if only
 * one word fits.
 */
export type Correct = (typed: string) => string;

/**
 * @param lines the known phrases
 * @param spellings wrong and shortened spellings, as `right: wrong wrong`
 */
export function createCorrection(
  lines: readonly string[],
  language: string,
  spellings: readonly string[],
): Correct {
  const meant = new Map(spellings.flatMap((line) => readSpellings(line, language)));
  const words = new Set(
    lines.flatMap((line) => toSpokenForm(line.replaceAll(/[()[\]|]/g, " "), language).split(" ")),
  );
  // A word and a mistake in it are equal once each loses a letter, so only such pairs are compared.
  const near = new Map<string, string[]>();
  for (const word of words) {
    if (word.length < minCorrectedLength) continue;
    for (const one of listShortened(word)) near.set(one, [...(near.get(one) ?? []), word]);
  }
  const correctWord = (word: string): string => {
    const spelt = meant.get(word);
    if (spelt !== undefined) return spelt;
    if (words.has(word)) return word;
    const once = Array.from(word)
      .filter((letter, at, all) => letter !== all[at - 1])
      .join("");
    if (words.has(once)) return once;
    if (word.length < minCorrectedLength) return word;
    const found = new Set(
      listShortened(word).flatMap((one) =>
        (near.get(one) ?? []).filter((right) => isMistake(word, right)),
      ),
    );
    const [right = word] = found;
    return found.size === 1 ? right : word;
  };
  return (typed) => typed.split(" ").map(correctWord).join(" ");
}

/** Reads the right form of each wrong one in a line: `je peux: jpeux jpe`. */
function readSpellings(line: string, language: string): readonly [wrong: string, right: string][] {
  const [right = "", wrong = ""] = line.split(":").map((part) => toSpokenForm(part, language));
  return wrong.split(" ").map((one) => [one, right]);
}

const minCorrectedLength = 5;

function listShortened(word: string): readonly string[] {
  return [word, ...Array.from(word).map((_, at, all) => all.toSpliced(at, 1).join(""))];
}

/**
 * True if the typed word has one letter too many, one too few, a wrong one, or two neighbours
 * swapped. The words are known to be the same without one letter each.
 */
function isMistake(typed: string, right: string): boolean {
  const [a, b] = [Array.from(typed), Array.from(right)];
  const at = a.findIndex((letter, index) => letter !== b[index]);
  return (
    a.length !== b.length ||
    joinRest(a, at + 1) === joinRest(b, at + 1) ||
    (a[at] === b[at + 1] && a[at + 1] === b[at] && joinRest(a, at + 2) === joinRest(b, at + 2))
  );
}

function joinRest(letters: readonly string[], from: number): string {
  return letters.slice(from).join("");
}

/** Writes Chinese in simplified characters, as in the phrases of locales/recognition/zh.yaml. */
function simplifyLetters(text: string): string {
  return Array.from(text, (character) => simplified.get(character) ?? character).join("");
}

/** Pairs of a traditional Chinese character and its simplified form. */
const PAIRS = [
  "並并來来個个們们備备傳传傾倾僅仅優优儲储兒儿內内別别刪删創创劃划動动務务勞劳協协厭厌參参",
  "吶呐問问喚唤單单喲哟嗎吗嘆叹嘍喽嘗尝嚇吓囉啰圖图團团堅坚壓压壞坏壽寿夠够夾夹妳你學学實实",
  "寧宁審审寫写將将專专對对導导屆届層层屬属崗岗師师幫帮幹干幾几庫库廢废廣广張张強强後后從从",
  "徹彻惱恼愛爱慣惯慮虑憶忆應应懶懒戲戏戶户掛挂採采換换撥拨擇择擋挡擔担據据擾扰攔拦敗败數数",
  "斷断於于時时暫暂書书會会條条棄弃棧栈業业樂乐樣样機机檔档檢检權权欸诶歐欧歡欢歷历氣气決决",
  "沒没況况減减測测準准溝沟滿满濟济瀏浏為为無无煩烦熱热爭争狀状獨独獲获現现產产畢毕異异當当",
  "療疗癮瘾癱瘫發发盡尽盤盘眾众確确碼码禮礼種种稱称穩稳競竞筆笔節节簡简簽签糾纠紀纪約约納纳",
  "紙纸級级細细終终組组結结絕绝給给統统經经維维網网緊紧線线編编緩缓練练縮缩總总繫系繼继續续",
  "罵骂罷罢義义習习聞闻聯联聲声職职聽听腦脑臉脸臨临臺台與与興兴舊旧華华萬万蓋盖薦荐藉借處处",
  "虛虚號号蟲虫蠻蛮術术衝冲裏里補补裝装裡里製制複复覆复見见視视親亲覺觉覽览觀观訂订計计訊讯",
  "討讨託托記记訪访設设許许訴诉評评詞词詢询試试話话該该詳详誇夸認认語语誠诚誤误說说誰谁課课",
  "調调談谈請请諒谅論论諮咨謂谓謊谎講讲謝谢證证識识譯译議议護护變变讓让讚赞豬猪負负財财責责",
  "貴贵買买費费貼贴資资賠赔賣卖賬账賺赚購购贊赞趕赶趙赵跡迹躍跃軟软較较載载輕轻輪轮輸输轉转",
  "辦办這这連连進进運运過过達达違违遞递遠远適适遲迟選选還还邊边郵邮鄰邻醫医釋释銀银銷销鋪铺",
  "錄录錢钱錯错鍵键鎖锁鎮镇鏈链鐘钟長长門门閃闪閉闭開开閒闲間间閱阅關关隊队際际隨随隱隐雖虽",
  "雙双雜杂離离難难電电靜静響响頁页頂顶項项順顺須须預预頓顿領领頭头題题額额願愿類类顧顾顯显",
  "飛飞飯饭餘余館馆饋馈馬马駁驳駕驾騙骗驗验驚惊體体鬆松鬧闹麼么點点",
].join("");

const simplified: ReadonlyMap<string, string> = new Map(
  (PAIRS.match(/../gu) ?? []).map(([from = "", to = ""]) => [from, to]),
);
