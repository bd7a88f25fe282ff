/**
 * The light stem of a Korean word: a noun without its particles and copula, a verb without its
 * endings. A vowel or a final consonant that belongs to the ending (`바꿔`, `바꿀`) is removed too, so
 * that the forms of one verb come out the same.
 */
export function toKoreanStem(word: string): string {
  let stem = word;
  for (let round = 0; round < maxRounds; round += 1) {
    const shorter = stripLightVerb(stem) ?? chooseShorter(stripParticle(stem), stripEnding(stem));
    if (shorter === null || shorter === stem) break;
    stem = shorter;
  }
  return expandContraction(stem);
}

const maxRounds = 3;

function chooseShorter(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one.length <= other.length ? one : other;
}

const split = (list: string): readonly string[] => list.trim().split(/\s+/);
const sortLongestFirst = (list: string): readonly string[] =>
  split(list).toSorted((one, other) => other.length - one.length);

/** Particles follow nouns. At least two syllables remain. */
const particles = sortLongestFirst(`
  에서는 에서도 에서만 에서의 에게서 에게는 에게도 에게 한테서 한테는 한테도 한테 께서는 께서 으로는 으로도 으로만 으로 로는 로도 로만
  까지는 까지도 까지만 까지 부터는 부터 에는 에도 에만 에서 에 와는 과는 와의 과의 이랑 하고는 처럼 만큼 보다는 보다 마다 밖에 대로
  이라도 라도 이라면 라면 이면 이라서 라서 이라고 라고 이라는 라는 인데요 인데도 인데 인가요 인가 인지요 인지 입니다만 입니다 입니까
  좀 이에여 예여 이에요 예요 이예요 이네요 네요 이죠 이고요 이고 이며 이나 이든지 든지 조차 은요 는요 만은 만이라도 만요 도요 들이 들은 들을 들의 들도 들
  의 도 만 로 가 는 를 와 과 랑 쯤 씩`);
/** These follow only a syllable with a final consonant. One syllable may remain. */
const afterConsonant = split(`으로 은 을 이`);

/** Verbs that make a verb of a noun. The stem is the noun. */
const lightVerbs = split(
  `하 해 했 할 한 합 함 되 돼 됐 될 된 됩 됨 시키 시켜 시킬 받 당하 당했 드리 드려 드립`,
);
/** The endings that follow such a verb. */
const lightVerbEndings = new Set(
  "가고기길까나네는니다던데도든든지들라려를만며면서세셔수습시신실십아야어었였았여요우은을음이있없자마주줘죠지겠싶".split(
    "",
  ),
);

/** Endings follow verbs. At least one syllable remains. */
const endings = sortLongestFirst(`
  으려면 으려고요 으려고 려면요 려면 려고요 려고 려는데요 려는데 려는 는데요 는데도 는데 은데요 은데 는지요 는지 을지 을까요 까요 습니다만 습니다 습니까 니다 니까
  나요 네요 군요 는가요 은가요 가요 지요 지만 거든요 고요 고서 어서 아서 여서 어도 아도 여도 어야 아야 여야 어요 아요 여요
  었어요 았어요 였어요 었는데요 았는데요 었는데 았는데 었습니다 았습니다 었을 았을 었던 았던 었다면 았다면 었다 았다 었네요 았네요 었나요 았나요 었으면 았으면
  으면 으니까 으니 으세요 세요 셔요 시나요 십니까 실까요 시면 자마자 면서 으면서 도록 든지 던데 더라고요 더라 다가 다면 다고 는다고
  세여 나여 데여 네여 가여 까여 어여 아여 으러 을게요 래요 을래요 는게 는건 는걸 을수 는`);
/** Endings that are too short to be certain. At least two syllables remain. */
const shortEndings = split(`고 면 요 며 러`);
/** The last syllable of an ending whose vowel has fused with that of the verb (`바꿔서`, `사야`). */
const fusedSyllable = /^[야서요도]$/;
/** The fused vowels: ㅏ ㅓ ㅕ ㅘ ㅙ ㅝ. */
const fusingVowels: ReadonlySet<number> = new Set([0, 4, 6, 9, 10, 14]);

function stripParticle(word: string): string | null {
  for (const particle of particles) {
    if (word.length - particle.length >= 2 && word.endsWith(particle)) {
      const stem = word.slice(0, -particle.length);
      // `로` follows a vowel or ㄹ, and these follow a vowel. After a consonant they are part of a
      // word.
      const final = finalOf(stem);
      if (/^[가는를와랑]$/.test(particle) && final !== 0) continue;
      if (particle === "로" && final !== 0 && final !== rieul) continue;
      return stem;
    }
  }
  for (const particle of afterConsonant) {
    const stem = word.slice(0, -particle.length);
    if (stem !== "" && word.endsWith(particle) && finalOf(stem) > 0) return stem;
  }
  return word.length === 2 && word.endsWith("를") ? word.slice(0, 1) : null;
}

function stripLightVerb(word: string): string | null {
  for (let at = 2; at < word.length; at += 1) {
    const verb = lightVerbs.find((one) => word.startsWith(one, at));
    if (verb === undefined) continue;
    const tail = word.slice(at + verb.length).split("");
    return tail.every((syllable) => lightVerbEndings.has(syllable)) ? word.slice(0, at) : null;
  }
  return null;
}

function stripEnding(word: string): string | null {
  const find = (list: readonly string[], least: number): string | undefined =>
    list.find((one) => word.length - one.length >= least && word.endsWith(one));
  const ending = find(endings, 1) ?? find(shortEndings, 2) ?? findFusedEnding(word);
  if (ending === undefined) return null;
  const stem = word.slice(0, -ending.length);
  return stem.length > 1 && /[어아여으시었았였]$/.test(stem)
    ? stem.slice(0, -1)
    : dropEndingConsonant(stem);
}

function findFusedEnding(word: string): string | undefined {
  const [last, stem] = [word.slice(-1), word.slice(0, -1)];
  const final = finalOf(stem);
  if (final === nieun && last === "데") return last;
  return final === 0 && fusedSyllable.test(last) && fusingVowels.has(vowelOf(stem))
    ? last
    : undefined;
}

const [firstSyllable, lastSyllable] = [0xac00, 0xd7a3];
const [finals, vowels] = [28, 21];
const [nieun, rieul] = [4, 8];
/** Final consonants on a verb that belong to its ending: ㄴ ㄹ ㅁ ㅂ ㅆ. */
const endingConsonants: ReadonlySet<number> = new Set([nieun, rieul, 16, 17, 20]);

/** Returns the last syllable as a number from 0; −1 if the word does not end in Hangul. */
function syllableOf(word: string): number {
  const code = word.charCodeAt(word.length - 1);
  return code >= firstSyllable && code <= lastSyllable ? code - firstSyllable : -1;
}

/** Returns the final consonant of the last syllable as a number; 0 for none, −1 without Hangul. */
function finalOf(word: string): number {
  return syllableOf(word) % finals;
}

function vowelOf(word: string): number {
  return Math.floor(syllableOf(word) / finals) % vowels;
}

/** Removes a final consonant that belongs to the ending. */
function dropEndingConsonant(stem: string): string {
  const final = finalOf(stem);
  return endingConsonants.has(final) ? moveLastSyllable(stem, -final) : stem;
}

function moveLastSyllable(stem: string, by: number): string {
  return stem.slice(0, -1) + String.fromCharCode(stem.charCodeAt(stem.length - 1) + by);
}

/** The vowels ㅝ ㅘ ㅙ ㅕ that a verb and its ending share, each with the vowel of the verb alone. */
const contracted: ReadonlyMap<number, number> = new Map([
  [14, 13],
  [9, 8],
  [10, 11],
  [6, 20],
]);

function expandContraction(stem: string): string {
  // `바꿀` is a form of `바꾸다`; nouns lose their ㄹ as well, in titles and questions alike.
  if (stem.length > 1 && finalOf(stem) === rieul) return moveLastSyllable(stem, -rieul);
  const vowel = vowelOf(stem);
  const plain = contracted.get(vowel);
  if (plain === undefined || finalOf(stem) !== 0 || stem === "여") return stem;
  return moveLastSyllable(stem, (plain - vowel) * finals);
}
