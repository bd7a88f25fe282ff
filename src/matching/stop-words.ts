import { foldText } from "./fold.ts";

/** Folded words of low weight, but not zero: the title `Who are you?` must be found. */
export function stopWords(language: string): ReadonlySet<string> {
  const known = folded.get(language);
  if (known !== undefined) return known;
  const list = Object.hasOwn(lists, language) ? (lists[language] ?? "") : "";
  const words = new Set(list.split(/\s+/).map((word) => foldText(word, language)));
  words.delete("");
  if (Object.hasOwn(lists, language)) folded.set(language, words);
  return words;
}

const folded = new Map<string, ReadonlySet<string>>();

// Articles, pronouns, prepositions, auxiliaries, question words, courtesy; no negations or nouns.
const lists: Readonly<Record<string, string>> = {
  ar: `في من على الى إلى عن مع هل ما ماذا كيف متى أين اين لماذا كم اي أي هذا هذه ذلك تلك هو هي انا أنا نحن انت أنت هم ان أن إن
    او أو ثم قد كان يكون لي لنا لك له لها يمكن يمكنني يمكنكم استطيع أستطيع اريد أريد احتاج أحتاج مرحبا السلام عليكم شكرا من فضلك لو سمحت
    التي الذي عند عندي لدي كل بعد قبل اذا إذا عندما حتى و ف ب ل ك`,
  ca: `a al als amb aquest aquesta aquests aquestes com d de del dels des el els elles ells em en és es esta està estan està et
    fa fer ha han he hi hola i jo l la les li lo m ma me meu meva meus meves mi molt n ni no ens on o per perquè però pel pels
    puc poden pot podeu puguin quan quant quants quanta quantes quin quina quins quines què que qui s sa se seu seva si sobre
    són soc sóc t te tinc teniu tens té tu un una uns unes us vaig va vol vull voldria vostre vostra gràcies bon dia sisplau
    si us plau hauria he de cal fan estic`,
  cs: `a aby ale ani asi až bez bude budu by byl být co což dal dobrý den do jak jaká jaké jaký jakou jde je jeho její jejich jen
    jenž ještě ji jim jsem jsme jsou jste k kam kde kdo kdy když ke kolik která které který ma mám mají mě mi mít může můžete
    můžu mohu můj moje mou my na nad nám nás ne nebo něco o od on ona oni po pod podle potřebuji pro prosím proč před při
    s se si své svůj ta tak také te ten tento to toho tu ty u v vám vás váš vaše ve vy z za ze že děkuji ahoj chci chtěl bych lze`,
  da: `af alle at blev de dem den denne der deres det dette dig din dit dine du efter eller en er et for fra få får gør går ham han
    har have hej hende her hos hun hvad hvem hvilken hvilke hvor hvordan hvorfor hvornår hvis i ikke ind ja jeg jeres jer kan
    kunne man med meget men mig min mine mit må når og også om op os over på se sig sin skal skulle som så tak til ud under var
    ved venligst vi vil ville være vær`,
  de: `ab aber als am an auch auf aus bei beim bin bis bist bitte da danke das dass dein deine dem den denn der des die dies
    diese dieser dieses doch du durch ein eine einem einen einer eines er es etwas euch euer eure für gibt guten tag hab habe
    haben hallo hat hätte ich ihr ihre ihrem ihren ihm ihn im in ins ist ja kann könnte können könnt kannst man mal mein meine
    meinem meinen meiner mich mir mit möchte muss müssen nach noch nun nur ob oder schon sein seine sich sie sind so soll um
    und uns unser unsere vom von vor wann warum was welche welchem welchen welcher welches wenn wer werde werden wie wieso will
    wir wird wo woher wohin würde zu zum zur`,
  el: `α αν αντί από αυτά αυτή αυτό για γεια δεν είμαι είναι είσαι είστε ένα ένας έχει έχετε έχω η ήταν θα θέλω κάθε και κάνω κατά
    κι με μετά μέχρι μας μια μία μου μπορεί μπορείτε μπορώ μπορούμε να ναι ο οι όπως όταν ότι παρακαλώ ποια ποιά ποιο ποιό ποιος
    ποιός ποιες πόσο πόση πόσα πότε που πού προς πρέπει πως πώς σας σε στα στη στην στις στο στον στους τα της τη την τι τις το
    τον του τους των ως χρειάζεται χρειάζομαι ευχαριστώ καλημέρα σου εσείς εγώ γίνεται`,
  en: `a about am an and any anyone are as at be been being but by can could d did do does doing for from get got had has have
    having hello hey hi how i id if ill im in into is it its ive just ll let like m may me might mine much must my need of off
    on or our out over please pls re s shall should so some t tell than thank thanks that thats the their them then there these
    they this those to too u up us ve very want was we were what whats when where wheres which who whos why will with would you
    your youre yours know`,
  es: `a al algo alguna alguno ante antes aquí como con cómo cual cuál cuales cuáles cuando cuándo cuanto cuánto cuanta cuánta
    cuantos cuántos cuántas de del desde días donde dónde e el él ella ellos en entre era eres es esa ese eso esta está estan
    están estar este esto estos estoy favor gracias ha hace hacer haber hay he hola hasta la las le les lo los me mi mí mis muy
    más ni nos nosotros nuestra nuestro o os para pero podría por porqué porque puede pueden puedo podéis podemos que qué
    quien quién quiero quisiera se sé ser si sí sin sobre sois son soy su sus tal también te tengo tiene tienen tenéis tener ti
    tu tú tus un una unas uno unos usted ustedes va vosotros voy vuestra vuestro vuestros vuestras y ya yo buenas buenos debo`,
  eu: `a al ala aldiz arte ba bai baina baino bat batean batek batzuk behar beharko bera bere beti da dago dagoen daitezke daiteke
    daude dezaket dezakezu dezaket dezakegu dira dit ditut dituzte dituzu du dugu dut dute duzu duzue edo egin egiten egon eta
    ere ez eskerrik asko gara gu hau hauek hor hori horiek ikusi izan izango kaixo mesedez nahi naiz naiteke naizen ni nik nire
    nola nolako non nondik nora noiz nor nork norekin oso zait zaizkit zara ze zein zeintzuk zen zer zergatik zuen zuek zuk zure
    zenbat ote den diren dudan dezadan zerbait daukat daukazue duten didazue zait egun on`,
  fi: `ai ei eli en enkä entä et että hei he hän ihan itse ja jo joka jos jotka kai kanssa kiitos koska kuin kuinka kuka kun
    me mikä miksi millainen millä milloin minkä minkälainen minä minun minulla minulle missä mistä mitä mitkä miten mihin moi
    mutta mukaan myös ne niin noin nyt oli olen olet olisi olla on onko ovat paljon paljonko pitää pitäisi saa saada saako saan
    saanko se sekä sen siis sinä sitten sitä tai tarvitsen te teidän teillä tuo tämä tämän tätä vai vaan vain voi voiko voin
    voinko voisi voisin voisinko voitko voitteko haluan haluaisin täytyy minkä kautta ole kuinka`,
  fr: `a ai ainsi as au aux avec avez avoir avons bien bonjour bonsoir c ça car ce ces cet cette combien comme comment d dans de des
    depuis dès dois doit donc du elle elles en est et été être êtes eu eux fait faire faut faudrait il ils j je jusque l la là le
    les leur leurs lorsque lui m ma mais me merci mes moi mon n ne ni nos notre nous on ont ou où par parce pas peut peuvent peux
    plait plaît plus pour pourquoi pourrais pouvez puis puisse qu quand que quel quelle quelles quels quelqu qui quoi s sa salut
    sans se serait ses si son sont souhaite sous suis sur svp t ta te tes toi ton tu un une va vais vas vers veux voudrais vos
    votre vous y`,
  gl: `a á ao aos as ás bos boas cal cales canto canta cantos cando co coa coas cos como con da das de dende desde día días do dos e é
    el ela eles eu en entre era es esa ese eso está están estar este isto estou favor facer fai faise grazas ha hai hei haber ir la
    lle lles lo me mi meu miña meus miñas moi máis na nas no nos nós non nosa noso o os ou onde para pero poden podo pode podería
    podedes pola polo polas polos por que quen queda quero querería se sen ser si son sobre súa seu seus súas tal tamén te teño ten
    teñen tedes ti tu túa teu un unha uns unhas vai vos vós vosa voso vou xa ola onde porque`,
  he: `את של על אל אם או אני אתה את אתם אנחנו אנו הוא היא הם הן זה זו זאת אלה מה מי מתי איפה היכן איך כיצד למה מדוע כמה איזה איזו אילו
    האם יש אין לי לך לו לה לנו לכם להם שלי שלך שלכם שלנו כי גם רק עוד כל לא כן עם בין עד אחרי לפני אפשר ניתן יכול יכולה יכולים צריך צריכה
    רוצה היה להיות שלום תודה בבקשה היי אז כדי אצלכם אותו אותה לאן מאיפה באיזה באילו`,
  hu: `a az abban ahhoz aki amely ami amikor annak arra azt át be csak de e egy egyik ehhez el én engem és eszt ez ezt fel hogy hogyan
    hol honnan hova hová ha hány igen is itt ki kell kellene kérem kérek kösz köszönöm ki kinek le lehet lehetne lehetséges lesz
    ma már meg meddig melyik mely melyek mennyi mennyibe mi miért mikor milyen mint mit módon most nekem nem ő önök ön önöknek
    oda olyan ők rá s szeretnék szeretném tudok tudom tudja tudnak tudnám ti több tud te úgy üdv üdvözlöm vagy vagyok van vannak volt
    velem jó napot szia mi micsoda mivel`,
  id: `ada adalah agar akan aku anda apa apakah atau bagaimana bagi bahwa berapa bila bisa bisakah boleh bolehkah dalam dan dapat
    dapatkah dari dengan di dimana hai halo harus hingga ia ini itu jika juga kalau kalian kami kamu kapan kapankah karena ke
    kenapa kepada kita lagi lebih mana mau mengapa mereka mohon namun nya oleh pada para perlu punya saat saja sama sampai saya
    sebagai sebuah sedang selamat seperti siapa siang sudah tapi telah tentang terima kasih tolong untuk yang ya cara gimana`,
  it: `a ad ai al alla alle agli allo anche avere avete ho hai ha hanno buongiorno c che chi ci ciao come con cosa cos cui d da dai
    dal dalla dalle dei del della delle degli dello deve devo di dopo dove e è ed era esiste fa faccio fare favore fino fra gli
    grazie i il in io l la le lei li lo loro ma me mi mia mie mio miei molto ne nei nel nella nelle negli noi nostra nostro o per
    perché più posso possibile possono potete potrei può puoi qual quale quali quando quanta quante quanti quanto quel quella
    quello quello questa queste questi questo qui s se sei si sì sia siamo siete sono su sua sue sul sulla sulle suo suoi t ti tra
    tu tua tuo tuoi tutti un un' una uno vi voglio voi vorrei vostra vostre vostri vostro c'è po'`,
  ja: `が の を に へ と から より で や は も か な だ です ます ました ません でしょう ください 下さい た て ば たい し する した して い いる ある
    あり あります こと もの よう ため とき この その あの どの これ それ あれ どれ ここ そこ どこ 何 なに なん いつ だれ 誰 なぜ どう どうして
    どうやって どの どれ くらい ぐらい いくら いくつ ね よ お ご 私 わたし 僕 さん れる られる できる でき できます 場合 方法 教え 教えて
    こんにちは すみません ありがとう お願い たら なら まで について 知り なり なる たく どちら せ れ さ え`,
  ko: `이 그 저 것 수 등 및 더 좀 안 못 왜 어떻게 어떤 무엇 뭐 뭔가요 무슨 언제 어디 어디서 어디에서 누가 누구 얼마 얼마나 얼마예요 몇 있나요 있어요
    있습니까 있는 있는지 있을까요 인가요 되나요 될까요 돼요 하나요 해요 합니까 할까요 하고 하는 하려면 하면 하는데 해야 하죠 나요 나는 내 제 제가 저는 나 우리
    싶어요 싶습니다 싶은데 싶은데요 주세요 알려주세요 알고 무엇인가요 안녕하세요 감사합니다 가능한가요 가능해요 가능합니까 할 한 수 때 대해 대한 방법 방법은 건가요 거예요 걸리나요`,
  nl: `aan al als alle ben bent bij bestaat dag dan dank dat de deze die dit doe doen door dus een en er gaat geen graag had hallo
    heb hebben hebt heeft hem het hij hoe hoeveel hoi hun ik in is ja jij je jou jouw jullie kan kun kunnen kunt kon maar me meer
    men met mij mijn moet moeten mag na naar niet nog nu of om omdat onder ons onze ook op over te tegen ten ter toch tot u uit uw
    van vanaf veel via voor waar waarom wanneer wat we wel welk welke werd wie wij wil willen wilt word worden wordt zich zij zijn
    zo zou zouden wilde alsjeblieft alstublieft bedankt`,
  no: `alle at av ble bli blir da de deg dem den denne der dere deres det dette din dine ditt du eller en er et ett etter for fra få
    får gjør går ha han har hadde hei hun hva hvem hvilke hvilken hvilket hvor hvordan hvorfor hvis i ikke inn ja jeg kan kunne
    man med meg men mens min mine mitt mot må mye når nå og også om opp oss over på seg si sin skal skulle som så takk til ut var
    ved vi vil ville vær være vært vennligst eg dykk korleis kva`,
  pl: `a aby albo ale ani aż bardzo bez być byłby bym był była było będzie będą ci co coś czego czemu czy czyli dla do dlaczego
    dzień dobry gdy gdzie go i ich ile im ja jak jaka jaką jakie jaki jakiego jakich jako je jego jej jest jestem już każdy kiedy
    kim kogo kto ktoś która które który których ku lub ma mam macie mają mi mieć mną mnie moja moje moją mogę mój może można
    możecie możliwe mu muszę my na nad nam nas nasz nie nich nim no o od oraz on ona one oni państwo państwa po pod poproszę
    potrzebuję powinienem proszę przed przez przy są się skąd swoje swój ta tak także tam te tego tej ten to tu twój ty tym u w wam
    was wasz wasze we witam wy z za ze że żeby chcę chciałbym chciałabym dziękuję cześć dokąd trzeba`,
  pt: `a à ao aos as às até até bom boa com como da das de dela dele desde deve devo dia do dos e é ela ele eles em entre era essa
    esse esta está estão este estou eu fazer faço foi favor fica gostaria há isso isto já lá lhe mais mas me meu meus minha minhas
    muito na nas no nos nós nossa nosso num numa o obrigado obrigada olá oi onde os ou para pela pelas pelo pelos por porque pode
    podem podemos posso preciso qual quais quando quanto quanta quantas quantos que quê quem quero se sem ser será seu seus si
    sobre são sou sua suas só também te tem têm temos tenho ter teu ti tu tua um uma umas uns vai vão você vocês vos vou é dá fazem`,
  ro: `a ai al ale am ar are as aș asta aţi ați au avea aveți bună ca că care căror cât câtă câte câți ce cel cea cei cele cine cu cui
    cum când da dacă dar de deci despre din dintre după e ea ei el ele este eu eşti ești face fac fi fie fost i îi il îl imi îmi în
    in încât înainte între îşi își la le li lor lui m ma mă mai me mea mei mele meu mi mie mulțumesc n ne nişte niște noastră nostru
    noi o or ori pe pentru poate pot puteți prin puțin rog s sa să sale sau se salut si și sînt sunt suntem sunteți spre sub te ţi
    ți toate tot trebuie tu tău ta un una unde unei unui unor v va vă vi voi vostru voastră vreau vrea zi doresc există`,
  ru: `а без бы был была были было быть в вам вами вас ваш ваша ваше ваши во вот все всё вы где да для до добрый день его ее её если
    есть еще ещё же за здравствуйте и из или им их к как какая какие какой каком каким какую ко когда кто куда ли либо м меня мне
    могу может можете можно мой моя моё мое мои моего моей мою моим на над надо нам нас наш не него нее неё ней нет ни них но ну
    нужно нужен нужна о об он она они оно от откуда очень по под пожалуйста почему при привет про с сам свой своего свою себя со
    сколько спасибо так также там те тем то того тоже той только том тот ты у уже хотел хочу хотела бы что чтобы чего чем эта эти
    это этот я подскажите скажите делать сделать ль`,
  sv: `alla allt att av blev bli blir då de dem den denna deras dess det detta dig din dina ditt du där efter ej eller en er era ert
    ett från för få får gör göra går ha hade han har hej hennes hon hos hur här i icke in inte ja jag kan kunna kunde man med
    mellan men mig min mina mitt mot mycket måste ni nu när något några och också om oss på samt sedan sig sin sina sitt ska skall
    skulle som så tack till under upp ut vad var varför varje vara vart vem vi vid vilka vilken vilket vill är över hjälp snälla
    behöver finns gå`,
  th: `ที่ และ ใน ของ เป็น มี ได้ ไหม มั้ย หรือ หรือไม่ จะ ให้ กับ ไป มา ก็ ว่า นี้ นั้น การ ความ อะไร ยังไง อย่างไร ทำ ทำไม เมื่อไหร่ เมื่อไร
    เมื่อใด ที่ไหน ไหน เท่าไหร่ เท่าไร กี่ ใคร ฉัน ผม ดิฉัน คุณ เรา เขา ครับ ค่ะ คะ นะ หน่อย ต้อง อยาก ต้องการ สามารถ จาก ถึง โดย ด้วย
    แล้ว อยู่ ถ้า เพื่อ เพราะ แต่ ซึ่ง สวัสดี ขอบคุณ ขอ ช่วย กรุณา บ้าง ไร รึ เปล่า คือ ใช้ วิธี ตอนไหน`,
  tr: `acaba ama bana bazı beni benim ben bir biraz biz bize bizim bu buna bunu çok da daha de değil diye dan den eder ederim edebilir
    edebilirim edilir en etmek etmem etsem gerek gerekiyor gerekir gibi hangi hangisi hem hep her için ile ilgili ise istiyorum
    isterim kadar kaç ki kim kime lütfen mı mi mu mü merhaba musunuz mısınız misiniz müsünüz nasıl ne neden nedir nelerdir nerede
    nereden nereye neler niçin niye o olan olarak olur oluyor olabilir olmak onu onun ona siz size sizin şey şu teşekkürler var ve
    veya ya yapabilirim yapılır yapmak yapmalıyım yapıyorum yok selam günler iyi mümkün miyim mıyım muyum`,
  uk: `а або але без би був була були було бути в вам вас ваш ваша ваше ваші ви від він вона вони воно все всі вітаю де день для до
    добрий дуже є же з за зі і із інші їх й його її ій як яка яке який які яких яким яку якщо коли кого ким ко куди ли лише мені
    мене мій моя моє мої мого моєї можна можу може можете ми на над нам нас наш не неї ні ніж них о об потрібно потрібен потрібна
    по під при про привіт прошу та так також там те ти тим то того той тут у хочу хотів хотіла хто це цей ця ці чи чим чого чому
    що щоб я скільки дякую будь ласка підкажіть треба слід робити зробити собі свій свою своє`,
  vi: `à ạ anh bạn bao nhiêu bằng bị bởi các cái cần chị cho chào chưa có còn của cùng cũng đã đang đây để đến đi điều do đó đâu được gì
    giờ hay hãy hỏi họ hoặc khi không là lại làm lúc mà mình một muốn mấy nào này nên nếu nhé như nhưng những ở ơi phải qua ra rất
    rồi sao sẽ sau shop ta tại tôi từ tới trên trong và vào về vì với vậy xin thế thì theo thể giúp em lâu nơi cảm ơn ai`,
  zh: `的 了 是 在 我 你 您 他 她 它 们 我们 你们 他们 这 那 这个 那个 哪 哪个 哪些 哪里 哪儿 什么 怎么 怎样 怎么样 如何 为什么 吗 呢 吧 啊 么 和 与 或
    及 也 都 就 还 很 有 没有 可以 能 能够 会 要 想 想要 需要 请 请问 多少 几 多久 多长 时候 时间 什么时候 何时 把 被 给 对 从 到 用 让 去 来 你好 谢谢 一下
    一个 个 做 办 怎么办 我的 你们的 是否 能否 关于 如果 因为 所以 嗎 呢 這 這個 們 我們 你們 他們 哪裡 什麼 怎麼 怎樣 為什麼 沒有 還 會 請 請問 幾
    時候 什麼時候 從 給 對 讓 來 個 一個 辦 何時 關於 與 謝謝 該 该 应该 應該 得 进行 進行 并 著 着 過 过`,
};
