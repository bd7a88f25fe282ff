import { closeWhatIsOpen } from "./fixtures/opened.ts";

// Vitest runs this in front of every file of the project `unit`.
closeWhatIsOpen();
