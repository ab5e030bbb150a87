import { questionWords } from '../../../engine/queries/words.ts';

/** Articles and courtesy. Not "my": "my hazards" are those that the person owns. */
const NEUTRAL = new Set(['the', 'a', 'an', 'our', 'please', 'currently', 'now', 'clara']);
const GREETING = /^(?:(?:hi|hello|hey|ok|okay|so|then|also) )+/;
const POLITE = /^(?:can|could|would|will) you (?=list|show|find|count|give|tell|explain|summari[sz]e)/;
/** Where all rows are, which picks none of them. */
const OF_THE_LOG =
  / (?:in|of|from) (?:(?:this|that|my|whole|entire|current|latest|uploaded) )*(?:(?:hazard|risk|safety) )?(?:log|register)(?= |$)| (?:in|on|of|for|within|across|throughout|inside) (?:(?:this|that|my|whole|entire|current) )*(?:(?:hazard|risk|safety) )?(?:log|register)(?= |$)| (?:in|on|of|for|within|across|to|under) (?:(?:this|that|my|whole|entire|current) )*(?:account|company|organisation|organization|workspace|arc)(?= |$)/g;

/**
 * The question's words without articles, courtesy and "in the log", as one line for patterns that match whole lines.
 */
export function plainLine(text: string): string {
  return questionWords(text)
    .filter((word) => !NEUTRAL.has(word))
    .join(' ')
    .replace(GREETING, '')
    .replace(POLITE, '')
    .replace(OF_THE_LOG, '');
}

/** Words that don't change what is asked. Words of time, number and permission do. */
const FILLERS = new Set(
  "which what what's list show me all the of our that this log is are be been have has do does did with a an how many much we i you there please currently now in to for would tell give find any see it its clara hi hello hey ok okay so hazard hazards ticket tickets count number".split(
    ' ',
  ),
);

/** The words of a question that are neither fillers nor among those understood. */
export function leftOver(words: readonly string[], understood: ReadonlySet<string> = new Set()): string[] {
  return words.filter((word) => !FILLERS.has(word) && !understood.has(word));
}

const WHAT_NEXT =
  'What you can do next:\n• Look in the table: open the result in the workspace, choose Hazards or Tickets, and filter there.\n• Ask in fewer words, such as “Which open hazards have a residual risk above 2?” or “How many hazards by owner?”.\n• Ask for one hazard by its id.';

/** The refusal of a question that was only partly understood. */
export function notUnderstood(left: readonly string[]): string {
  const what = [...new Set(left)].slice(0, 6).join(' ');
  return `I can’t answer that reliably yet: I did not understand ${what ? `“${what}”` : 'how its conditions go together'}. So I didn’t look anything up.\n${WHAT_NEXT}`;
}

/** The refusal of a clear question that the log can't answer. */
export function notInTheLog(why: string): string {
  return `I can’t answer that from this log: ${why}\n${WHAT_NEXT}`;
}
