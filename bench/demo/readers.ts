/** How the readers of a language talk to the shop's bot. */
export interface Readers {
  /** Sent as the conversation's language. */
  readonly language: string;
  /** Their share of all conversations, from 0 to 1. */
  readonly share: number;
  /** The share of readers who leave at once when the bot could not help, from 0 to 1. */
  readonly leaving: number;
  /** Frequent questions that no content answers, each in several wordings. */
  readonly unanswered: readonly (readonly string[])[];
  /** Questions that fit several contents. */
  readonly vague: readonly string[];
  readonly person: string;
}

/** The readers of a small shop without own texts for its Spanish readers. */
export const READERS: readonly Readers[] = [
  {
    language: "en",
    share: 0.44,
    leaving: 0.24,
    unanswered: [
      ["Do you ship to Switzerland?", "Can you ship to Switzerland", "Shipping to Switzerland?"],
      ["Is there a student discount?", "Do you have a student discount?", "Student discount"],
      ["Is the rain jacket vegan?", "Are your rain jackets vegan?"],
      ["Do you repair bicycles?", "Can I bring my bicycle for repair?"],
      ["What is the meaning of life?"],
      ["Tell me a joke", "Do you know a joke?"],
    ],
    vague: ["Delivery", "My parcel is missing"],
    person: "I want to talk to a person",
  },
  {
    language: "fr",
    share: 0.33,
    leaving: 0.46,
    unanswered: [
      ["Livrez-vous en Suisse ?", "Vous livrez en Suisse ?", "Livraison Suisse possible ?"],
      ["Peut-on récupérer la commande en magasin ?", "Retrait en magasin possible ?"],
      ["Y a-t-il une réduction pour étudiants ?", "Réduction étudiants"],
      ["Avez-vous des vélos d’occasion ?", "Vélos d’occasion"],
      ["Quel temps fait-il à Lyon ?"],
    ],
    vague: ["Livraison"],
    person: "Je veux parler à quelqu’un",
  },
  {
    language: "es",
    share: 0.19,
    leaving: 0.31,
    unanswered: [
      ["¿Enviáis a Canarias?", "¿Hacéis envíos a Canarias?", "Canarias"],
      ["¿Hay descuento para estudiantes?", "Descuento de estudiante"],
      ["¿Reparáis bicicletas?", "Arreglar mi bicicleta"],
    ],
    vague: ["Entrega"],
    person: "Quiero hablar con una persona",
  },
  // Languages that no text has.
  { language: "sw", share: 0.025, leaving: 0.7, unanswered: [["Habari"]], vague: [], person: "" },
  { language: "hi", share: 0.015, leaving: 0.7, unanswered: [["नमस्ते"]], vague: [], person: "" },
];
