/** Numbers with a sign or a fraction and comparison signs are words of their own: "-1" is no 1, and "2.5" is no 2. */
const WORDS =
  /!=|<>|>=|<=|\d+(?:[.,]\d+)+|(?<![\p{L}\p{N}-])-\d+|[\p{L}\p{N}][\p{L}\p{N}'-]{0,60}|[^\s\p{L}\p{N}.,;:?!'"“”‘()[\]…-]/gu;

/** Words of a question, lower case; signs such as "+", "/" and "≥" too, since each may change what is asked. */
export function questionWords(text: string): string[] {
  return text.toLowerCase().replaceAll('’', "'").match(WORDS) ?? [];
}

/** Words that turn a question round, or set a bound to it. What holds one of these is never answered with its neighbour. */
const TURNING = new Set(
  "not no never none neither nor without isn't aren't wasn't weren't don't doesn't didn't haven't hasn't won't can't cannot except excluding but other than above over more greater higher exceeding least below under less fewer lower most before after since until between within older newer earlier later only both either or if unless when while > < >= <= = ≥ ≤ missing blank lack lacks lacking empty yet still longer same different differ changed because despite".split(
    ' ',
  ),
);

export const turnsMeaning = (word: string) => TURNING.has(word) || /^\d+$/.test(word) || word.startsWith('un');

/** Articles and courtesy. "My" is none of them: my hazards are those that I own. */
const NEUTRAL = new Set(['the', 'a', 'an', 'our', 'please', 'currently', 'now', 'clara']);
const GREETING = /^(?:(?:hi|hello|hey|ok|okay|so|then|also) )+/;
const POLITE = /^(?:can|could|would|will) you (?=list|show|find|count|give|tell|explain|summari[sz]e)/;
const OF_THE_LOG = / (?:in|of|from) (?:(?:this|that|my) )?(?:hazard )?log(?= |$)/g;

/** A question as one plain line: its words without articles, courtesy and "in the log". Whole lines are compared with it. */
export function plainLine(text: string): string {
  return questionWords(text)
    .filter((word) => !NEUTRAL.has(word))
    .join(' ')
    .replace(GREETING, '')
    .replace(POLITE, '')
    .replace(OF_THE_LOG, '');
}

/** Words that say nothing of what is asked for. Time, number and permission are none of them. */
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
  'What you can do next:\n• Look in the table: open the result in the workspace, choose Hazards or Tickets, and filter there.\n• Ask with one condition, such as “Which hazards are not closed?” or “Which hazards have a residual risk above 2?”.\n• Ask for one hazard by its id.';

/** What is said where a question was understood in part: never the answer to another one. */
export function notUnderstood(left: readonly string[]): string {
  const what = [...new Set(left)].slice(0, 6).join(' ');
  return `I can’t answer that reliably yet: I did not understand ${what ? `“${what}”` : 'how its conditions go together'}. So I looked nothing up.\n${WHAT_NEXT}`;
}

/** What is said where the question is clear, and the log can't answer it. */
export function notInTheLog(why: string): string {
  return `I can’t answer that from this log: ${why}\n${WHAT_NEXT}`;
}
