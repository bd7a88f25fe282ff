/**
 * What a reader says for yes, for no, and to leave a form. Whole phrases, separated by `|`; case,
 * accents and punctuation do not matter.
 */
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
      yes: "yes|yes please|yes thanks|yes thank you|yep|yeah|yea|yup|sure|sure thing|ok|okay|of course|certainly|absolutely|definitely|correct|right|that is right|thats right|exactly|please do|go ahead|y|true|indeed|i do|yes i do|yes it is|yes that is right|sounds good|why not|please|yes of course|yes sure|sure please|sure why not|ok sure|ok yes|okay yes|ok please|ok thanks|ok thank you|thats fine|that is fine|thats ok|thats okay|thats all right|thats alright|its fine|fine|fine by me|fine with me|all right|alright|works for me|i agree|agreed|i would|i would like that|id like that|id love to|yes i would|yes id like that|yes id like to|yes i am|yes it was|yes i agree|great|perfect|by all means|you can|yes you can|yes go ahead|of course yes|yes definitely|yes absolutely|uh huh|mhm|yess|ye",
      no: "no|no thanks|no thank you|nope|nah|not really|not at all|no way|never|n|wrong|false|i dont|i do not|no i dont|no i do not|none of them|none|neither|incorrect|not now|rather not|no thank you very much|thanks but no|thanks but no thanks|no im good|im good|im good thanks|no im fine|im fine|im fine thanks|no its fine|no its ok|no not now|not now thanks|maybe later|not today|not yet|no need|thats not right|that is not right|no it is not|no it isnt|no that is wrong|no thats wrong|i would not|i wouldnt|id rather not|i do not agree|i dont agree|i disagree|i dont want to|i dont want that|no i dont want to|please dont|absolutely not|definitely not|certainly not|of course not|nothing|nothing else|thats all|no thats all|no that is all",
      cancel:
        "cancel|stop|quit|exit|abort|leave|end|forget it|never mind|nevermind|stop it|cancel it|cancel this|i want to cancel|i want to stop|go back|get me out|cancel please|please cancel|stop please|please stop|i changed my mind|ive changed my mind|changed my mind|get out|let me out|exit please",
    },
  ],
  [
    "fr",
    {
      yes: "oui|oui merci|oui s'il vous plaît|oui s'il te plaît|ouais|ouai|oui bien sûr|bien sûr|d'accord|ok|certainement|exactement|exact|c'est ça|c'est bien ça|tout à fait|volontiers|avec plaisir|absolument|vas-y|allez-y|je veux bien|pourquoi pas|oui je veux bien|oui volontiers|oui avec plaisir|oui d'accord|oui tout à fait|oui s'il vous plait merci|s'il vous plaît|svp|oui svp|stp|oui stp|ça me va|cela me convient|ça me convient|oui ça me va|je suis d'accord|pas de problème|pas de souci|entendu|parfait|très bien|bien entendu|évidemment|j'accepte|je veux|oui je veux|je le souhaite|oui je souhaite|correct|c'est correct|c'est exact|si|carrément|ok merci",
      no: "non|non merci|nan|pas du tout|pas vraiment|jamais|aucun|aucune|aucun d'eux|surtout pas|certainement pas|non pas ça|ce n'est pas ça|c'est pas ça|pas maintenant|non c'est bon|c'est bon merci|non ça ira|ça ira|ça ira merci|non pas maintenant|plus tard|peut-être plus tard|pas pour l'instant|pas pour le moment|je ne veux pas|je refuse|je ne suis pas d'accord|pas d'accord|non je ne veux pas|rien|rien d'autre|c'est tout|non c'est tout|pas besoin|non pas du tout|bien sûr que non|c'est faux|faux|incorrect|sans façon",
      cancel:
        "annuler|annule|annulez|stop|arrêter|arrête|arrêtez|quitter|abandonner|laisse tomber|laissez tomber|oublie|oubliez|je veux arrêter|je veux annuler|sortir|tant pis|annuler s'il vous plaît|j'ai changé d'avis|je veux quitter|je veux sortir|laisse|laissez|non annuler",
    },
  ],
  [
    "es",
    {
      yes: "sí|sí por favor|sí gracias|claro|claro que sí|por supuesto|vale|de acuerdo|ok|exacto|exactamente|correcto|eso es|desde luego|cierto|así es|sip|dale|adelante|bueno|como no|claro sí|sí claro|sí quiero|sí porfa|porfa|por favor|sí por supuesto|sí de acuerdo|está bien|me parece bien|perfecto|me gustaría|sí me gustaría|estoy de acuerdo|acepto|sí acepto|okey|va|órale|bien|muy bien|encantado|encantada|con gusto|quiero|venga|sin problema|ningún problema|obvio|seguro|sí es correcto|es correcto|ok gracias",
      no: "no|no gracias|para nada|en absoluto|nunca|no quiero|nop|ninguno|ninguna|ninguno de ellos|claro que no|incorrecto|ahora no|qué va|de ninguna manera|no hace falta|no es necesario|no por ahora|por ahora no|no de momento|de momento no|todavía no|más tarde|luego|quizás luego|tal vez luego|mejor no|no estoy de acuerdo|no acepto|no me gustaría|no muchas gracias|gracias pero no|nada|nada más|no nada más|eso es todo|no eso es todo|no es correcto|no es así|está mal|negativo|no así está bien",
      cancel:
        "cancelar|cancela|cancele|parar|para|pare|salir|anular|déjalo|déjelo|olvídalo|olvídelo|abandonar|quiero cancelar|quiero salir|terminar|dejarlo|cancelar por favor|cambié de opinión|he cambiado de opinión|mejor lo dejo|déjalo así|no quiero seguir|no quiero continuar|salirme",
    },
  ],
  [
    "de",
    {
      yes: "ja|ja bitte|ja danke|ja gerne|gerne|jawohl|jep|jo|klar|na klar|natürlich|sicher|selbstverständlich|ok|okay|in Ordnung|einverstanden|genau|richtig|stimmt|das stimmt|auf jeden Fall|passt|unbedingt|ja sicher|ja klar|ja natürlich|ja okay|ja ok|ja gern|gern|sehr gerne|sehr gern|bitte|ja bitte gerne|ja das passt|das passt|passt so|das ist okay|das ist in Ordnung|ist okay|ist in Ordnung|ja ist in Ordnung|ja das ist in Ordnung|mir recht|ja mir ist das recht|ich stimme zu|ich bin einverstanden|ja einverstanden|möchte ich|ja möchte ich|ja ich möchte|ja ich will|will ich|perfekt|super|gut|alles klar|kein Problem|jup|joa|jap|warum nicht|korrekt|ja genau|ja stimmt|ja richtig|logo|freilich|absolut|ok danke",
      no: "nein|nein danke|nö|nee|ne|auf keinen Fall|gar nicht|überhaupt nicht|nicht wirklich|niemals|keine|keines|keins|keine davon|falsch|stimmt nicht|lieber nicht|jetzt nicht|nein vielen Dank|nein lieber nicht|nein nicht jetzt|gerade nicht|später|vielleicht später|im Moment nicht|heute nicht|noch nicht|nicht nötig|nein nicht nötig|möchte ich nicht|ich möchte nicht|ich will nicht|nein ich möchte nicht|ich stimme nicht zu|nicht einverstanden|ich bin nicht einverstanden|danke nein|danke nicht nötig|bitte nicht|nichts|nichts weiter|das war alles|nein das war alles|nein das wars|das wars|nein das ist falsch|das ist falsch|das stimmt nicht|nicht richtig|natürlich nicht|nein natürlich nicht|ned|nicht",
      cancel:
        "abbrechen|abbruch|stopp|stop|aufhören|beenden|verlassen|vergiss es|vergessen Sie es|egal|lass es|lassen wir das|ich möchte abbrechen|ich will abbrechen|zurück|bitte abbrechen|abbrechen bitte|ich habe es mir anders überlegt|ich möchte aufhören|ich will aufhören|raus|brich ab|brechen Sie ab",
    },
  ],
  [
    "it",
    {
      yes: "sì|sì grazie|sì per favore|certo|certamente|certo che sì|va bene|d'accordo|ok|esatto|esattamente|giusto|corretto|volentieri|assolutamente sì|ovvio|come no|proprio così|sì certo|sì certamente|sì va bene|sì volentieri|sì d'accordo|sì esatto|per favore|sì vorrei|vorrei|sì voglio|voglio|mi va bene|per me va bene|sono d'accordo|accetto|perfetto|ottimo|okay|con piacere|nessun problema|ovviamente|naturalmente|sicuro|sicuramente|perché no|assolutamente|ok grazie|sì corretto|è corretto",
      no: "no|no grazie|per niente|per nulla|affatto|mai|nessuno|nessuna|nessuno di questi|non direi|assolutamente no|sbagliato|non adesso|certo che no|no va bene così|va bene così|no grazie mille|no non voglio|non voglio|non ora|più tardi|magari dopo|magari più tardi|per ora no|non serve|no non serve|non è necessario|non sono d'accordo|non accetto|preferisco di no|meglio di no|niente|nient'altro|no nient'altro|è tutto|no è tutto|non è corretto|non è giusto|è sbagliato|per niente no|grazie ma no|ma no",
      cancel:
        "annulla|annullare|stop|ferma|fermati|esci|uscire|basta|lascia stare|lasci stare|lascia perdere|lasci perdere|voglio annullare|voglio uscire|interrompi|abbandona|annulla per favore|ho cambiato idea|voglio smettere|voglio interrompere|non voglio continuare|esci per favore",
    },
  ],
  [
    "pt",
    {
      yes: "sim|sim por favor|sim obrigado|sim obrigada|claro|claro que sim|com certeza|certo|está bem|tá bom|ok|exato|exatamente|isso|isso mesmo|correto|pode ser|quero|de acordo|sim claro|sim quero|sim pode ser|pode|pode sim|por favor|sim gostaria|gostaria|gostaria sim|quero sim|concordo|sim concordo|aceito|sim aceito|tudo bem|tudo bem sim|beleza|blz|perfeito|ótimo|ok obrigado|ok obrigada|está certo|está correto|isso aí|com prazer|sem problema|sem problemas|positivo|uhum|aham|s|ss|bora|por que não|porque não|lógico|óbvio|obviamente|certamente|claro sim|fixe",
      no: "não|não obrigado|não obrigada|nada disso|de jeito nenhum|de modo nenhum|nunca|nenhum|nenhuma|nenhum deles|claro que não|errado|agora não|não quero|não por agora|por agora não|por enquanto não|não neste momento|de momento não|mais tarde|talvez depois|talvez mais tarde|depois|não precisa|não é preciso|não é necessário|não concordo|não aceito|não gostaria|não muito obrigado|não muito obrigada|nada|nada mais|mais nada|não mais nada|é só isso|não é só isso|só isso|está errado|não está certo|não é isso|negativo|prefiro não|melhor não|dispenso|nn",
      cancel:
        "cancelar|cancela|cancele|parar|pare|pára|sair|desistir|desisto|esquece|esqueça|deixa pra lá|deixe estar|quero cancelar|quero sair|anular|terminar|cancelar por favor|mudei de ideia|quero parar|quero desistir|não quero continuar|deixa|deixa para lá|deixe para lá",
    },
  ],
  [
    "ca",
    {
      yes: "sí|sí si us plau|sí gràcies|és clar|esclar|és clar que sí|i tant|d'acord|ok|exacte|exactament|correcte|per descomptat|naturalment|això mateix|endavant|val|sí vull|vull|sí és clar|sí d'acord|sí esclar|sí exacte|si us plau|sisplau|sí sisplau|m'agradaria|sí m'agradaria|hi estic d'acord|sí hi estic d'acord|estic d'acord|accepto|sí accepto|em sembla bé|em va bé|està bé|sí està bé|perfecte|molt bé|bé|i tant que sí|cap problema|sense problema|per què no|amb molt de gust|vinga|som-hi|evidentment|segur|és correcte|ok gràcies",
      no: "no|no gràcies|gens|en absolut|mai|cap|cap d'ells|és clar que no|de cap manera|incorrecte|ara no|no vull|no cal|no cal gràcies|no és necessari|no fa falta|de moment no|per ara no|encara no|més tard|potser més tard|avui no|millor no|no hi estic d'acord|no estic d'acord|no accepto|no no vull|no m'agradaria|res|res més|no res més|això és tot|no això és tot|no és correcte|no és això|està malament|gràcies però no|que no|prefereixo que no",
      cancel:
        "cancel·la|cancel·lar|cancela|atura|aturar|para|surt|sortir|deixa-ho|deixeu-ho|oblida-ho|vull cancel·lar|vull sortir|anul·la|abandona|abandonar|cancel·la si us plau|he canviat d'opinió|no vull continuar|ho deixo",
    },
  ],
  [
    "gl",
    {
      yes: "si|si por favor|si grazas|claro|claro que si|por suposto|de acordo|vale|ok|exacto|correcto|iso é|iso mesmo|certo|dende logo|adiante|si quero|quero|si claro|si de acordo|por favor|gustaríame|si gustaríame|estou de acordo|si estou de acordo|acepto|si acepto|paréceme ben|está ben|si está ben|perfecto|moi ben|ben|sen problema|ningún problema|non hai problema|por que non|con gusto|con moito gusto|veña|evidentemente|seguro|é correcto|si é correcto|ok grazas|éche así",
      no: "non|non grazas|para nada|en absoluto|nunca|ningún|ningunha|ningún deles|claro que non|incorrecto|agora non|non quero|non fai falta|non é necesario|de momento non|por agora non|aínda non|máis tarde|quizais máis tarde|hoxe non|mellor non|non estou de acordo|non acepto|non non quero|nada|nada máis|non nada máis|iso é todo|non iso é todo|non é correcto|non é iso|está mal|grazas pero non|moitas grazas pero non|prefiro que non|non moitas grazas",
      cancel:
        "cancelar|cancela|cancele|parar|para|saír|sae|déixao|déixeo|esquéceo|quero cancelar|quero saír|anular|abandonar|cancelar por favor|cambiei de opinión|non quero continuar|non quero seguir|déixoo",
    },
  ],
  [
    "eu",
    {
      yes: "bai|bai mesedez|bai eskerrik asko|bai noski|noski|noski baietz|jakina|ados|ongi|ondo|ok|zehazki|hori da|horixe|zuzena|egia|bai horixe|aurrera|bai nahi dut|nahi dut|bai nahiko nuke|nahiko nuke|bai ados|bai jakina|mesedez|ados nago|bai ados nago|onartzen dut|bai onartzen dut|ondo dago|bai ondo dago|ederki|oso ondo|primeran|arazorik ez|zergatik ez|gustura|pozik|bai bai|zalantzarik gabe|dudarik gabe|ziur|bai zuzena da|zuzena da|ok eskerrik asko|bai bai noski",
      no: "ez|ez eskerrik asko|ezta inola ere|inola ere ez|inoiz ez|bat ere ez|noski ezetz|gaizki|orain ez|ez dut nahi|ezta|ez da behar|ez da beharrezkoa|ez dago beharrik|ez mila esker|oraingoz ez|momentuz ez|oraindik ez|geroago|agian geroago|beharbada geroago|gaur ez|hobe ez|ez nago ados|ez dut onartzen|ez nuke nahi|ezer ez|ezer gehiago ez|besterik ez|hori da dena|ez hori da dena|ez da zuzena|ez da hori|ez ez|jakina ezetz|ezta pentsatu ere|nahiago ez",
      cancel:
        "utzi|bertan behera utzi|gelditu|irten|amaitu|ezeztatu|ahaztu|utzi bakean|utzi nahi dut|irten nahi dut|utzi egin nahi dut|utzi mesedez|iritziz aldatu dut|ez dut jarraitu nahi",
    },
  ],
  [
    "ro",
    {
      yes: "da|da te rog|da vă rog|da mulțumesc|sigur|desigur|bineînțeles|firește|de acord|bine|ok|exact|corect|așa e|așa este|categoric|chiar așa|cum să nu|da vreau|vreau|da aș vrea|aș vrea|da doresc|doresc|da aș dori|da sigur|da desigur|da bineînțeles|da sunt de acord|sunt de acord|accept|da accept|vă rog|te rog|e în regulă|este în regulă|da este în regulă|da e în regulă|în regulă|nicio problemă|nu e nicio problemă|perfect|super|de ce nu|cu plăcere|cu drag|ok mulțumesc|da corect|este corect|e corect|da da|normal|evident|clar|dap",
      no: "nu|nu mulțumesc|deloc|nicidecum|niciodată|niciunul|niciuna|niciunul dintre ele|bineînțeles că nu|greșit|nu acum|nu vreau|nu chiar|nu e nevoie|nu este nevoie|nu este necesar|nu trebuie|nu mersi|mersi nu|mulțumesc nu|mai târziu|poate mai târziu|încă nu|nu azi|nu doresc|nu nu vreau|nu aș vrea|nu sunt de acord|nu accept|refuz|nimic|nimic altceva|atât|asta e tot|nu asta e tot|nu e corect|nu este corect|sigur că nu|mai bine nu|prefer să nu|ba nu|nup",
      cancel:
        "anulează|anulați|anulare|stop|oprește|opriți|ieșire|ieși|renunț|renunță|las-o|lasă|lăsați|uită|vreau să anulez|vreau să ies|abandonez|anulați vă rog|anulează te rog|m-am răzgândit|nu vreau să continui|vreau să mă opresc",
    },
  ],
  [
    "nl",
    {
      yes: "ja|ja graag|ja alsjeblieft|ja dank je|jawel|jazeker|zeker|natuurlijk|uiteraard|oké|ok|prima|goed|akkoord|klopt|dat klopt|precies|inderdaad|juist|graag|jep|doe maar|ja hoor|ja natuurlijk|ja prima|ja is goed|is goed|dat is goed|ja dat is goed|dat is prima|ja zeker|ja oké|ja ok|oké prima|vind ik goed|ja vind ik goed|ja dat vind ik goed|mag|dat mag|ja dat mag|ga je gang|ik ga akkoord|ja ik ga akkoord|mee eens|ja alstublieft|alsjeblieft|alstublieft|ja dank u|ja dat wil ik|ja ik wil|wil ik|ja wil ik|geen probleem|absoluut|perfect|waarom niet|ja klopt|ja dat klopt|yes|tuurlijk|ja tuurlijk|ok bedankt",
      no: "nee|nee bedankt|nee dank je|neen|helemaal niet|zeker niet|nooit|geen|geen van alle|geen enkele|niet echt|fout|klopt niet|liever niet|nu niet|nee hoor|nee dank u|nee dank je wel|nee hoeft niet|hoeft niet|niet nodig|nee niet nodig|nee liever niet|nee nu niet|later|misschien later|nog niet|dat wil ik niet|ik wil niet|wil ik niet|nee ik wil niet|niet akkoord|ik ga niet akkoord|vind ik niet goed|nee dat vind ik niet goed|niet goed|niets|niks|verder niets|nee dat was het|dat was het|dat was alles|nee dat was alles|nee dat klopt niet|dat klopt niet|dat is fout|absoluut niet|natuurlijk niet|nee bedankt hoor|mag niet",
      cancel:
        "annuleren|annuleer|stop|stoppen|afbreken|verlaten|laat maar|vergeet het|vergeet het maar|ik wil stoppen|ik wil annuleren|ophouden|einde|terug|annuleer maar|stop maar|ik heb me bedacht|ik ben van gedachten veranderd|ik wil niet verder",
    },
  ],
  [
    "da",
    {
      yes: "ja|ja tak|jo|jep|selvfølgelig|naturligvis|klart|okay|ok|helt sikkert|præcis|korrekt|det er rigtigt|rigtigt|meget gerne|gerne|bestemt|det stemmer|ja gerne|ja meget gerne|ja selvfølgelig|ja okay|ja ok|det er fint|ja det er fint|fint|det er i orden|ja det er i orden|i orden|ja det er okay|det er okay|jeg accepterer|enig|jeg er enig|ja det vil jeg|ja det vil jeg gerne|det vil jeg gerne|jeg vil gerne|ja jeg vil gerne|absolut|perfekt|super|jada|ja da|ja det stemmer|hvorfor ikke|japs|sagtens|klart nok",
      no: "nej|nej tak|niks|slet ikke|overhovedet ikke|aldrig|ingen|ingen af dem|bestemt ikke|forkert|ikke rigtigt|ikke nu|helst ikke|nej ellers tak|ellers tak|nej det er fint|nej ikke nu|senere|måske senere|ikke endnu|det behøves ikke|ikke nødvendigt|det vil jeg ikke|jeg vil ikke|nej det vil jeg ikke|det er ikke i orden|ikke enig|intet|intet andet|ikke andet|nej det var alt|det var alt|det er forkert|nej det er forkert|det stemmer ikke|selvfølgelig ikke|næ|næh",
      cancel:
        "annuller|annullér|stop|afbryd|afslut|forlad|glem det|lad det være|lad være|jeg vil stoppe|jeg vil annullere|fortryd|ud|lige meget|annuller tak|jeg har skiftet mening|jeg har fortrudt|stop nu",
    },
  ],
  [
    "sv",
    {
      yes: "ja|ja tack|jo|japp|jajamän|självklart|naturligtvis|visst|javisst|okej|ok|absolut|precis|korrekt|det stämmer|stämmer|rätt|gärna|javisst gärna|ja gärna|ja absolut|ja visst|ja okej|ja ok|det är okej|det är ok|ja det är okej|ja det är ok|det går bra|ja det går bra|det är bra|ja det är bra|bra|jag godkänner|jag samtycker|jag håller med|ja det vill jag|det vill jag|jag vill|ja jag vill|ja det stämmer|perfekt|toppen|jadå|ja då|varför inte|jepp|jajjemen|inga problem|såklart|ja såklart|givetvis",
      no: "nej|nej tack|nä|näe|inte alls|absolut inte|aldrig|ingen|inget|ingen av dem|fel|stämmer inte|inte direkt|inte nu|helst inte|nej det är bra|det är bra tack|nej det behövs inte|det behövs inte|behövs inte|nej inte nu|senare|kanske senare|inte än|det vill jag inte|jag vill inte|nej det vill jag inte|jag samtycker inte|det är inte okej|inget annat|inget mer|nej det var allt|det var allt|det är fel|det stämmer inte|nej det stämmer inte|självklart inte|såklart inte|nepp",
      cancel:
        "avbryt|avbryta|stopp|stoppa|sluta|avsluta|lämna|glöm det|strunt samma|strunta i det|jag vill avbryta|jag vill sluta|ångra|ut|avbryt tack|jag har ångrat mig|jag ångrade mig|jag vill inte fortsätta",
    },
  ],
  [
    "no",
    {
      yes: "ja|ja takk|jo|jepp|selvfølgelig|naturligvis|klart|okei|ok|greit|absolutt|presis|riktig|det stemmer|stemmer|gjerne|ja gjerne|helt sikkert|nettopp|ja gjerne det|ja absolutt|ja selvfølgelig|ja okei|ja ok|det er greit|ja det er greit|det er ok|det er fint|ja det er fint|fint|jeg godtar|jeg samtykker|enig|ja det vil jeg|det vil jeg|det vil jeg gjerne|ja det vil jeg gjerne|ja det stemmer|perfekt|supert|jada|ja da|hvorfor ikke|greit for meg|den er grei|javisst|ja visst|ikke noe problem",
      no: "nei|nei takk|niks|ikke i det hele tatt|absolutt ikke|aldri|ingen|ingen av dem|feil|stemmer ikke|egentlig ikke|ikke nå|helst ikke|nei det er bra|nei det går bra|det trengs ikke|trengs ikke|ikke nødvendig|nei ikke nå|senere|kanskje senere|ikke ennå|det vil jeg ikke|jeg vil ikke|nei det vil jeg ikke|jeg samtykker ikke|det er ikke greit|ingenting|ikke noe mer|nei det var alt|det var alt|det er feil|det stemmer ikke|nei det stemmer ikke|selvfølgelig ikke|ellers takk|nei ellers takk|niks nei|nope",
      cancel:
        "avbryt|avbryte|stopp|stoppe|slutt|avslutt|forlat|glem det|drit i det|samme det|jeg vil avbryte|jeg vil slutte|angre|ut|avbryt takk|jeg har ombestemt meg|jeg ombestemte meg|jeg vil ikke fortsette",
    },
  ],
  [
    "fi",
    {
      yes: "kyllä|kyllä kiitos|joo|juu|jep|totta kai|tietysti|tietenkin|toki|selvä|ok|okei|juuri niin|aivo|aivan|oikein|pitää paikkansa|mielellään|ehdottomasti|niin|kyllä haluan|haluan|kyllä haluaisin|haluaisin|kyllä sopii|sopii|sopii hyvin|se sopii|kyllä se sopii|sopii minulle|hyväksyn|kyllä hyväksyn|suostun|olen samaa mieltä|joo kiitos|kyllä mielellään|joo mielellään|hyvä|hyvä on|totta|kyllä pitää paikkansa|ei haittaa|mikä ettei|miksipä ei|miksi ei|juu kiitos|jees|joo ok|täydellistä|loistavaa|ilman muuta|okei kiitos|ok kiitos|tottakai|no joo",
      no: "ei|ei kiitos|eipä|ei todellakaan|ei lainkaan|ei ollenkaan|ei koskaan|ei mikään|ei mikään niistä|ei yksikään|väärin|ei oikeastaan|en halua|ei nyt|en|ei tarvitse|ei tarvita|ei tarvi|ei kiitos ei tarvitse|ehkä myöhemmin|myöhemmin|ei vielä|ei tänään|ei juuri nyt|ei sovi|se ei sovi|en hyväksy|en suostu|en haluaisi|ei en halua|ei mitään|ei muuta|ei mitään muuta|siinä kaikki|ei siinä kaikki|se oli siinä|ei pidä paikkaansa|se on väärin|ei tietenkään|mieluummin ei|mieluummin en|eiku|no ei",
      cancel:
        "peruuta|peru|lopeta|pysäytä|keskeytä|poistu|unohda|anna olla|antaa olla|haluan peruuttaa|haluan lopettaa|seis|stop|peruuta kiitos|muutin mieleni|en halua jatkaa|lopetetaan",
    },
  ],
  [
    "hu",
    {
      yes: "igen|igen kérem|igen köszönöm|persze|hogyne|természetesen|rendben|oké|ok|pontosan|helyes|így van|ez az|mindenképpen|jó|jól van|naná|szívesen|aha|igen szeretném|szeretném|igen akarom|igen persze|igen természetesen|igen rendben|igen jó|igen elfogadom|elfogadom|beleegyezem|igen beleegyezem|hozzájárulok|igen hozzájárulok|egyetértek|kérem|kérek|igen kérek|jöhet|mehet|igen mehet|nem bánom|nincs kifogásom|nem probléma|semmi gond|miért ne|miért is ne|tökéletes|szuper|remek|okés|oké köszönöm|jó lesz|ja|aham|igen így van|igaz|persze hogy igen|feltétlenül|perszee",
      no: "nem|nem köszönöm|egyáltalán nem|dehogy|dehogyis|soha|egyik sem|semmiképpen|nem igazán|helytelen|rossz|most nem|nem akarom|inkább nem|nem kell|nem kérek|nem kérem|nem szükséges|nem kell köszönöm|köszönöm nem|nem most|később|talán később|majd később|még nem|ma nem|nem szeretném|nem fogadom el|nem egyezem bele|nem járulok hozzá|nem értek egyet|semmi|semmi más|más nem|ennyi|nem ennyi|ez minden|nem ez minden|nem helyes|nem igaz|ez nem igaz|persze hogy nem|természetesen nem|biztosan nem|jobb ha nem|nem nem",
      cancel:
        "mégse|mégsem|megszakítás|megszakít|állj|stop|kilépés|kilépek|abbahagyom|hagyjuk|felejtsd el|felejtse el|meg akarom szakítani|ki akarok lépni|törlés|vége|kérem szakítsa meg|meggondoltam magam|nem akarom folytatni|nem szeretném folytatni",
    },
  ],
  [
    "pl",
    {
      yes: "tak|tak proszę|tak dziękuję|oczywiście|jasne|pewnie|no pewnie|zgoda|dobrze|ok|okej|dokładnie|zgadza się|właśnie|na pewno|poproszę|chętnie|tak jest|owszem|no tak|tak poprosiłbym|tak chcę|chcę|tak chętnie|tak oczywiście|tak zgadzam się|zgadzam się|wyrażam zgodę|proszę|bardzo proszę|tak bardzo proszę|może być|niech będzie|w porządku|spoko|super|świetnie|doskonale|nie ma sprawy|nie ma problemu|czemu nie|dlaczego nie|ta|yhm|mhm|no dobrze|prawda|to prawda|tak zgadza się|dobra|naturalnie|z przyjemnością",
      no: "nie|nie dziękuję|wcale nie|absolutnie nie|nigdy|żaden|żadna|żadne|żadne z nich|nie bardzo|źle|nie zgadza się|raczej nie|nie teraz|nie chcę|nie trzeba|nie potrzeba|nie nie trzeba|nie jest to konieczne|może później|później|jeszcze nie|nie dzisiaj|nie zgadzam się|nie wyrażam zgody|nie nie chcę|dziękuję nie|nic|nic więcej|to wszystko|nie to wszystko|nieprawda|to nieprawda|niepoprawnie|oczywiście że nie|na pewno nie|lepiej nie|niekoniecznie",
      cancel:
        "anuluj|anulować|stop|przerwij|przerwać|wyjdź|wyjście|zakończ|rezygnuję|zapomnij|nieważne|chcę anulować|chcę przerwać|chcę wyjść|koniec|daj spokój|proszę anulować|rozmyśliłem się|rozmyśliłam się|zmieniłem zdanie|zmieniłam zdanie|nie chcę kontynuować|wychodzę",
    },
  ],
  [
    "cs",
    {
      yes: "ano|ano prosím|ano děkuji|jo|jasně|určitě|samozřejmě|dobře|ok|okej|přesně|přesně tak|souhlasím|správně|to je ono|tak|rozhodně|rád|ráda|no jasně|ano chci|chci|ano rád|ano ráda|ano samozřejmě|ano jistě|jistě|ano souhlasím|prosím|ano díky|v pořádku|to je v pořádku|ano v pořádku|budu rád|budu ráda|proč ne|klidně|ano klidně|ok díky|skvělé|super|jj|joo|no jo|no ano|pravda|bez problému|ano to je správně|to je správně|to sedí|ano sedí",
      no: "ne|ne děkuji|ne díky|vůbec ne|rozhodně ne|nikdy|žádný|žádná|žádné|žádný z nich|ani ne|špatně|nesouhlasí|teď ne|nechci|radši ne|ne nechci|není třeba|není potřeba|ne není třeba|možná později|později|ještě ne|dnes ne|teď zrovna ne|nesouhlasím|ne nesouhlasím|ne děkuju|děkuji ne|nic|nic dalšího|už nic|to je vše|ne to je vše|to není správně|to není pravda|samozřejmě že ne|určitě ne|raději ne|nn",
      cancel:
        "zrušit|zruš|zrušte|stop|přestaň|přestaňte|konec|ukončit|odejít|zapomeň na to|zapomeňte na to|nech toho|nechte toho|nechci pokračovat|chci to zrušit|chci skončit|to je jedno|prosím zrušit|rozmyslel jsem si to|rozmyslela jsem si to|už nechci pokračovat|odejdu",
    },
  ],
  [
    "ru",
    {
      yes: "да|да пожалуйста|да спасибо|ага|конечно|разумеется|хорошо|ладно|ок|окей|именно|точно|верно|правильно|так точно|безусловно|согласен|согласна|давайте|давай|угу|ну да|да конечно|да хочу|хочу|да хорошо|да давайте|да давай|да согласен|да согласна|я согласен|я согласна|не возражаю|не против|я не против|пожалуйста|было бы хорошо|да было бы хорошо|хотелось бы|да хотелось бы|с удовольствием|почему бы и нет|без проблем|отлично|прекрасно|подходит|меня устраивает|да верно|да правильно|все верно|да все верно|так|ок спасибо|естественно|само собой|можно|да можно",
      no: "нет|нет спасибо|не|неа|совсем нет|вовсе нет|никогда|ни один|ни одна|ни одно|ничего из этого|не совсем|неверно|неправильно|конечно нет|не сейчас|не хочу|нет не нужно|не нужно|нет не надо|пока нет|нет пока|потом|позже|может быть позже|может позже|не сегодня|еще нет|я не согласен|я не согласна|не согласен|не согласна|нет не хочу|я не хочу|я против|против|ничего|больше ничего|нет это все|это все|нет спасибо не надо|не стоит|неправда|это не так|не так|не подходит|ни в коем случае|нет конечно|лучше не надо|нет нет",
      cancel:
        "отмена|отменить|отмени|отмените|стоп|хватит|выйти|выход|прекратить|прекрати|забудь|забудьте|неважно|не надо|хочу отменить|хочу выйти|прервать|закончить|отмените пожалуйста|отмена пожалуйста|я передумал|я передумала|передумал|передумала|не хочу продолжать|остановись|остановите|прекратите",
    },
  ],
  [
    "uk",
    {
      yes: "так|так будь ласка|так дякую|ага|звичайно|звісно|авжеж|добре|гаразд|ок|окей|саме так|точно|правильно|вірно|безперечно|згоден|згодна|давайте|давай|угу|еге ж|так звичайно|так звісно|так хочу|хочу|так добре|так давайте|так згоден|так згодна|я згоден|я згодна|не проти|я не проти|будь ласка|було б добре|хотілося б|так хотілося б|із задоволенням|з задоволенням|чому б ні|чому б і ні|без проблем|чудово|підходить|мене влаштовує|так правильно|все правильно|все вірно|можна|так можна|ок дякую|авжеж так|та так",
      no: "ні|ні дякую|нє|зовсім ні|аж ніяк|ніколи|жоден|жодна|жодне|жоден з них|не зовсім|неправильно|невірно|звичайно ні|не зараз|не хочу|ні не потрібно|не потрібно|ні не треба|поки ні|поки що ні|потім|пізніше|можливо пізніше|може пізніше|не сьогодні|ще ні|я не згоден|я не згодна|не згоден|не згодна|ні не хочу|я не хочу|я проти|проти|нічого|більше нічого|ні це все|це все|не варто|неправда|це не так|не так|не підходить|у жодному разі|звісно ні|краще не треба|ні ні",
      cancel:
        "скасувати|скасуй|скасуйте|відміна|відмінити|стоп|досить|вийти|вихід|припинити|припини|забудь|забудьте|неважливо|не треба|хочу скасувати|хочу вийти|перервати|закінчити|скасуйте будь ласка|я передумав|я передумала|передумав|передумала|не хочу продовжувати|зупинись|зупиніть|припиніть",
    },
  ],
  [
    "el",
    {
      yes: "ναι|ναι παρακαλώ|ναι ευχαριστώ|βέβαια|βεβαίως|φυσικά|ασφαλώς|εντάξει|ok|οκ|ακριβώς|σωστά|σωστό|σύμφωνοι|σίγουρα|οπωσδήποτε|μάλιστα|έτσι είναι|γιατί όχι|ναι θέλω|θέλω|ναι θα ήθελα|θα ήθελα|ναι φυσικά|ναι βέβαια|ναι εντάξει|ναι συμφωνώ|συμφωνώ|δέχομαι|ναι δέχομαι|παρακαλώ|κανένα πρόβλημα|δεν έχω πρόβλημα|τέλεια|ωραία|καλά|ευχαρίστως|βεβαίως ναι|ναι σωστά|ναι σωστό|γιατί όχι βέβαια|οκ ευχαριστώ|αμέ|ναι ναι|είναι εντάξει|ναι είναι εντάξει|μια χαρά|αν γίνεται ναι",
      no: "όχι|όχι ευχαριστώ|καθόλου|ποτέ|κανένα|κανένας|καμία|κανένα από αυτά|φυσικά όχι|λάθος|όχι ακριβώς|όχι τώρα|δεν θέλω|με τίποτα|όχι δεν θέλω|δε θέλω|δεν χρειάζεται|όχι δεν χρειάζεται|δε χρειάζεται|αργότερα|ίσως αργότερα|όχι ακόμα|όχι σήμερα|προς το παρόν όχι|δεν συμφωνώ|διαφωνώ|δεν δέχομαι|όχι δεν συμφωνώ|τίποτα|τίποτα άλλο|όχι τίποτα άλλο|αυτό είναι όλο|αυτά|όχι αυτά|δεν είναι σωστό|δεν ισχύει|καλύτερα όχι|σίγουρα όχι|όχι βέβαια|ευχαριστώ όχι|μπα|οχι ευχ",
      cancel:
        "ακύρωση|ακύρωσε|ακυρώστε|στοπ|σταμάτα|σταματήστε|έξοδος|άσ' το|ασ το|αφήστε το|ξέχασέ το|ξεχάστε το|θέλω να ακυρώσω|θέλω να σταματήσω|τέλος|δεν πειράζει|ακύρωση παρακαλώ|άλλαξα γνώμη|δεν θέλω να συνεχίσω|θέλω να φύγω",
    },
  ],
  [
    "tr",
    {
      yes: "evet|evet lütfen|evet teşekkürler|tabii|tabii ki|tabi|elbette|tamam|olur|peki|ok|kesinlikle|aynen|doğru|doğrudur|öyle|memnuniyetle|isterim|he|evet tabii|evet tabii ki|evet olur|evet istiyorum|istiyorum|evet isterim|isterim tabii|evet kabul ediyorum|kabul ediyorum|kabul|onaylıyorum|evet onaylıyorum|lütfen|evet uygun|uygun|uygundur|bana uyar|sorun yok|sorun değil|neden olmasın|süper|harika|mükemmel|tabii olur|olur lütfen|tamam olur|tamamdır|tamam teşekkürler|evt|he he|evet doğru|çok iyi olur|iyi olur",
      no: "hayır|hayır teşekkürler|yok|hiç|hiç de değil|asla|hiçbiri|hiç biri|kesinlikle hayır|pek değil|yanlış|doğru değil|olmaz|şimdi değil|istemiyorum|hayır istemiyorum|hayır gerek yok|gerek yok|lüzum yok|hayır kalsın|kalsın|şimdilik hayır|şimdilik değil|hayır şimdi değil|sonra|daha sonra|belki sonra|belki daha sonra|henüz değil|kabul etmiyorum|hayır kabul etmiyorum|onaylamıyorum|uygun değil|hayır uygun değil|başka bir şey yok|hepsi bu|hayır hepsi bu|hiçbir şey|tabii ki hayır|yok teşekkürler|yok sağ ol|yok sağol|hayır sağ olun|istemem|olmasın|yoo",
      cancel:
        "iptal|iptal et|iptal edin|vazgeç|vazgeçtim|dur|durdur|çık|çıkış|bırak|boş ver|boşver|unut|unut gitsin|iptal etmek istiyorum|çıkmak istiyorum|bitir|iptal lütfen|lütfen iptal et|lütfen iptal edin|fikrimi değiştirdim|devam etmek istemiyorum|çıkayım",
    },
  ],
  [
    "ar",
    {
      yes: "نعم|نعم من فضلك|نعم شكرا|أجل|أكيد|بالتأكيد|طبعا|بالطبع|حسنا|موافق|تمام|صحيح|هذا صحيح|بالضبط|ايوه|أيوة|إي|ماشي|اوكي|تفضل|نعم بالتأكيد|نعم أكيد|نعم طبعا|نعم بالطبع|نعم أريد|أريد|أريد ذلك|نعم موافق|نعم موافقة|موافقة|أوافق|نعم أوافق|أنا موافق|أنا موافقة|لا مانع|لا مانع لدي|من فضلك|لو سمحت|نعم لو سمحت|نعم رجاء|حسنا شكرا|ممتاز|لا مشكلة|ما في مشكلة|مافي مشكلة|لم لا|ليش لا|تمام شكرا|اه|أيوا|نعم صحيح|يناسبني|بكل سرور|يا ريت|ياريت",
      no: "لا|لا شكرا|كلا|أبدا|إطلاقا|مطلقا|لا شيء|لا شيء منها|ليس حقا|ليس تماما|خطأ|غير صحيح|طبعا لا|ليس الآن|لا أريد|لا شكرا لك|شكرا لا|لا لا أريد|لا داعي|لا داعي شكرا|لا أحتاج|ليس ضروريا|لاحقا|ربما لاحقا|فيما بعد|ليس بعد|ليس اليوم|لا أوافق|غير موافق|لا أنا غير موافق|أرفض|لا شيء آخر|هذا كل شيء|لا هذا كل شيء|هذا خطأ|هذا غير صحيح|ليس صحيحا|بالطبع لا|أكيد لا|مش عايز|ما أبغى|مو الحين|مش دلوقتي",
      cancel:
        "إلغاء|ألغ|الغاء|ألغي|توقف|قف|كفى|خروج|اخرج|أخرج|انس الأمر|انسى|لا يهم|أريد الإلغاء|أريد الخروج|إنهاء|دعك من هذا|إلغاء من فضلك|غيرت رأيي|لا أريد المتابعة|لا أريد الاستمرار|توقف من فضلك",
    },
  ],
  [
    "he",
    {
      yes: "כן|כן בבקשה|כן תודה|בטח|ודאי|בוודאי|כמובן|בסדר|אוקיי|אוקי|בדיוק|נכון|זה נכון|בהחלט|סבבה|יאללה|למה לא|מסכים|מסכימה|כן אשמח|אשמח|אשמח מאוד|כן בטח|כן ברור|ברור|כן כמובן|כן רוצה|רוצה|אני רוצה|כן אני רוצה|כן בסדר|זה בסדר|כן זה בסדר|בסדר מבחינתי|אין בעיה|כן אין בעיה|אני מסכים|אני מסכימה|כן מסכים|כן מסכימה|מאשר|מאשרת|אני מאשר|אני מאשרת|בבקשה|מתאים|מתאים לי|מצוין|מעולה|בשמחה|כן נכון|יופי|טוב|אוקיי תודה|סבבה כן|למה לא כן|כן כן",
      no: "לא|לא תודה|ממש לא|בכלל לא|אף פעם|אף אחד|אף אחת|אף אחד מהם|לא נכון|טעות|לא בדיוק|לא ממש|כמובן שלא|לא עכשיו|לא רוצה|לא צריך|לא צריכה|אין צורך|לא אין צורך|אולי אחר כך|אחר כך|מאוחר יותר|אולי מאוחר יותר|עוד לא|לא היום|כרגע לא|לא כרגע|אני לא רוצה|לא אני לא רוצה|לא מסכים|לא מסכימה|אני לא מסכים|אני לא מסכימה|לא מאשר|לא מאשרת|לא מתאים|לא מתאים לי|עדיף שלא|כלום|שום דבר|זה הכל|לא זה הכל|זה לא נכון|ברור שלא|בטח שלא|ממש לא תודה|תודה לא",
      cancel:
        "ביטול|בטל|לבטל|בטלי|עצור|עצרי|די|תפסיק|תפסיקי|יציאה|צא|לצאת|עזוב|עזבי|לא משנה|תשכח מזה|אני רוצה לבטל|אני רוצה לצאת|סיום|ביטול בבקשה|לבטל בבקשה|שיניתי את דעתי|התחרטתי|אני לא רוצה להמשיך|לא רוצה להמשיך",
    },
  ],
  [
    "th",
    {
      yes: "ใช่|ใช่ครับ|ใช่ค่ะ|ครับ|ค่ะ|คะ|ได้|ได้เลย|ได้ครับ|ได้ค่ะ|ตกลง|โอเค|แน่นอน|ถูกต้อง|ถูกแล้ว|ใช่แล้ว|เอา|เอาครับ|เอาค่ะ|ต้องการ|ใช่เลย|ใช่แล้วครับ|ใช่แล้วค่ะ|ได้สิ|ได้เลยครับ|ได้เลยค่ะ|ตกลงครับ|ตกลงค่ะ|โอเคครับ|โอเคค่ะ|โอเคเลย|ยินยอม|ยินยอมครับ|ยินยอมค่ะ|ยอมรับ|ต้องการครับ|ต้องการค่ะ|อยาก|อยากครับ|อยากค่ะ|เห็นด้วย|ไม่มีปัญหา|ไม่ขัดข้อง|แน่นอนครับ|แน่นอนค่ะ|ถูกต้องครับ|ถูกต้องค่ะ|จ้า|จ้ะ|อืม|อือ|เอาเลย|รบกวนด้วย|รบกวนด้วยครับ|รบกวนด้วยค่ะ|ได้จ้า|คับ|ใช่คับ|ดี|ดีครับ|ดีค่ะ",
      no: "ไม่|ไม่ใช่|ไม่ใช่ครับ|ไม่ใช่ค่ะ|ไม่ครับ|ไม่ค่ะ|ไม่เอา|ไม่ต้องการ|ไม่เป็นไร|ไม่ล่ะ|ไม่เลย|ไม่มี|ไม่มีเลย|ผิด|ไม่ถูกต้อง|ไม่ใช่ตอนนี้|ไม่เป็นไรครับ|ไม่เป็นไรค่ะ|ไม่ต้อง|ไม่ต้องครับ|ไม่ต้องค่ะ|ไม่ต้องแล้ว|ไม่ขอบคุณ|ไม่ล่ะขอบคุณ|ไม่ต้องการครับ|ไม่ต้องการค่ะ|ไม่เอาครับ|ไม่เอาค่ะ|ไม่ยินยอม|ไม่ยินยอมครับ|ไม่ยินยอมค่ะ|ไม่ตกลง|ไม่เห็นด้วย|ไม่อยาก|ยัง|ยังไม่|ยังก่อน|ไว้ก่อน|ไว้ทีหลัง|ทีหลัง|ไม่ใช่เลย|ไม่ได้|ไม่มีแล้ว|แค่นี้|เท่านี้|ไม่มีแล้วครับ|ไม่มีแล้วค่ะ|ไม่ถูก|ไม่จำเป็น|ม่าย",
      cancel:
        "ยกเลิก|ขอยกเลิก|หยุด|พอแล้ว|ออก|เลิก|ช่างมัน|ไม่ทำแล้ว|ต้องการยกเลิก|อยากยกเลิก|อยากออก|จบ|ไม่เอาแล้ว|ยกเลิกครับ|ยกเลิกค่ะ|เปลี่ยนใจแล้ว|ไม่อยากทำต่อ|ขอหยุด",
    },
  ],
  [
    "vi",
    {
      yes: "có|có ạ|vâng|vâng ạ|dạ|dạ có|dạ vâng|ừ|ừm|đúng|đúng vậy|đúng rồi|phải|được|được rồi|đồng ý|ok|tất nhiên|chắc chắn rồi|dĩ nhiên|chính xác|vâng cảm ơn|có cảm ơn|có chứ|có nhé|vâng có|vâng đúng|vâng đồng ý|vâng được|được ạ|được nhé|được chứ|đồng ý ạ|tôi đồng ý|mình đồng ý|em đồng ý|tôi muốn|có tôi muốn|mình muốn|muốn|ok ạ|ok nhé|oke|okie|ờ|uh|uhm|chuẩn|chuẩn rồi|không vấn đề gì|không sao được|tốt|tốt quá|rất tốt|dĩ nhiên rồi|tất nhiên rồi|làm ơn|vui lòng|vâng làm ơn|có làm ơn|co|vang|dong y|duoc|ok cảm ơn|sẵn sàng|vâng tôi muốn|dạ được|dạ đúng|dạ đồng ý",
      no: "không|không ạ|không cảm ơn|không phải|dạ không|không hề|không bao giờ|không có cái nào|sai|sai rồi|không đúng|chưa|tất nhiên là không|không phải bây giờ|tôi không muốn|không cần|không cần đâu|không cần ạ|không cần cảm ơn|thôi không cần|thôi cảm ơn|không đâu|không muốn|mình không muốn|không tôi không muốn|không đồng ý|tôi không đồng ý|để sau|để sau nhé|lúc khác|chưa ạ|chưa cần|bây giờ chưa|hôm nay không|không có gì|không còn gì|không còn gì nữa|hết rồi|thế thôi|vậy thôi|không phải vậy|không phải đâu|chắc chắn không|ko|k|khong|hông|hok",
      cancel:
        "hủy|huỷ|hủy bỏ|huỷ bỏ|dừng|dừng lại|thôi|thoát|bỏ qua|quên đi|không làm nữa|tôi muốn hủy|tôi muốn dừng|tôi muốn thoát|kết thúc|hủy giúp tôi|vui lòng hủy|tôi đổi ý|tôi đổi ý rồi|tôi không muốn tiếp tục|không muốn tiếp tục|thôi không làm nữa",
    },
  ],
  [
    "id",
    {
      yes: "ya|iya|ya tolong|ya terima kasih|yup|tentu|tentu saja|pasti|baik|baiklah|oke|ok|benar|betul|tepat|setuju|boleh|silakan|mau|dong|sip|ya tentu|ya boleh|boleh dong|boleh saja|ya mau|mau dong|mau banget|ya saya mau|saya mau|ya setuju|saya setuju|ya saya setuju|tolong|ya baik|baik terima kasih|oke terima kasih|tidak masalah|gak masalah|tidak keberatan|saya tidak keberatan|bisa|ya bisa|silahkan|ya silakan|ya silahkan|lanjut|ya lanjut|ya benar|ya betul|iya benar|iya dong|yoi|oke deh|okelah|sangat setuju|dengan senang hati|kenapa tidak|sempurna|yes|iya mau|iya boleh",
      no: "tidak|tidak terima kasih|nggak|enggak|gak|ga|bukan|sama sekali tidak|tidak pernah|tidak satu pun|tidak ada|salah|tidak benar|tidak juga|tentu tidak|jangan|tidak sekarang|tidak mau|tidak perlu|tidak usah|nggak usah|gak usah|ga usah|gak perlu|nggak perlu|tidak saya tidak mau|saya tidak mau|gak mau|nggak mau|ga mau|tidak setuju|saya tidak setuju|nanti|nanti saja|nanti aja|mungkin nanti|lain kali|belum|belum perlu|tidak hari ini|tidak makasih|nggak makasih|gak makasih|makasih tidak|tidak ada lagi|itu saja|tidak itu saja|itu tidak benar|jangan dulu|tidak boleh|keberatan|saya keberatan|engga|enggak usah|ndak",
      cancel:
        "batal|batalkan|stop|berhenti|hentikan|keluar|sudah|sudahlah|lupakan|lupakan saja|tidak jadi|saya mau batal|saya ingin membatalkan|saya ingin keluar|selesai|akhiri|tolong batalkan|batalkan saja|saya berubah pikiran|berubah pikiran|saya tidak mau lanjut|tidak mau lanjut|gak jadi|nggak jadi|ga jadi",
    },
  ],
  [
    "ja",
    {
      yes: "はい|はいお願いします|ええ|うん|そうです|そう|そうですね|お願いします|おねがいします|もちろん|もちろんです|オーケー|オッケー|了解|了解です|わかりました|正しい|正しいです|その通り|その通りです|合っています|いいです|いいですよ|続けます|続ける|はいお願い|はい大丈夫です|はいそうです|はい構いません|構いません|かまいません|問題ありません|問題ないです|はい問題ありません|はい同意します|同意します|同意|承知しました|承諾します|ぜひ|ぜひお願いします|はいぜひ|したいです|はいしたいです|いいよ|はいいいです|オッケーです|了承します|よろしくお願いします|はいよろしくお願いします|頼みます|はい希望します|希望します",
      no: "いいえ|いえ|いや|ううん|違います|ちがいます|違う|ちがう|結構です|けっこうです|いりません|いらない|要りません|不要です|全然|どれでもない|どれも違います|ありません|ないです|そうではありません|今はいいです|いいえ結構です|いえ結構です|いいえ大丈夫です|いえ大丈夫です|いいえ必要ありません|必要ありません|必要ないです|必要ない|いいえいりません|まだいいです|後で|あとで|また今度|また後で|同意しません|いいえ同意しません|したくないです|嫌です|いやです|いやだ|お断りします|遠慮します|やめておきます|特にありません|特にないです|以上です|だめ|だめです|望みません|希望しません",
      cancel:
        "キャンセル|キャンセルします|キャンセルしたい|キャンセルしてください|中止|中止します|やめる|やめます|やめたい|やめてください|終了|終わり|終わります|止めて|ストップ|もういい|もういいです|戻る|取り消し|キャンセルお願いします|気が変わりました|やっぱりやめます|続けたくない|続けたくないです",
    },
  ],
  [
    "ko",
    {
      yes: "네|네 부탁해요|네 감사합니다|예|응|어|그래|그래요|네 맞아요|맞아요|맞아|맞습니다|좋아요|좋아|좋습니다|물론|물론이죠|물론입니다|당연하죠|오케이|알겠습니다|정확해요|그렇습니다|할게요|해주세요|네 좋아요|네 그래요|네 부탁드려요|네 부탁드립니다|부탁해요|부탁드려요|부탁드립니다|네 원해요|원해요|네 동의합니다|동의합니다|동의해요|동의|네 동의해요|네 알겠습니다|네 그렇게 해 주세요|그렇게 해 주세요|네 해주세요|네 할게요|네네|넵|넹|넵 좋아요|ㅇㅇ|ㅇㅋ|ㄱㄱ|상관없어요|문제없어요|네 괜찮아요|네 괜찮습니다|예 좋습니다|당연하지|물론입니다요",
      no: "아니요|아니오|아뇨|아니|아닙니다|아니에요|괜찮아요|괜찮습니다|됐어요|됐습니다|싫어요|싫어|전혀|전혀 아니에요|절대 아니에요|하나도 없어요|없어요|틀려요|틀렸어요|지금은 아니요|안 할래요|필요 없어요|아니요 괜찮아요|아니요 괜찮습니다|아니요 됐어요|아니 괜찮아|아니요 필요 없어요|필요없어요|아니요 싫어요|원하지 않아요|아니요 원하지 않아요|동의하지 않아요|동의하지 않습니다|동의 안 해요|나중에|나중에요|나중에 할게요|다음에요|다음에 할게요|지금은 괜찮아요|지금은 됐어요|아직요|아직 아니요|안 돼요|안돼요|안 해요|ㄴㄴ|없습니다|더 없어요|그게 다예요|아닌데요",
      cancel:
        "취소|취소해줘|취소해 주세요|취소할게요|취소하고 싶어요|그만|그만할래요|그만해|그만두기|중지|중단|나가기|나갈래요|종료|끝|됐고|잊어버려|스톱|취소요|취소 부탁해요|취소 부탁드립니다|마음이 바뀌었어요|안 할래|계속하고 싶지 않아요",
    },
  ],
  [
    "zh",
    {
      yes: "是|是的|是啊|对|对的|对啊|没错|好|好的|好啊|可以|行|行啊|嗯|嗯嗯|当然|当然可以|要|需要|想|愿意|同意|正确|确实|谢谢好的|没问题|就是这个|可以的|要的|好的谢谢|好的谢谢您|好呀|好吧|好嘞|可以啊|可以呀|行的|行吧|是呀|是滴|对呀|嗯好|嗯好的|好哒|ok的|麻烦了|麻烦您了|麻烦你了|请|我要|我想|我愿意|我同意|我需要|当然好|当然要|要谢谢|需要谢谢|没关系可以|同意的|不介意|好的谢谢你|對|對的|對啊|沒錯|當然|當然可以|願意|我願意|正確|確實|沒問題|麻煩了|麻煩您了|好喔|好啊謝謝|可以喔|好的謝謝|要謝謝|需要謝謝|是喔|對呀",
      no: "不|否|不是|不是的|不对|不用|不用了|不用谢谢|不要|不需要|不了|不行|没有|都不是|都不对|没有一个|不想|不愿意|不同意|错|错了|不正确|从不|算了吧|现在不要|并不是|不用了谢谢|不要谢谢|不需要谢谢|不了谢谢|暂时不用|暂时不需要|先不用|先不要|先不了|以后再说|下次吧|现在不用|现在不需要|我不要|我不想|我不愿意|我不同意|不可以|不好|没有了|没了|没别的了|就这些|没有谢谢|还没有|还没|不必|不必了|不介意不用|不用了謝謝|不用謝謝|不要謝謝|不需要謝謝|不了謝謝|暫時不用|暫時不需要|以後再說|現在不用|現在不要|我不願意|不願意|不對|錯|錯了|沒有|沒有了|沒了|都不對|就這些|還沒有|還沒|不正確|沒有謝謝",
      cancel:
        "取消|我要取消|我想取消|停止|停|停下|退出|我要退出|我想退出|结束|中止|算了|放弃|不填了|不做了|忘了吧|别问了|返回|取消吧|我改主意了|不想填了|不想继续|我不想继续|别问了吧|取消謝謝|結束|中止吧|放棄|算了吧不要|我改變主意了|不填了啦|不想繼續|我不想繼續|返回上一步|忘了吧算了",
    },
  ],
]);
