import type { Process, Step } from '../process/readProcess.ts';

/** A risk of a step, with the words that it comes from. It carries no rating: people rate. */
export type Risk = {
  /** "R1". */
  id: string;
  step: number;
  /** What can go wrong, in Arc's words. */
  what: string;
  /** The words of the step that it comes from; null where it comes from what the step does not say. */
  words: string | null;
  /** A check that the step itself names, in its words; null where it names none. */
  named: string | null;
};

type Rule = { what: string; words: RegExp };

/** What words of a step say about what can go wrong. The first three that fit are listed for a step. */
const RULES: readonly Rule[] = [
  {
    what: 'The wrong person, item or place is taken for the right one.',
    words:
      /\b(?:identif(?:y|ies|ied)|label(?:s|led)?|patient(?:['’]s)?|barcodes?|wristband|specimens?|samples?|batch(?:es)?|serial numbers?)\b/i,
  },
  {
    what: 'A figure is read, calculated or entered wrongly, or in another unit.',
    words:
      /\b(?:calculat\w+|dos(?:e|es|age)|weigh(?:s|ed)?|measur\w+|\d+(?:\.\d+)? ?(?:mg|g|kg|ml|l|%|mm|cm|units?|°C)(?![\p{L}]))/iu,
  },
  {
    what: 'Something is typed or copied wrongly.',
    words: /\b(?:types?|typed|cop(?:y|ies|ied)|transcrib\w+|enters?|entered|fills? in|by hand|manually)\b/i,
  },
  {
    what: 'What is handed over does not arrive, arrives late, or is not read.',
    words:
      /(?<!-)\b(?:sends?|sent|forwards?|forwarded|e-?mails?|emailed|phones?|phoned|calls?|called|notif(?:y|ies|ied)|informs?|informed|hands? over|handover|handed|passes|passed|faxe?s?|escalat\w+|tells?|told)\b/i,
  },
  {
    what: 'A limit is exceeded and nobody notices.',
    words:
      /\b(?:between|above|below|under|over|at most|at least|no more than|maximum|minimum) -?\d[\d.]*(?: (?:and|to) -?\d[\d.]*)?(?: ?[\p{L}°%]{1,8})?/iu,
  },
  {
    what: 'The time passes and nobody notices.',
    words:
      /\b(?:within|no later than|not later than|before|by|until) (?:\d|an? |one |two |the end of|noon|midnight|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)[\p{L}\d :]*/iu,
  },
  {
    what: 'It stays open when this is done: too late, or not at all.',
    words:
      /\b(?:as soon as possible|asap|regularly|periodically|in due course|from time to time|timely|promptly|when possible)\b/i,
  },
  {
    what: 'People decide differently, because nothing says by what.',
    words:
      /\b(?:decid\w+|assess\w*|judge\w*|as appropriate|if appropriate|where appropriate|as needed|if necessary|where necessary|suitable|adequate|sufficient)\b/i,
  },
  {
    what: 'The approval is given without a look, or nobody is there to give it.',
    words: /\b(?:approv\w+|authori[sz]\w+|sign(?:s|ed)? (?:off|it|the)|releases?|released)\b/i,
  },
  {
    what: 'What is gone can’t be brought back.',
    words: /\b(?:delet\w+|overwrit\w+|dispos\w+|discard\w*|destroy\w*|wip(?:es?|ed))\b/i,
  },
  {
    what: 'The system or device is not available when it is needed.',
    words:
      /\b(?:systems?|servers?|network|software|app|printers?|scanners?|computers?|database|portal|website|fridge|freezer|pumps?|devices?)\b/i,
  },
  {
    what: 'Somebody gets access who should not, or the one who needs it does not.',
    words: /\b(?:passwords?|access|log(?:s)? ?in|keys?|badges?|permissions?|credentials)\b/i,
  },
  {
    what: 'Only one person can do it; nobody can while that person is away.',
    words: /\bonly (?:the|one|an?) [\p{L}-]+|\bthe only\b/iu,
  },
];

const MOST_OF_A_STEP = 3;
const CHECK =
  /\b(?:checks?|checked|double-check\w*|verif\w+|confirms?|confirmed|second (?:person|nurse|check)|compares?|compared|alarms?|reminders?|reads? back)\b/i;

function risksOf(step: Step): Omit<Risk, 'id'>[] {
  const found = RULES.flatMap(({ what, words }) => {
    const said = words.exec(step.words)?.[0].trim();
    return said ? [{ step: step.number, what, words: said, named: CHECK.exec(step.words)?.[0] ?? null }] : [];
  }).slice(0, MOST_OF_A_STEP);
  if ('role' in step.actor) return found;
  const pronoun = /“(.+)”/.exec(step.actor.unclear)?.[1];
  const at = pronoun === undefined ? -1 : step.words.toLowerCase().indexOf(pronoun);
  const words = pronoun === undefined ? null : step.words.slice(at, at + pronoun.length);
  const open = {
    step: step.number,
    what: 'Nobody is named for it: it is left out, or done twice.',
    words,
    named: null,
  };
  return [...found, open];
}

/** The risks that the words of the steps point to, and no others. */
export function findRisks({ steps }: Pick<Process, 'steps'>): Risk[] {
  return steps.flatMap(risksOf).map((risk, at) => ({ id: `R${at + 1}`, ...risk }));
}
