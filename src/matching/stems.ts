import { foldText } from "./fold.ts";
import { toKoreanStem } from "./korean.ts";

/**
 * A light stem: a folded word without its inflection. Only endings of number, case, gender, person
 * and tense are removed (and a few particles in front, for Arabic and Hebrew), and at least three
 * letters remain. The character n-grams catch what it misses, and wrongly joined words cost little,
 * because they are joined in titles and questions alike.
 */
export function stemmerFor(language: string): (word: string) => string {
  if (language === "ko") return toKoreanStem;
  const rules = Object.hasOwn(table, language) ? table[language] : undefined;
  if (rules === undefined) return (word) => word;
  const listEndings = (text: string): readonly string[] =>
    byLength(text).map((ending) => foldText(ending, language));
  const endings = rules.endings.map(listEndings);
  const fronts = listEndings(rules.fronts ?? "");
  const least = rules.least ?? 3;
  return (word) => {
    let stem = word;
    if (/\d/.test(word)) return word;
    for (let round = 0; round < (rules.semitic === true ? maxFronts : 1); round += 1) {
      const front = fronts.find((one) => stem.startsWith(one) && stem.length - one.length >= least);
      if (front === undefined) break;
      stem = stem.slice(front.length);
    }
    for (const round of endings) {
      for (const ending of round) {
        if (stem.length - ending.length >= least && stem.endsWith(ending)) {
          stem = stem.slice(0, stem.length - ending.length);
          break;
        }
      }
    }
    stem = rules.finish?.(stem) ?? stem;
    return rules.undouble === true ? stem.replace(/([^aeiouls])\1$/, "$1") : stem;
  };
}

function byLength(list: string): readonly string[] {
  return list
    .split(/\s+/)
    .filter((ending) => ending !== "")
    .toSorted((one, other) => other.length - one.length);
}

/** Turkish softens a last consonant before a vowel: `bebek`, `bebeğim`. */
function hardenEnding(stem: string): string {
  return stem.replace(/[gbd]$/, (last) => ({ g: "k", b: "p", d: "t" })[last] ?? last);
}

/**
 * Arabic and Hebrew write plurals and voices with weak letters between the others (`فرع`, `فروع`),
 * and person and noun by one letter in front (`تغادر`, `مغادرة`; `תשלום`, `נשלם`).
 */
function skeletonOf(weak: RegExp, front: RegExp): (stem: string) => string {
  return (stem) => {
    const bare = stem.replace(weak, "");
    if (bare.length < 3) return stem;
    return bare.length > 3 ? bare.replace(front, "") : bare;
  };
}

interface Rules {
  /** One list per round. In each round, the longest ending that fits is removed. Folded. */
  readonly endings: readonly string[];
  readonly fronts?: string;
  /** True if several fronts may come off, one after the other (`ולהחזיר`). */
  readonly semitic?: boolean;
  /** The least number of letters that remain. Default 3. */
  readonly least?: number;
  /** The last step. */
  readonly finish?: (stem: string) => string;
  /** True if a doubled consonant at the end counts as one (`shipped`, `shipping`). */
  readonly undouble?: boolean;
}

/** Particles in front of one word. */
const maxFronts = 4;

const iberian = `s es os as ais eis ns oes aes a o e amos emos imos ando endo indo iendo ado ada ados adas ido ida idos idas ar er ir
  aria eria iria are ere ire ara era ira aba aban ia ian ou iu eu am em an en aron ieron`;

const scandinavian = [
  `s`,
  `erne erna arna orna ene ane en et er ar or a e ede ade te de ende ande t else elser elsen ing inger ingen ningen heten het`,
];

const slavicLatin = `ovi ove ou ach ech ich ych ami emi imi ymi ama mi em om am im ym um eho ego emu ymu ej oj aja uje uji a e i o u y
  al ala ali alo il ila ili ilo el at it et ac ec ic ani eni iem ow owi ie ia iu ia aly ily any ana ano ene eny ena ek ku ka ce`;

const eastSlavic = `ами ями ого его ому ему ыми ими иях ах ях ой ей ий ый ая яя ое ее ые ие ую юю ом ем им ым их ых ов ев ам ям
  а я о е и ы у ю ь й і ї є ть ти ла ло ли л ет ит ут ют ат ят ешь ишь ем им ете ите ался алась ались ил ила или ал ала али
  ить ать еть ять уть ити ати ію ією ою ею ості ість ості ость ости остью ення енні ення ение ения ений ание ания аний ання
  ування ювання овать ювати увати яти яють ював ював ує ують ується ся сь ться тся ється ються ої ів ям ях ими еві ові`;

const table: Readonly<Record<string, Rules>> = {
  en: {
    endings: [`s es`, `ed ing edly ingly ly`, `e y i ment ation ations er or tion ness`],
    undouble: true,
  },
  de: {
    endings: [`en ern em er es e n s st t end`, `ung ungs heit keit lich ig isch en er st`],
    least: 4,
  },
  nl: {
    endings: [`en s e n t`, `de te ing ingen heid heden lijk je jes`],
    undouble: true,
    least: 3,
  },
  sv: { endings: scandinavian },
  da: { endings: scandinavian },
  no: { endings: scandinavian },
  es: { endings: [`rme rte rse rlo rla rle rnos rlos rlas rles`, iberian, `a o e i`], least: 4 },
  gl: { endings: [`rme rte rse rlo rla rlle rnos rlos rlas rlles`, iberian, `a o e i`], least: 4 },
  pt: { endings: [iberian, `a o e i`], least: 4 },
  ca: {
    endings: [
      `rme rte rse rlo rla rli rnos rlos rles`,
      `${iberian} cio cions sio sions tzar`,
      `a o e i`,
    ],
    least: 4,
  },
  it: {
    endings: [
      `rmi rti rsi rlo rla rli rle rci rvi rgli rne`,
      `are ere ire ato ata ati ate uto uta uti ute ito ita iti ite ando endo iamo ono ano avo evo ivo ava eva iva zione zioni
      mente amento amenti a e i o io ia ie`,
    ],
    least: 4,
  },
  fr: {
    endings: [
      `s x`,
      `er e es ee ees ez ent ons ant ante ir it is ions iez ait aient ement ements ation ations eur euse eux ais`,
      `e i`,
    ],
    least: 4,
  },
  ro: {
    endings: [
      `ul ului ului le lor ii ilor ile ei a ea ua elor ele uri urilor urile i e u`,
      `at ata ati ate it ita iti ite ut uta are ere ire ez eaza esc este eam am em im and ind a e i`,
    ],
    least: 4,
  },
  cs: { endings: [slavicLatin], least: 3 },
  pl: {
    endings: [
      `sie`,
      `${slavicLatin} owac uje ujemy acie anie ania aniu enie enia eniu osc osci ze ze cie`,
    ],
    least: 4,
  },
  ru: { endings: [`ся сь`, eastSlavic, `н нн к ев ов`], least: 3 },
  uk: { endings: [`ся сь`, eastSlavic, `н нн к`], least: 3 },
  fi: {
    endings: [
      `kin kaan han ko pa`,
      `ni si nsa mme nne`,
      `ssa sta lla lta lle ksi tta na ta a n t in en an on un hin hen han seen iin den tten jen ien issa ista illa ilta ille iksi
      ja oja ia ita ina ineen`,
      `n i e a o u t ta tu tta minen mise mis isi`,
    ],
    least: 4,
  },
  hu: {
    endings: [
      `ban ben bol rol tol hoz hez nal nel ra re ba be on en an val vel nak nek ig ert kent kor t ot at et ul k ok ak ek bol`,
      `om am em od ad ed ja je uk unk atok etek juk jaik ai ei i a e o m d k ok ak ek`,
      `ni as es ott ett ok om`,
    ],
    least: 4,
  },
  tr: {
    endings: [
      `dir tir dur tur yim siniz im`,
      `dan den tan ten da de ta te nin nun in un yi yu i u ya ye na ne a e la le yla yle nda nde ndan nden ni nu si su`,
      `im um iniz unuz niz nuz imiz umuz miz muz m n`,
      `lar ler mak mek ma me yor iyor uyor acak ecek mis mus di du ti tu ebil abil`,
    ],
    least: 3,
    finish: hardenEnding,
  },
  eu: {
    endings: [
      `aren aren arekin arentzat etan etako etara etatik ekin entzat ak ek ari ei eko ako tik ra an en a ko go ren rekin tzeko teko
      tzea tea zea tzen ten`,
      `a ak e i tu du ta t n tz z`,
    ],
    least: 4,
  },
  id: {
    fronts: `mem men meng meny me ber ter di pem pen peng peny pe per se`,
    endings: [`kah lah nya ku mu`, `kan i an`],
    least: 4,
  },
  el: {
    endings: [
      `ματων ματα ματος ματοσ μα ων ους ουσ ος οσ οι ο ης ησ η ες εσ ε ας ασ α ις ισ ι ου υ ει εις εισ ουμε ετε ουν ω ομαι εται
      ησω ησετε ησει ωσω σω σετε σει μενη μενο μενα τε αμε αν`,
      `ι ε σ ησ ωσ`,
    ],
    least: 3,
  },
  ar: {
    fronts: `ال لل فال و ب ل ك`,
    semitic: true,
    finish: skeletonOf(/(?<=.)[اوي]/g, /^[متينا]/),
    endings: [`هما كما تين تان ات ون ين ان ها هم كم نا ني ه ي ك`],
  },
  he: {
    fronts: `ה ו ב כ ל מ ש`,
    semitic: true,
    finish: skeletonOf(/(?<=.)[וי]/g, /^[תניא]/),
    endings: [`ים ימ ות יות יי י ה ת נו כמ`],
  },
};
