import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TriggerConfig } from "../../src/config/escalation-config.ts";
import { PERSON_WORDS } from "../../src/escalation/person-words.ts";
import { asksForPerson } from "../../src/escalation/words.ts";
import { spokenForm } from "../../src/locales/spoken-form.ts";
import { only } from "./bodies.ts";

const OURS = only({ words: true });

/** As readers type it: what asks for a person, and what holds such words and means something else. */
const typed: Readonly<Record<string, readonly [asks: string[], means: string[]]>> = {
  en: [
    [
      "agent",
      "Agent please!",
      "OPERATOR",
      "human",
      "real person please",
      "Talk to a human",
      "I want to talk to a human",
      "I’d like to speak with someone, please.",
      "can i speak to an agent about my order",
      "Can you connect me to a representative?",
      "please put me through to a real person",
      "Hi, could I chat with a live agent now",
      "how can I talk to a person?",
      "No, I want to speak to a customer service representative",
      "This is useless. Get me a human!",
      "I don't want to talk to a bot",
      "is there anybody there? i need a human",
      "customer service",
    ],
    [
      "travel agent prices",
      "human resources",
      "I don't want to talk to a human",
      "do not connect me to an agent",
      "I want to talk to a human resources manager",
      "what does an insurance agent earn",
      "personal data",
      "person of contact on the invoice",
      "how do I become an agent",
      "operator manual for the drill",
      "I need an agent to sell my house",
      "The agent told me to wait",
      "are you a human?",
      "representative sample",
      "customer service hours",
      "I want a refund",
    ],
  ],
  es: [
    [
      "agente",
      "¡Operador!",
      "una persona, por favor",
      "Quiero hablar con una persona",
      "quiero hablar con un agente humano",
      "¿Puedo hablar con alguien?",
      "Me gustaría hablar con un asesor, gracias",
      "Páseme con un operador",
      "Necesito hablar con alguien sobre mi pedido",
      "esto no funciona, quiero hablar con una persona real",
      "hay alguien ahí?",
      "atencion al cliente",
      "No quiero hablar con un robot",
      "quiero que me atienda una persona",
    ],
    [
      "agente de aduanas",
      "quiero hablar con un agente de aduanas",
      "recursos humanos",
      "no quiero hablar con una persona",
      "precio de la operadora de cable",
      "datos de la persona de contacto",
      "operador logístico",
      "¿eres humano?",
      "necesito una devolución",
      "horario de atención al cliente",
    ],
  ],
  fr: [
    [
      "agent",
      "Conseiller svp",
      "un humain s’il vous plaît",
      "Je voudrais parler à quelqu’un",
      "je veux parler a un conseiller",
      "Puis-je parler à un agent ?",
      "Bonjour, est-ce que je peux parler à une vraie personne ?",
      "J'ai besoin d'un conseiller",
      "Pouvez-vous me mettre en relation avec un conseiller",
      "passez-moi un humain",
      "ça ne marche pas, je veux parler à quelqu'un de réel",
      "Je voudrais parler à un conseiller au sujet de ma commande",
      "Je ne veux pas parler à un robot",
      "service client",
    ],
    [
      "agent de sécurité",
      "ressources humaines",
      "je ne veux pas parler à un humain",
      "Je voudrais parler à un agent immobilier",
      "conseiller en image",
      "personne à contacter",
      "êtes-vous humain ?",
      "corps humain",
      "horaires du service client",
    ],
  ],
  de: [
    [
      "Mitarbeiter",
      "Mensch bitte!",
      "Ich möchte mit einem Menschen sprechen",
      "ich will mit jemandem reden",
      "Kann ich bitte mit einem Mitarbeiter sprechen?",
      "Verbinden Sie mich mit einem Berater",
      "Hallo, ich würde gerne mit einer echten Person sprechen",
      "Ich möchte mit einem Mitarbeiter sprechen wegen meiner Bestellung",
      "Das hilft nicht. Ich brauche einen Ansprechpartner",
      "ist da jemand?",
      "Kundenservice",
      "Ich will nicht mit einem Bot reden",
    ],
    [
      "Mitarbeiterrabatt",
      "Menschenrechte",
      "Ich möchte nicht mit einem Menschen sprechen",
      "Ich möchte mit einem Steuerberater sprechen",
      "Berater im Außendienst",
      "Agentur für Arbeit",
      "bist du ein Mensch?",
      "Mitarbeiter werben",
      "Öffnungszeiten Kundenservice",
    ],
  ],
};

test("every language that has words has sentences here", () => {
  expect(Object.keys(typed).toSorted()).toEqual([...PERSON_WORDS.keys()].toSorted());
});

describe.each(Object.entries(typed))("in %s", (language, [asks, means]) => {
  test.each(asks)("a person is asked for by: %s", (text) => {
    expect(asksForPerson(OURS, text, language)).toBe(true);
    expect(asksForPerson(OURS, `  ${text.toUpperCase()} !`, language)).toBe(true);
    expect(asksForPerson(only({}), text, language)).toBe(false);
  });

  test.each(means)("nobody is asked for by: %s", (text) => {
    expect(asksForPerson(OURS, text, language)).toBe(false);
  });

  test("each phrase that asks by itself asks, and so does each with each person", () => {
    const words = PERSON_WORDS.get(language);
    const [person = ""] = words?.person.split("|") ?? [];
    const phrases = [...(words?.ask ?? "").split("|"), ...(words?.alone ?? "").split("|")];
    for (const phrase of phrases) {
      expect([phrase, asksForPerson(OURS, phrase.replace("~", person), language)]).toEqual([
        phrase,
        true,
      ]);
    }
    for (const one of words?.person.split("|") ?? []) {
      const [ask = ""] = words?.ask.split("|") ?? [];
      expect(asksForPerson(OURS, ask.replace("~", one), language)).toBe(true);
    }
  });

  test("no phrase stands twice in one list", () => {
    for (const list of Object.values(PERSON_WORDS.get(language) ?? {})) {
      const phrases = String(list)
        .split("|")
        .map((phrase) => {
          const rest = phrase.endsWith("…") ? "…" : "";
          return spokenForm(phrase.replace("~", "zz"), language) + rest;
        });
      expect(phrases.filter((phrase, index) => phrases.indexOf(phrase) !== index)).toEqual([]);
      expect(phrases).not.toContain("");
    }
  });
});

describe("the owner's own words", () => {
  const more = (moreWords: TriggerConfig["moreWords"]): TriggerConfig => only({ moreWords });

  test("are heard in their language, its regions, and everywhere under *", () => {
    const triggers = more({ pt: ["falar com humano"], "*": ["SOS!"] });
    expect(asksForPerson(triggers, "Falar com humano.", "pt")).toBe(true);
    expect(asksForPerson(triggers, "falar com humano", "pt-BR")).toBe(true);
    expect(asksForPerson(triggers, "falar com humano", "es")).toBe(false);
    expect(asksForPerson(triggers, "sos", "xx")).toBe(true);
    expect(asksForPerson(triggers, "sos signal", "xx")).toBe(false);
  });

  test("of a region are heard there alone", () => {
    const triggers = more({ "pt-BR": ["atendente"] });
    expect(asksForPerson(triggers, "atendente", "pt-BR")).toBe(true);
    expect(asksForPerson(triggers, "atendente", "pt")).toBe(false);
  });

  test("stand among what a language says around them", () => {
    const triggers = { ...more({ en: ["talk to Bob"] }), words: true };
    expect(asksForPerson(triggers, "Hi, can I talk to Bob please", "en")).toBe(true);
    expect(asksForPerson(triggers, "talk to Bobby", "en")).toBe(false);
  });

  test("are text and no pattern, and an empty one is none", () => {
    const triggers = more({ en: [".*", "a(", "~"], "*": ["…"] });
    for (const text of ["hello", "", "a human"])
      expect(asksForPerson(triggers, text, "en")).toBe(false);
    expect(asksForPerson(triggers, "a(", "en")).toBe(true);
  });
});

test("a language without words has none but the owner's", () => {
  expect(asksForPerson(OURS, "agent", "xx")).toBe(false);
  expect(asksForPerson(OURS, "I want to talk to a human", "xx")).toBe(false);
});

test("no text and no request for an option asks", () => {
  expect(asksForPerson(OURS, null, "en")).toBe(false);
  expect(asksForPerson(OURS, "", "en")).toBe(false);
});

test("any text is read in time, and an unrelated word in front of a wish makes it none", () => {
  const languages = fc.constantFrom("en", "es", "fr", "de", "th", "xx");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), languages, (text, language) => {
      asksForPerson(OURS, text, language);
    }),
  );
  const word = fc.stringMatching(/^[bcdfg]{5}$/);
  fc.assert(
    fc.property(word, (odd) => {
      expect(asksForPerson(OURS, `${odd} talk to a human`, "en")).toBe(false);
      expect(asksForPerson(OURS, `talk to a human ${odd}`, "en")).toBe(false);
    }),
  );
  const start = performance.now();
  for (const text of ["i want to ", "can i just ", "please "]) {
    asksForPerson(OURS, text.repeat(10_000), "en");
  }
  expect(performance.now() - start).toBeLessThan(200);
});
