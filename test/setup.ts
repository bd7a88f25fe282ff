import timers from "undici/lib/util/timers.js";
import { closeWhatIsOpen } from "./fixtures/opened.ts";

// Vitest runs this before every file of the project `unit`.
closeWhatIsOpen();

// undici has one clock for all its timeouts, started by the first connection of a process. A test
// that mocks timers must not start it, because it would not run in later tests.
timers.setFastTimeout(() => undefined, 0);
