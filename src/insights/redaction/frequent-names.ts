import { BEGINS, ENDS } from "./words.ts";

/**
 * The most frequent family names of China and Korea, because nothing else marks the beginning of a
 * name.
 */
const SURNAME =
  "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董袁潘蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸汪范金石廖贾賈夏韦韋付方白邹鄒孟熊秦邱江尹薛闫阎段雷侯龙龍史陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔向汤湯";
const KOREAN_SURNAME =
  "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민";
const LONG_SURNAME =
  "欧阳|歐陽|诸葛|諸葛|司马|司馬|上官|夏侯|东方|皇甫|尉迟|公孙|慕容|令狐|司徒|端木";
const LONG_KOREAN_SURNAME = "남궁|황보|제갈|선우|독고|사공";
/** Words that begin like a Chinese name. */
const NO_CHINESE_NAME =
  "高中|高级|高校|黄金|黃金|白金|金卡|钻石|马上|方便|何时|何處|何处|万分|江苏|江西|石油|毛病|田地|文员";
/** Syllables of Korean given names; other nouns with three syllables rarely have two of them. */
const KOREAN_GIVEN =
  "민서준지현우은영수진혜정미경희숙순철호성훈재상동승태연하윤예빈원유인선주나보라소기석규혁환광명란욱섭찬별솔";
/** Nouns that are written like a Korean name. */
const NO_KOREAN_NAME = "주소지|이유는|한정수|전수리|정하나|이상은|주인은|하나는|현재";
/** The most frequent family and given names of Japan. */
const JAPANESE_SURNAME =
  "佐藤|鈴木|高橋|田中|伊藤|渡辺|渡邊|渡邉|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|木村|斎藤|斉藤|清水|山崎|池田|橋本|阿部|石川|山下|中島|石井|小川|前田|岡田|長谷川|藤田|後藤|近藤|村上|遠藤|青木|坂本|福田|太田|西村|藤井|金子|岡本|藤原|三浦|中野|中川|原田|松田|竹内|小野|田村|中山|和田|石田|森田|上田|内田|柴田|酒井|宮崎|横山|高木|安藤|宮本|大野|小島|工藤|谷口|今井|高田|増田|丸山|杉山|村田|大塚|新井|小山|平野|藤本|河野|上野|野口|武田|松井|菅原|岩崎|久保|木下|佐野|野村|松尾|市川|菊地|杉本|古川|大西|島田|水野|桜井|高野|吉川|山内|西田|飯田|菊池|西川|小松|北村|安田|五十嵐|川口|平田|中田|久保田|服部|岩田|土屋|川崎|福島|本田|樋口|秋山|田口|永井|中西|吉村|川上|石原|大橋|松岡|小笠原";
const JAPANESE_GIVEN =
  "\\p{sc=Han}{0,2}(?<![新野夜])郎|翔太|大輔|健太|直樹|和也|達也|拓也|花子|恵子|洋子|陽子|裕子|幸子|京子|和子|直子|智子|久美子|由美子|真由美|美咲|陽菜|結衣|千鶴|さくら";
/** The most frequent given names of Arabic readers. They have no capitals. */
const ARABIC_GIVEN =
  "محمد|أحمد|احمد|محمود|علي|حسن|حسين|عمر|عثمان|خالد|يوسف|إبراهيم|ابراهيم|إسماعيل|مصطفى|طارق|سعيد|سعد|سعود|فهد|فيصل|سلطان|سلمان|ناصر|ماجد|ياسر|كريم|رامي|سامي|هاني|وليد|زياد|بلال|حمزة|أنس|انس|عبدالله|عبدالرحمن|عبدالعزيز|عبد \\p{sc=Arab}{4,10}|فاطمة|عائشة|خديجة|مريم|زينب|نورة|سارة|ليلى|هند|منى|أمل|ريم|رنا|دينا|هدى|سلمى|سمية|أسماء|اسماء|إيمان|ايمان|نادية|سعاد|رقية|حنان|لطيفة|شيماء";

/** Names that no capital shows: the most frequent ones, where a reader says who somebody is. */
export const FREQUENT_NAMES: readonly RegExp[] = [
  // 我是王小明, 저는 김철수입니다
  new RegExp(
    String.raw`(?<=(?:我是|这里是|本人姓名是?|本人是?|收件人(?:是|:)?|收货人(?:是|:)?|联系人(?:是|:)?|姓名(?:是|:)?) ?)(?!(?:${NO_CHINESE_NAME}))(?:${LONG_SURNAME}|[${SURNAME}])\p{sc=Han}{1,2}(?!\p{sc=Han})`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<=(?:저는|나는|전) )[${KOREAN_SURNAME}]\p{sc=Hang}{2}(?=이고|입니다|이에요|예요|인데)`,
    "gu",
  ),
  // 订单在赵天宇名下
  new RegExp(
    String.raw`(?<=[在是用] ?)(?!(?:${NO_CHINESE_NAME}))(?:${LONG_SURNAME}|[${SURNAME}])\p{sc=Han}{1,2}(?=名下|的名字)`,
    "gu",
  ),
  // 남궁혜진입니다, 저 김민수인데, 감사합니다 김민수 드림
  new RegExp(
    String.raw`${BEGINS}(?!${NO_KOREAN_NAME})(?:(?:${LONG_KOREAN_SURNAME})\p{sc=Hang}{1,2}|[${KOREAN_SURNAME}][${KOREAN_GIVEN}]{2})(?=입니다|이에요|예요|인데|이라고| 드림| 올림| 이름으로| 명의)`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<=${BEGINS}(?:아들|딸|남편|아내|동생|어머니|아버지) )(?:(?:${LONG_KOREAN_SURNAME})\p{sc=Hang}{1,2}|[${KOREAN_SURNAME}][${KOREAN_GIVEN}]{2})(?=[이가은는의]?(?!\p{sc=Hang}))`,
    "gu",
  ),
  // 鈴木です, 鈴木一郎です, 一郎です, こちら鈴木
  new RegExp(
    String.raw`(?<![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[はがもの])(?:(?:${JAPANESE_SURNAME}) ?[\p{sc=Han}\p{sc=Hira}]{0,3}?|${JAPANESE_GIVEN})(?=です|だけど|でございます|と申)`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<=(?:息子|娘|夫|妻|主人|家内|兄|弟|姉|妹|母|父|名義は|名義人は)の?)(?:(?:${JAPANESE_SURNAME}) ?\p{sc=Han}{0,3}|${JAPANESE_GIVEN})(?=[がはのもでに])`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<=[。、!.] ?)(?:${JAPANESE_SURNAME}) ?(?:\p{sc=Han}{1,3}|[\p{sc=Hira}]{2,4})?(?=$|[。.])`,
    "gu",
  ),
  // أنا محمد المنصوري
  new RegExp(
    String.raw`(?<=${BEGINS}(?:أنا|انا|شكرا|شكراً|تحياتي|ابني|ابنتي|زوجي|زوجتي|أخي|أختي|باسم)[،,]? )(?:${ARABIC_GIVEN})${ENDS}(?: (?:ال\p{sc=Arab}{2,15}|(?:${ARABIC_GIVEN}))${ENDS}){0,2}`,
    "gu",
  ),
  new RegExp(
    String.raw`${BEGINS}(?:${ARABIC_GIVEN})(?: ال\p{sc=Arab}{2,15})?(?= (?:معك|معكم)${ENDS})`,
    "gu",
  ),
];
