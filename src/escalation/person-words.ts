/**
 * How a reader of a language asks for a person. Phrases are separated by `|`; letter case, accents and punctuation do not
 * matter, so that they are written as dictionaries do. A text asks for a person when one of its clauses is, from its
 * beginning to its end, some of `before`, one of `ask`, some of `after`: what stands within other words is no wish ("travel
 * agent prices", "agente de aduanas"), and neither is one that is denied ("I don't want to talk to a human").
 *
 * To add a language, write these five and the sentences of its readers into test/escalation/words.test.ts.
 */
export interface PersonWords {
  /** Who is asked for, in every form that the phrases of `ask` need. */
  readonly person: string;
  /** What asks; `~` stands for one of `person`. A phrase without it asks by itself. */
  readonly ask: string;
  /** What asks only when the whole text is nothing else, but for `before` and `after`. */
  readonly alone: string;
  /**
   * What may stand before, several of them: greetings, "please", "I want to", "how can I". Never a word that denies what
   * follows, as `no` does in Spanish.
   */
  readonly before: string;
  /** What may stand behind, several of them. With `…` at its end anything may follow: "about…". */
  readonly after: string;
  /** True for languages that write no spaces between words. */
  readonly joined?: true;
}

/** By primary language subtag, lower case. */
export const PERSON_WORDS: ReadonlyMap<string, PersonWords> = new Map([
  [
    "en",
    {
      person:
        "a human|a human being|a real human|an actual human|a live human|a person|a real person|an actual person|a live person|an agent|a live agent|a human agent|a real agent|a support agent|a service agent|a customer service agent|an operator|a human operator|an advisor|an adviser|a human advisor|a representative|a rep|a customer service representative|a customer service rep|a sales representative|someone|someone real|someone else|somebody|somebody real|an employee|a member of staff|a staff member|your staff|your team|a colleague|human|person|agent|live agent|real person|representative|operator|humans|real people",
      ask: "talk to ~|talk with ~|speak to ~|speak with ~|chat with ~|chat to ~|connect me to ~|connect me with ~|put me through to ~|put me in touch with ~|get me through to ~|transfer me to ~|pass me to ~|pass me on to ~|hand me over to ~|switch me to ~|get me ~|give me ~|i want ~|i need ~|i would like ~|id like ~|get in touch with ~|be connected to ~|be connected with ~|be transferred to ~|is there ~|is there ~ i can talk to|is there ~ i can speak to|is there ~ there|is ~ there|is ~ available|can ~ help me|could ~ help me|talk to customer service|speak to customer service|contact customer service|talk to customer support|speak to customer support|contact customer support|talk to support|speak to support|chat with support|i dont want to talk to a bot|i dont want to talk to a robot|i dont want to talk to a machine|i do not want to talk to a bot|i do not want to talk to a robot",
      alone:
        "agent|agents|live agent|real agent|human agent|human|a human|real human|person|a person|real person|a real person|live person|operator|representative|rep|customer service|customer support|customer care|live chat|live support|human help|human support|escalate",
      before:
        "please|hi|hello|hey|good morning|good afternoon|good evening|ok|okay|well|so|no|yes|then|sorry|thanks|just|really|still|i|we|i just|i really|want to|wanted to|wanna|need to|have to|would like to|would love to|would rather|prefer to|id like to|id love to|id rather|must|demand to|can i|could i|may i|can we|could we|can you|could you|would you|let me|lets|how can i|how could i|how do i|where can i|is it possible to|is there a way to|is there any way to|am i able to",
      after:
        "please|now|right now|today|thanks|thank you|instead|immediately|at once|asap|as soon as possible|directly|here|available|online|on the phone|by phone|over the phone|not a bot|not a robot|not a machine|and not a bot|and not a robot|about…|regarding…|concerning…|because…|who can…|that can…|who knows…|for help…|for assistance…|for this…|to help me…",
    },
  ],
  [
    "es",
    {
      person:
        "una persona|una persona real|una persona de verdad|una persona humana|un humano|un ser humano|un humano real|un agente|una agente|un agente humano|un agente real|un operador|una operadora|un asesor|una asesora|un asesor humano|un representante|una representante|un empleado|una empleada|un compañero|alguien|alguien real|alguien de verdad|alguien humano|persona|humano|agente|operador|asesor|representante|personas|personas reales|gente real",
      ask: "hablar con ~|hable con ~|hablo con ~|chatear con ~|conversar con ~|charlar con ~|comunicarme con ~|comunicar con ~|contactar con ~|contactar a ~|ponerme en contacto con ~|comuníqueme con ~|comuníquenme con ~|comunícame con ~|páseme con ~|pásame con ~|pásenme con ~|pasarme con ~|póngame con ~|pónganme con ~|ponme con ~|ponerme con ~|conécteme con ~|conéctame con ~|conectarme con ~|transfiérame a ~|transfiéreme a ~|transferirme a ~|transfiérame con ~|derívame a ~|derívenme a ~|derivarme a ~|que me atienda ~|que me ayude ~|me puede atender ~|me puede ayudar ~|puede atenderme ~|ser atendido por ~|ser atendida por ~|quiero ~|quisiera ~|necesito ~|necesito a ~|deseo ~|hay ~|hay ~ ahí|hablar con atención al cliente|contactar con atención al cliente|hablar con el servicio de atención al cliente|hablar con servicio al cliente|no quiero hablar con un robot|no quiero hablar con una máquina|no quiero hablar con un bot",
      alone:
        "agente|un agente|agente humano|agente real|agentes|humano|un humano|ser humano|persona|una persona|persona real|una persona real|operador|operadora|un operador|asesor|asesora|un asesor|representante|atención al cliente|servicio al cliente|chat en vivo|chat en directo|ayuda humana",
      before:
        "por favor|porfavor|porfa|hola|buenas|buenos días|buenas tardes|buenas noches|vale|ok|bueno|sí|entonces|pues|perdón|perdona|perdone|disculpa|disculpe|gracias|mejor|solo|yo|quiero|quería|quisiera|querría|queremos|me gustaría|necesito|necesitaría|necesitamos|deseo|desearía|prefiero|preferiría|exijo|puedo|podría|podemos|puedes|puede|podrías|podéis|pueden|cómo puedo|cómo podría|cómo hago para|dónde puedo|es posible|sería posible|se puede|hay forma de|hay manera de|tengo que|debo|déjame|déjeme|quiero que|me",
      after:
        "por favor|porfavor|porfa|gracias|ya|ya mismo|ahora|ahora mismo|hoy|directamente|inmediatamente|cuanto antes|lo antes posible|disponible|ahí|aquí|por teléfono|de verdad|y no con un robot|no con un robot|y no con una máquina|no con una máquina|y no un robot|no un robot|sobre…|acerca de…|respecto a…|porque…|para que…|que me…|que pueda…|que sepa…",
    },
  ],
  [
    "fr",
    {
      person:
        "une personne|une vraie personne|une personne réelle|une personne humaine|un humain|un vrai humain|un être humain|un agent|un agent humain|un vrai agent|un conseiller|une conseillère|un vrai conseiller|un conseiller humain|un opérateur|une opératrice|un représentant|une représentante|un employé|un collaborateur|un collègue|un interlocuteur|quelqu'un|quelqu'un de réel|quelqu'un d'autre|conseiller|humain|agent|personne réelle|de vraies personnes",
      ask: "parler à ~|parler avec ~|parle à ~|parle avec ~|discuter avec ~|échanger avec ~|chatter avec ~|tchatter avec ~|dialoguer avec ~|communiquer avec ~|joindre ~|contacter ~|avoir ~|m'adresser à ~|entrer en contact avec ~|être mis en relation avec ~|être mise en relation avec ~|être mis en contact avec ~|être mise en contact avec ~|me mettre en relation avec ~|me mettre en contact avec ~|mettez-moi en relation avec ~|mets-moi en relation avec ~|mettez-moi en contact avec ~|mets-moi en contact avec ~|me passer ~|passez-moi ~|passe-moi ~|me transférer à ~|me transférer vers ~|transférez-moi à ~|transférez-moi vers ~|transfère-moi à ~|connectez-moi à ~|connectez-moi avec ~|je veux ~|je voudrais ~|j'aimerais ~|je souhaite ~|il me faut ~|j'ai besoin d'~|y a-t-il ~|il y a ~|est-ce qu'il y a ~|parler au service client|parler au service clients|parler avec le service client|contacter le service client|joindre le service client|je ne veux pas parler à un robot|je ne veux pas parler à une machine|je ne veux pas parler à un bot",
      alone:
        "agent|un agent|agent humain|humain|un humain|un vrai humain|conseiller|un conseiller|conseillère|une conseillère|opérateur|opératrice|un opérateur|une personne|une vraie personne|vraie personne|personne réelle|représentant|service client|service clients|service clientèle|chat en direct|aide humaine|assistance humaine",
      before:
        "s'il vous plaît|s'il te plaît|svp|stp|bonjour|bonsoir|salut|ok|d'accord|bon|bien|non|oui|alors|merci|désolé|désolée|pardon|excusez-moi|juste|plutôt|vraiment|maintenant|je|j'aimerais|j'aimerais bien|je veux|je voudrais|je voudrais bien|je souhaite|je souhaiterais|je préfère|je préférerais|je dois|je désire|nous voulons|nous souhaitons|nous voudrions|j'ai besoin de|il faut que je|puis-je|je peux|est-ce que je peux|est-ce que je pourrais|est-ce qu'on peut|pourrais-je|peut-on|on peut|pouvez-vous|pourriez-vous|vous pouvez|peux-tu|pourrais-tu|tu peux|comment|comment puis-je|comment je peux|comment faire pour|où puis-je|est-il possible de|serait-il possible de|c'est possible de|y a-t-il moyen de|il y a moyen de|laissez-moi|laisse-moi",
      after:
        "s'il vous plaît|s'il te plaît|svp|stp|merci|maintenant|tout de suite|immédiatement|directement|aujourd'hui|rapidement|au plus vite|en direct|disponible|ici|là|par téléphone|au téléphone|et pas à un robot|pas à un robot|et pas un robot|pas un robot|et non à un robot|et non un robot|à ce sujet|à propos…|au sujet…|concernant…|parce que…|parce qu…|car…|pour que…|pour m'aider…|qui peut…|qui pourrait…|qui puisse…",
    },
  ],
  [
    "de",
    {
      person:
        "einem Menschen|einem echten Menschen|einem richtigen Menschen|einem realen Menschen|einen Menschen|einen echten Menschen|einen richtigen Menschen|ein Mensch|ein echter Mensch|einer Person|einer echten Person|einer realen Person|eine Person|eine echte Person|einem Mitarbeiter|einem echten Mitarbeiter|einer Mitarbeiterin|einem Ihrer Mitarbeiter|einem eurer Mitarbeiter|einen Mitarbeiter|einen echten Mitarbeiter|eine Mitarbeiterin|ein Mitarbeiter|einem Berater|einer Beraterin|einen Berater|eine Beraterin|ein Berater|einem Kundenberater|einer Kundenberaterin|einen Kundenberater|einem Agenten|einen Agenten|ein Agent|einem Ansprechpartner|einen Ansprechpartner|ein Ansprechpartner|einem Servicemitarbeiter|einen Servicemitarbeiter|einem Kollegen|einer Kollegin|einen Kollegen|eine Kollegin|jemandem|jemanden|jemand|jemand anderem|jemand anderen|irgendjemandem|irgendjemand|irgendwem|wem",
      ask: "mit ~ sprechen|mit ~ reden|mit ~ chatten|mit ~ schreiben|mit ~ telefonieren|mit ~ verbinden|mit ~ verbunden werden|mit ~ in Kontakt treten|spreche mit ~|rede mit ~|sprechen mit ~|reden mit ~|verbinden mit ~|verbinden Sie mich mit ~|verbinden Sie mich bitte mit ~|verbinde mich mit ~|verbinde mich bitte mit ~|an ~ weiterleiten|an ~ weitergeleitet werden|an ~ weitergeben|leiten Sie mich an ~ weiter|leiten Sie mich bitte an ~ weiter|leite mich an ~ weiter|zu ~ durchstellen|stellen Sie mich zu ~ durch|~ sprechen|~ erreichen|~ kontaktieren|ich möchte ~|ich will ~|ich brauche ~|ich hätte gern ~|ich hätte gerne ~|geben Sie mir ~|gib mir ~|gibt es ~|gibt es hier ~|ist da ~|ist ~ da|ist hier ~|kann mir ~ helfen|kann ~ mir helfen|kann ich ~ haben|mit dem Kundenservice sprechen|mit dem Kundendienst sprechen|mit dem Support sprechen|den Kundenservice kontaktieren|den Kundendienst kontaktieren|ich will nicht mit einem Bot reden|ich will nicht mit einem Roboter reden|ich möchte nicht mit einem Bot sprechen|ich möchte nicht mit einem Roboter sprechen",
      alone:
        "Mensch|ein Mensch|echter Mensch|Mitarbeiter|ein Mitarbeiter|echter Mitarbeiter|Mitarbeiterin|Berater|ein Berater|Kundenberater|Agent|Ansprechpartner|Kundenservice|Kundendienst|Live-Chat|Livechat|Operator|menschliche Hilfe|echte Person",
      before:
        "bitte|hallo|hi|guten Tag|guten Morgen|guten Abend|moin|servus|grüß Gott|ok|okay|gut|na gut|nein|ja|dann|also|danke|sorry|Entschuldigung|entschuldigen Sie|lieber|gern|gerne|jetzt|endlich|nur|doch|mal|einfach|direkt|ich möchte|ich will|ich würde|ich muss|ich wollte|ich bitte darum|wir möchten|wir wollen|möchte|will|kann ich|könnte ich|darf ich|dürfte ich|kann man|können wir|können Sie mich|könnten Sie mich|kannst du mich|könntest du mich|würden Sie mich|wie kann ich|wo kann ich|wie komme ich dazu|ist es möglich|lassen Sie mich|lass mich",
      after:
        "bitte|jetzt|danke|sofort|gleich|heute|direkt|persönlich|gern|gerne|lieber|können|dürfen|hier|da|per Telefon|am Telefon|telefonisch|und nicht mit einem Bot|nicht mit einem Bot|und nicht mit einem Roboter|nicht mit einem Roboter|statt mit einem Bot|statt mit einem Roboter|kein Bot|über…|wegen…|bezüglich…|weil…|der mir…|die mir…|der sich…|zu meiner…|zu meinem…",
    },
  ],
]);
