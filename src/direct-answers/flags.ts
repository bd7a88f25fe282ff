export type Flag = "no-results" | "welcome";
