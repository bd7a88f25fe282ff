/** Words that say nothing about what a reader wants, without diacritics and in lower case. */
export function stopWords(language: string): ReadonlySet<string> {
  return lists.get(language.split("-")[0] ?? language) ?? none;
}

const none: ReadonlySet<string> = new Set();

const lists: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: `a about am an and any are as at be been but by can could d did do does for from had has have hello hey hi how i if
      in is it its ll m me my of on or our please re s shall should so some t tell thank thanks that the their them there
      they this to us ve want was we were what when where which who why will with would you your`,
    fr: `a ai au aux avec bonjour c ca ce ces cet cette ces comment d dans de des du elle en es est et etre eu il ils j je
      l la le les leur lui m ma mais me merci mes moi mon n ne nos notre nous on ou par pas peut peux plait pour pourquoi
      puis qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sur svp t ta te tes toi ton tu un
      une vos votre vous y`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);
