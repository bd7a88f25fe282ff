/**
 * By language, as readers type it: what asks for a person, and what holds such words and means
 * something else.
 */
export type Sentences = Readonly<Record<string, readonly [asks: string[], means: string[]]>>;
