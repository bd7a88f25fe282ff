import timers from "undici/lib/util/timers.js";
import { closeWhatIsOpen } from "./fixtures/opened.ts";

// Vitest runs this in front of every file of the project `unit`.
closeWhatIsOpen();

// undici has one clock for all its timeouts, started by the first connection of a process. A test
// that holds the time must not be the one that starts it: it would stand for all later ones.
timers.setFastTimeout(() => undefined, 0);
