import { type Word, wordsOf } from '../../../engine/documents/stems.ts';

/** Words of a question that say nothing about its subject. */
const STOP_WORDS = new Set(
  'a an the and or of for to in on at by with from about into over under is are was were be been do does did has have had can could should would will shall may might must not no what which who whom whose when where why how that this these those it its they them their we our us you your i my me say says said tell tells there here any all some each every please write make give create draft prepare research find look search brief briefs summary summarise summarize summarised overview report document documents file files paper papers doc docs company everything anything something know need want between if than then as also more most much many long often soon far'.split(
    ' ',
  ),
);

const MAX_TERMS = 12;

/** The words of a question that its answer has to hold, each once, in order. */
export function termsOf(question: string): Word[] {
  const terms: Word[] = [];
  for (const word of wordsOf(question)) {
    const isTerm = !STOP_WORDS.has(word.text.toLowerCase()) && (word.text.length > 1 || /\d/.test(word.text));
    if (isTerm && !terms.some(({ stem }) => stem === word.stem)) terms.push(word);
  }
  return terms.slice(0, MAX_TERMS);
}
