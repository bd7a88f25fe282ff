/** Questions of the demo shop's readers, each with a result. */
export const questions: readonly string[] = [
  "where is my order",
  "how long does the delivery take",
  "how much does shipping cost",
  "i want to return something",
  "when do i get my money back",
  "cancel my order please",
  "my lamp arrived broken",
  "can i pay by credit card",
  "i forgot my password",
  "when are you open",
];
