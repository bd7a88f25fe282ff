/** The most frequent family names of China, because nothing else marks the beginning of a name. */
const SURNAME =
  "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董袁潘蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸汪范金石廖贾賈夏韦韋付方白邹鄒孟熊秦邱江尹薛闫阎段雷侯龙龍史陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔向汤湯温溫康施文牛樊葛邢安齐齊易乔喬伍庞龐颜顏倪庄莊聂聶章鲁魯岳翟殷詹申欧歐耿关關兰蘭焦俞左柳甘祝宁寧尚符舒阮柯纪紀梅童凌毕畢季裴霍涂苗谷盛翁冉骆駱蓝藍辛靳管柴蒙鲍鮑华華喻祁蒲房滕屈饶饒牟艾尤阳陽穆农農司卓古吉缪繆简簡芦蘆麦麥褚娄婁窦竇戚岑景宫宮卜冷晏席卫衛米柏宗瞿桂佟臧闵閔苟邬鄔卞姬仇栾欒隋刁沙荣榮巫寇桑郎甄丛叢仲虞敖巩鞏明佘池麻苑迟遲邝鄺";
const LONG_SURNAME =
  "欧阳|歐陽|诸葛|諸葛|司马|司馬|上官|夏侯|东方|皇甫|尉迟|公孙|慕容|令狐|司徒|端木";

/** Words that begin like a name and are not in the dictionary. */
const NO_NAME = /^(?:安卓|华为|金卡|文员|余额)/u;
/** Words that end the name before them, as the name itself has no end. */
const NO_GIVEN =
  /^[的在把想要没没說说买買和是有去来來不跟给給被也都很用订訂丢退收叫等让讓帮幫能会會从從到与與了您你我他她吗嗎呢吧]/u;

const RELATIVE =
  "儿子|兒子|女儿|女兒|丈夫|妻子|老公|老婆|太太|先生|妈妈|媽媽|爸爸|母亲|母親|父亲|父親|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶|孩子|同事|朋友|邻居|鄰居|同学|同學|室友|经理|老板|客户|客戶";
const ROLE =
  "本人姓名|本人|收件人|收货人|收貨人|联系人|聯絡人|聯繫人|下单人|持卡人|户主|姓名|名字|经办人|乘客|患者";

/** Words before a name. */
const BEFORE = new RegExp(
  String.raw`(?:我是|我叫|我姓|这里是|這裡是|这是|在下|敝姓|免贵姓|(?:${ROLE})(?:是|为|為|叫|:)?|(?:${RELATIVE})(?:是|叫|名叫)?|寄给|寄給|送给|送給|转给|轉給|替|代替|[在用] ?(?=\p{sc=Han}{2,4}(?:名下|的名字))) ?`,
  "gu",
);
/** Words before a name that nothing else may follow: 谢谢,赵天宇. */
const SIGNED =
  /(?:谢谢|謝謝|多谢|多謝|感谢|感謝|此致|敬礼|敬禮|祝好|敬上)(?:[你您了]|大家)?[,。!.、 ]+/gu;
/** A clause that begins with a name: 赵天宇的订单. */
const OWNER = new RegExp(
  String.raw`(?<![\p{sc=Han}])(?=\p{sc=Han}{2,4}(?:的|名下的)(?:订单|訂單|包裹|快递|快遞|账户|帳戶|账号|帳號|卡|号码|號碼|手机|手機|电话|電話|地址|退款|合同|货|貨|名字))`,
  "gu",
);

/** Replaces Chinese names by the mark where the words beside them say that they are names. */
export function redactChineseNames(
  text: string,
  mark: string,
  note: (name: string) => void,
): string {
  if (!/\p{sc=Han}/u.test(text)) return text;
  const redactName = (name: string): string => {
    note(name);
    return mark;
  };
  let redacted = redactBehind(text, BEFORE, () => true, redactName);
  redacted = redactBehind(redacted, SIGNED, (rest) => /^ ?(?:$|[。.!])/u.test(rest), redactName);
  return redactBehind(redacted, OWNER, () => true, redactName);
}

function redactBehind(
  text: string,
  beginnings: RegExp,
  mayBeFollowedBy: (rest: string) => boolean,
  redactName: (name: string) => string,
): string {
  let redacted = "";
  let kept = 0;
  for (const { 0: words, index } of text.matchAll(beginnings)) {
    const from = index + words.length;
    const length = measureChineseName(text.slice(from, from + maxRead));
    if (length === 0 || from < kept || !mayBeFollowedBy(text.slice(from + length))) continue;
    redacted += text.slice(kept, from) + redactName(text.slice(from, from + length));
    kept = from + length;
  }
  return redacted + text.slice(kept);
}

/**
 * Measures a family and a given name at the beginning of a text; 0 where there is none. A word of
 * the dictionary that begins like a family name, such as 马上, is not cut there.
 */
export function measureChineseName(text: string): number {
  if (!SURNAME_FIRST.test(text) || NO_NAME.test(text)) return 0;
  const segments = segmenter.segment(text);
  const family = segments.containing(0)?.segment ?? "";
  if (!WHOLE_SURNAME.test(family)) return 0;
  const one = segments.containing(family.length)?.segment ?? "";
  if (!isGiven(one)) return 0;
  const other = segments.containing(family.length + one.length)?.segment ?? "";
  const second = one.length === 1 && other.length === 1 && isGiven(other) ? other : "";
  return family.length + one.length + second.length;
}

function isGiven(word: string): boolean {
  return /^\p{sc=Han}{1,2}$/u.test(word) && !NO_GIVEN.test(word);
}

const SURNAME_FIRST = new RegExp(String.raw`^(?:(?:${LONG_SURNAME})|[${SURNAME}])\p{sc=Han}`, "u");
const WHOLE_SURNAME = new RegExp(`^(?:${LONG_SURNAME}|[${SURNAME}])$`, "u");
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const maxRead = 8;
