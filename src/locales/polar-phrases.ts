/** What a reader says for yes, for no, and to leave a form. Whole phrases, separated by `|`; case, accents and punctuation do not matter. */
export interface PolarPhrases {
  readonly yes: string;
  readonly no: string;
  readonly cancel: string;
}

/** By language, lower case. English is understood in all of them. */
export const POLAR_PHRASES: ReadonlyMap<string, PolarPhrases> = new Map([
  [
    "en",
    {
      yes: "yes|yes please|yes thanks|yes thank you|yep|yeah|yea|yup|sure|sure thing|ok|okay|of course|certainly|absolutely|definitely|correct|right|that is right|thats right|exactly|please do|go ahead|y|true|indeed|i do|yes i do|yes it is|yes that is right|sounds good|why not",
      no: "no|no thanks|no thank you|nope|nah|not really|not at all|no way|never|n|wrong|false|i dont|i do not|no i dont|no i do not|none of them|none|neither|incorrect|not now|rather not",
      cancel:
        "cancel|stop|quit|exit|abort|leave|end|forget it|never mind|nevermind|stop it|cancel it|cancel this|i want to cancel|i want to stop|go back|get me out",
    },
  ],
  [
    "fr",
    {
      yes: "oui|oui merci|oui s'il vous plaît|oui s'il te plaît|ouais|ouai|oui bien sûr|bien sûr|d'accord|ok|certainement|exactement|exact|c'est ça|c'est bien ça|tout à fait|volontiers|avec plaisir|absolument|vas-y|allez-y|je veux bien|pourquoi pas",
      no: "non|non merci|nan|pas du tout|pas vraiment|jamais|aucun|aucune|aucun d'eux|surtout pas|certainement pas|non pas ça|ce n'est pas ça|c'est pas ça|pas maintenant",
      cancel:
        "annuler|annule|annulez|stop|arrêter|arrête|arrêtez|quitter|abandonner|laisse tomber|laissez tomber|oublie|oubliez|je veux arrêter|je veux annuler|sortir|tant pis",
    },
  ],
  [
    "es",
    {
      yes: "sí|sí por favor|sí gracias|claro|claro que sí|por supuesto|vale|de acuerdo|ok|exacto|exactamente|correcto|eso es|desde luego|cierto|así es|sip|dale|adelante|bueno|como no",
      no: "no|no gracias|para nada|en absoluto|nunca|no quiero|nop|ninguno|ninguna|ninguno de ellos|claro que no|incorrecto|ahora no|qué va|de ninguna manera",
      cancel:
        "cancelar|cancela|cancele|parar|para|pare|salir|anular|déjalo|déjelo|olvídalo|olvídelo|abandonar|quiero cancelar|quiero salir|terminar|dejarlo",
    },
  ],
  [
    "de",
    {
      yes: "ja|ja bitte|ja danke|ja gerne|gerne|jawohl|jep|jo|klar|na klar|natürlich|sicher|selbstverständlich|ok|okay|in Ordnung|einverstanden|genau|richtig|stimmt|das stimmt|auf jeden Fall|passt|unbedingt",
      no: "nein|nein danke|nö|nee|ne|auf keinen Fall|gar nicht|überhaupt nicht|nicht wirklich|niemals|keine|keines|keins|keine davon|falsch|stimmt nicht|lieber nicht|jetzt nicht",
      cancel:
        "abbrechen|abbruch|stopp|stop|aufhören|beenden|verlassen|vergiss es|vergessen Sie es|egal|lass es|lassen wir das|ich möchte abbrechen|ich will abbrechen|zurück",
    },
  ],
  [
    "it",
    {
      yes: "sì|sì grazie|sì per favore|certo|certamente|certo che sì|va bene|d'accordo|ok|esatto|esattamente|giusto|corretto|volentieri|assolutamente sì|ovvio|come no|proprio così",
      no: "no|no grazie|per niente|per nulla|affatto|mai|nessuno|nessuna|nessuno di questi|non direi|assolutamente no|sbagliato|non adesso|certo che no",
      cancel:
        "annulla|annullare|stop|ferma|fermati|esci|uscire|basta|lascia stare|lasci stare|lascia perdere|lasci perdere|voglio annullare|voglio uscire|interrompi|abbandona",
    },
  ],
  [
    "pt",
    {
      yes: "sim|sim por favor|sim obrigado|sim obrigada|claro|claro que sim|com certeza|certo|está bem|tá bom|ok|exato|exatamente|isso|isso mesmo|correto|pode ser|quero|de acordo",
      no: "não|não obrigado|não obrigada|nada disso|de jeito nenhum|de modo nenhum|nunca|nenhum|nenhuma|nenhum deles|claro que não|errado|agora não|não quero",
      cancel:
        "cancelar|cancela|cancele|parar|pare|pára|sair|desistir|desisto|esquece|esqueça|deixa pra lá|deixe estar|quero cancelar|quero sair|anular|terminar",
    },
  ],
  [
    "ca",
    {
      yes: "sí|sí si us plau|sí gràcies|és clar|esclar|és clar que sí|i tant|d'acord|ok|exacte|exactament|correcte|per descomptat|naturalment|això mateix|endavant|val",
      no: "no|no gràcies|gens|en absolut|mai|cap|cap d'ells|és clar que no|de cap manera|incorrecte|ara no|no vull",
      cancel:
        "cancel·la|cancel·lar|cancela|atura|aturar|para|surt|sortir|deixa-ho|deixeu-ho|oblida-ho|vull cancel·lar|vull sortir|anul·la|abandona|abandonar",
    },
  ],
  [
    "gl",
    {
      yes: "si|si por favor|si grazas|claro|claro que si|por suposto|de acordo|vale|ok|exacto|correcto|iso é|iso mesmo|certo|dende logo|adiante",
      no: "non|non grazas|para nada|en absoluto|nunca|ningún|ningunha|ningún deles|claro que non|incorrecto|agora non|non quero",
      cancel:
        "cancelar|cancela|cancele|parar|para|saír|sae|déixao|déixeo|esquéceo|quero cancelar|quero saír|anular|abandonar",
    },
  ],
  [
    "eu",
    {
      yes: "bai|bai mesedez|bai eskerrik asko|bai noski|noski|noski baietz|jakina|ados|ongi|ondo|ok|zehazki|hori da|horixe|zuzena|egia|bai horixe|aurrera",
      no: "ez|ez eskerrik asko|ezta inola ere|inola ere ez|inoiz ez|bat ere ez|noski ezetz|gaizki|orain ez|ez dut nahi|ezta",
      cancel:
        "utzi|bertan behera utzi|gelditu|irten|amaitu|ezeztatu|ahaztu|utzi bakean|utzi nahi dut|irten nahi dut|utzi egin nahi dut",
    },
  ],
  [
    "ro",
    {
      yes: "da|da te rog|da vă rog|da mulțumesc|sigur|desigur|bineînțeles|firește|de acord|bine|ok|exact|corect|așa e|așa este|categoric|chiar așa|cum să nu",
      no: "nu|nu mulțumesc|deloc|nicidecum|niciodată|niciunul|niciuna|niciunul dintre ele|bineînțeles că nu|greșit|nu acum|nu vreau|nu chiar",
      cancel:
        "anulează|anulați|anulare|stop|oprește|opriți|ieșire|ieși|renunț|renunță|las-o|lasă|lăsați|uită|vreau să anulez|vreau să ies|abandonez",
    },
  ],
  [
    "nl",
    {
      yes: "ja|ja graag|ja alsjeblieft|ja dank je|jawel|jazeker|zeker|natuurlijk|uiteraard|oké|ok|prima|goed|akkoord|klopt|dat klopt|precies|inderdaad|juist|graag|jep|doe maar",
      no: "nee|nee bedankt|nee dank je|neen|helemaal niet|zeker niet|nooit|geen|geen van alle|geen enkele|niet echt|fout|klopt niet|liever niet|nu niet",
      cancel:
        "annuleren|annuleer|stop|stoppen|afbreken|verlaten|laat maar|vergeet het|vergeet het maar|ik wil stoppen|ik wil annuleren|ophouden|einde|terug",
    },
  ],
  [
    "da",
    {
      yes: "ja|ja tak|jo|jep|selvfølgelig|naturligvis|klart|okay|ok|helt sikkert|præcis|korrekt|det er rigtigt|rigtigt|meget gerne|gerne|bestemt|det stemmer",
      no: "nej|nej tak|niks|slet ikke|overhovedet ikke|aldrig|ingen|ingen af dem|bestemt ikke|forkert|ikke rigtigt|ikke nu|helst ikke",
      cancel:
        "annuller|annullér|stop|afbryd|afslut|forlad|glem det|lad det være|lad være|jeg vil stoppe|jeg vil annullere|fortryd|ud|lige meget",
    },
  ],
  [
    "sv",
    {
      yes: "ja|ja tack|jo|japp|jajamän|självklart|naturligtvis|visst|javisst|okej|ok|absolut|precis|korrekt|det stämmer|stämmer|rätt|gärna|javisst gärna",
      no: "nej|nej tack|nä|näe|inte alls|absolut inte|aldrig|ingen|inget|ingen av dem|fel|stämmer inte|inte direkt|inte nu|helst inte",
      cancel:
        "avbryt|avbryta|stopp|stoppa|sluta|avsluta|lämna|glöm det|strunt samma|strunta i det|jag vill avbryta|jag vill sluta|ångra|ut",
    },
  ],
  [
    "no",
    {
      yes: "ja|ja takk|jo|jepp|selvfølgelig|naturligvis|klart|okei|ok|greit|absolutt|presis|riktig|det stemmer|stemmer|gjerne|ja gjerne|helt sikkert|nettopp",
      no: "nei|nei takk|niks|ikke i det hele tatt|absolutt ikke|aldri|ingen|ingen av dem|feil|stemmer ikke|egentlig ikke|ikke nå|helst ikke",
      cancel:
        "avbryt|avbryte|stopp|stoppe|slutt|avslutt|forlat|glem det|drit i det|samme det|jeg vil avbryte|jeg vil slutte|angre|ut",
    },
  ],
  [
    "fi",
    {
      yes: "kyllä|kyllä kiitos|joo|juu|jep|totta kai|tietysti|tietenkin|toki|selvä|ok|okei|juuri niin|aivo|aivan|oikein|pitää paikkansa|mielellään|ehdottomasti|niin",
      no: "ei|ei kiitos|eipä|ei todellakaan|ei lainkaan|ei ollenkaan|ei koskaan|ei mikään|ei mikään niistä|ei yksikään|väärin|ei oikeastaan|en halua|ei nyt|en",
      cancel:
        "peruuta|peru|lopeta|pysäytä|keskeytä|poistu|unohda|anna olla|antaa olla|haluan peruuttaa|haluan lopettaa|seis|stop",
    },
  ],
  [
    "hu",
    {
      yes: "igen|igen kérem|igen köszönöm|persze|hogyne|természetesen|rendben|oké|ok|pontosan|helyes|így van|ez az|mindenképpen|jó|jól van|naná|szívesen|aha",
      no: "nem|nem köszönöm|egyáltalán nem|dehogy|dehogyis|soha|egyik sem|semmiképpen|nem igazán|helytelen|rossz|most nem|nem akarom|inkább nem",
      cancel:
        "mégse|mégsem|megszakítás|megszakít|állj|stop|kilépés|kilépek|abbahagyom|hagyjuk|felejtsd el|felejtse el|meg akarom szakítani|ki akarok lépni|törlés|vége",
    },
  ],
  [
    "pl",
    {
      yes: "tak|tak proszę|tak dziękuję|oczywiście|jasne|pewnie|no pewnie|zgoda|dobrze|ok|okej|dokładnie|zgadza się|właśnie|na pewno|poproszę|chętnie|tak jest|owszem|no tak",
      no: "nie|nie dziękuję|wcale nie|absolutnie nie|nigdy|żaden|żadna|żadne|żadne z nich|nie bardzo|źle|nie zgadza się|raczej nie|nie teraz|nie chcę",
      cancel:
        "anuluj|anulować|stop|przerwij|przerwać|wyjdź|wyjście|zakończ|rezygnuję|zapomnij|nieważne|chcę anulować|chcę przerwać|chcę wyjść|koniec|daj spokój",
    },
  ],
  [
    "cs",
    {
      yes: "ano|ano prosím|ano děkuji|jo|jasně|určitě|samozřejmě|dobře|ok|okej|přesně|přesně tak|souhlasím|správně|to je ono|tak|rozhodně|rád|ráda|no jasně",
      no: "ne|ne děkuji|ne díky|vůbec ne|rozhodně ne|nikdy|žádný|žádná|žádné|žádný z nich|ani ne|špatně|nesouhlasí|teď ne|nechci|radši ne",
      cancel:
        "zrušit|zruš|zrušte|stop|přestaň|přestaňte|konec|ukončit|odejít|zapomeň na to|zapomeňte na to|nech toho|nechte toho|nechci pokračovat|chci to zrušit|chci skončit|to je jedno",
    },
  ],
  [
    "ru",
    {
      yes: "да|да пожалуйста|да спасибо|ага|конечно|разумеется|хорошо|ладно|ок|окей|именно|точно|верно|правильно|так точно|безусловно|согласен|согласна|давайте|давай|угу|ну да",
      no: "нет|нет спасибо|не|неа|совсем нет|вовсе нет|никогда|ни один|ни одна|ни одно|ничего из этого|не совсем|неверно|неправильно|конечно нет|не сейчас|не хочу",
      cancel:
        "отмена|отменить|отмени|отмените|стоп|хватит|выйти|выход|прекратить|прекрати|забудь|забудьте|неважно|не надо|хочу отменить|хочу выйти|прервать|закончить",
    },
  ],
  [
    "uk",
    {
      yes: "так|так будь ласка|так дякую|ага|звичайно|звісно|авжеж|добре|гаразд|ок|окей|саме так|точно|правильно|вірно|безперечно|згоден|згодна|давайте|давай|угу|еге ж",
      no: "ні|ні дякую|нє|зовсім ні|аж ніяк|ніколи|жоден|жодна|жодне|жоден з них|не зовсім|неправильно|невірно|звичайно ні|не зараз|не хочу",
      cancel:
        "скасувати|скасуй|скасуйте|відміна|відмінити|стоп|досить|вийти|вихід|припинити|припини|забудь|забудьте|неважливо|не треба|хочу скасувати|хочу вийти|перервати|закінчити",
    },
  ],
  [
    "el",
    {
      yes: "ναι|ναι παρακαλώ|ναι ευχαριστώ|βέβαια|βεβαίως|φυσικά|ασφαλώς|εντάξει|ok|οκ|ακριβώς|σωστά|σωστό|σύμφωνοι|σίγουρα|οπωσδήποτε|μάλιστα|έτσι είναι|γιατί όχι",
      no: "όχι|όχι ευχαριστώ|καθόλου|ποτέ|κανένα|κανένας|καμία|κανένα από αυτά|φυσικά όχι|λάθος|όχι ακριβώς|όχι τώρα|δεν θέλω|με τίποτα",
      cancel:
        "ακύρωση|ακύρωσε|ακυρώστε|στοπ|σταμάτα|σταματήστε|έξοδος|άσ' το|ασ το|αφήστε το|ξέχασέ το|ξεχάστε το|θέλω να ακυρώσω|θέλω να σταματήσω|τέλος|δεν πειράζει",
    },
  ],
  [
    "tr",
    {
      yes: "evet|evet lütfen|evet teşekkürler|tabii|tabii ki|tabi|elbette|tamam|olur|peki|ok|kesinlikle|aynen|doğru|doğrudur|öyle|memnuniyetle|isterim|he",
      no: "hayır|hayır teşekkürler|yok|hiç|hiç de değil|asla|hiçbiri|hiç biri|kesinlikle hayır|pek değil|yanlış|doğru değil|olmaz|şimdi değil|istemiyorum",
      cancel:
        "iptal|iptal et|iptal edin|vazgeç|vazgeçtim|dur|durdur|çık|çıkış|bırak|boş ver|boşver|unut|unut gitsin|iptal etmek istiyorum|çıkmak istiyorum|bitir",
    },
  ],
  [
    "ar",
    {
      yes: "نعم|نعم من فضلك|نعم شكرا|أجل|أكيد|بالتأكيد|طبعا|بالطبع|حسنا|موافق|تمام|صحيح|هذا صحيح|بالضبط|ايوه|أيوة|إي|ماشي|اوكي|تفضل",
      no: "لا|لا شكرا|كلا|أبدا|إطلاقا|مطلقا|لا شيء|لا شيء منها|ليس حقا|ليس تماما|خطأ|غير صحيح|طبعا لا|ليس الآن|لا أريد",
      cancel:
        "إلغاء|ألغ|الغاء|ألغي|توقف|قف|كفى|خروج|اخرج|أخرج|انس الأمر|انسى|لا يهم|أريد الإلغاء|أريد الخروج|إنهاء|دعك من هذا",
    },
  ],
  [
    "he",
    {
      yes: "כן|כן בבקשה|כן תודה|בטח|ודאי|בוודאי|כמובן|בסדר|אוקיי|אוקי|בדיוק|נכון|זה נכון|בהחלט|סבבה|יאללה|למה לא|מסכים|מסכימה",
      no: "לא|לא תודה|ממש לא|בכלל לא|אף פעם|אף אחד|אף אחת|אף אחד מהם|לא נכון|טעות|לא בדיוק|לא ממש|כמובן שלא|לא עכשיו|לא רוצה",
      cancel:
        "ביטול|בטל|לבטל|בטלי|עצור|עצרי|די|תפסיק|תפסיקי|יציאה|צא|לצאת|עזוב|עזבי|לא משנה|תשכח מזה|אני רוצה לבטל|אני רוצה לצאת|סיום",
    },
  ],
  [
    "th",
    {
      yes: "ใช่|ใช่ครับ|ใช่ค่ะ|ครับ|ค่ะ|คะ|ได้|ได้เลย|ได้ครับ|ได้ค่ะ|ตกลง|โอเค|แน่นอน|ถูกต้อง|ถูกแล้ว|ใช่แล้ว|เอา|เอาครับ|เอาค่ะ|ต้องการ",
      no: "ไม่|ไม่ใช่|ไม่ใช่ครับ|ไม่ใช่ค่ะ|ไม่ครับ|ไม่ค่ะ|ไม่เอา|ไม่ต้องการ|ไม่เป็นไร|ไม่ล่ะ|ไม่เลย|ไม่มี|ไม่มีเลย|ผิด|ไม่ถูกต้อง|ไม่ใช่ตอนนี้",
      cancel:
        "ยกเลิก|ขอยกเลิก|หยุด|พอแล้ว|ออก|เลิก|ช่างมัน|ไม่ทำแล้ว|ต้องการยกเลิก|อยากยกเลิก|อยากออก|จบ|ไม่เอาแล้ว",
    },
  ],
  [
    "vi",
    {
      yes: "có|có ạ|vâng|vâng ạ|dạ|dạ có|dạ vâng|ừ|ừm|đúng|đúng vậy|đúng rồi|phải|được|được rồi|đồng ý|ok|tất nhiên|chắc chắn rồi|dĩ nhiên|chính xác|vâng cảm ơn|có cảm ơn",
      no: "không|không ạ|không cảm ơn|không phải|dạ không|không hề|không bao giờ|không có cái nào|sai|sai rồi|không đúng|chưa|tất nhiên là không|không phải bây giờ|tôi không muốn",
      cancel:
        "hủy|huỷ|hủy bỏ|huỷ bỏ|dừng|dừng lại|thôi|thoát|bỏ qua|quên đi|không làm nữa|tôi muốn hủy|tôi muốn dừng|tôi muốn thoát|kết thúc",
    },
  ],
  [
    "id",
    {
      yes: "ya|iya|ya tolong|ya terima kasih|yup|tentu|tentu saja|pasti|baik|baiklah|oke|ok|benar|betul|tepat|setuju|boleh|silakan|mau|dong|sip",
      no: "tidak|tidak terima kasih|nggak|enggak|gak|ga|bukan|sama sekali tidak|tidak pernah|tidak satu pun|tidak ada|salah|tidak benar|tidak juga|tentu tidak|jangan|tidak sekarang|tidak mau",
      cancel:
        "batal|batalkan|stop|berhenti|hentikan|keluar|sudah|sudahlah|lupakan|lupakan saja|tidak jadi|saya mau batal|saya ingin membatalkan|saya ingin keluar|selesai|akhiri",
    },
  ],
  [
    "ja",
    {
      yes: "はい|はいお願いします|ええ|うん|そうです|そう|そうですね|お願いします|おねがいします|もちろん|もちろんです|オーケー|オッケー|了解|了解です|わかりました|正しい|正しいです|その通り|その通りです|合っています|いいです|いいですよ|続けます|続ける",
      no: "いいえ|いえ|いや|ううん|違います|ちがいます|違う|ちがう|結構です|けっこうです|いりません|いらない|要りません|不要です|全然|どれでもない|どれも違います|ありません|ないです|そうではありません|今はいいです",
      cancel:
        "キャンセル|キャンセルします|キャンセルしたい|キャンセルしてください|中止|中止します|やめる|やめます|やめたい|やめてください|終了|終わり|終わります|止めて|ストップ|もういい|もういいです|戻る|取り消し",
    },
  ],
  [
    "ko",
    {
      yes: "네|네 부탁해요|네 감사합니다|예|응|어|그래|그래요|네 맞아요|맞아요|맞아|맞습니다|좋아요|좋아|좋습니다|물론|물론이죠|물론입니다|당연하죠|오케이|알겠습니다|정확해요|그렇습니다|할게요|해주세요",
      no: "아니요|아니오|아뇨|아니|아닙니다|아니에요|괜찮아요|괜찮습니다|됐어요|됐습니다|싫어요|싫어|전혀|전혀 아니에요|절대 아니에요|하나도 없어요|없어요|틀려요|틀렸어요|지금은 아니요|안 할래요|필요 없어요",
      cancel:
        "취소|취소해줘|취소해 주세요|취소할게요|취소하고 싶어요|그만|그만할래요|그만해|그만두기|중지|중단|나가기|나갈래요|종료|끝|됐고|잊어버려|스톱",
    },
  ],
  [
    "zh",
    {
      yes: "是|是的|是啊|对|对的|对啊|没错|好|好的|好啊|可以|行|行啊|嗯|嗯嗯|当然|当然可以|要|需要|想|愿意|同意|正确|确实|谢谢好的|没问题|就是这个|可以的|要的",
      no: "不|不是|不是的|不对|不用|不用了|不用谢谢|不要|不需要|不了|不行|没有|都不是|都不对|没有一个|不想|不愿意|不同意|错|错了|不正确|从不|算了吧|现在不要|并不是",
      cancel:
        "取消|我要取消|我想取消|停止|停|停下|退出|我要退出|我想退出|结束|中止|算了|放弃|不填了|不做了|忘了吧|别问了|返回",
    },
  ],
]);
