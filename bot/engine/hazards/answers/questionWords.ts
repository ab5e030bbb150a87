/** Words of a question, lower case, with comparison signs as words of their own. */
export function questionWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}][\p{L}\p{N}'-]{0,60}|>=|<=|[<>=≥≤]/gu) ?? []
  );
}

/** Words that turn a question round, or set a bound to it. What holds one of these is never answered with its neighbour. */
const TURNING = new Set(
  "not no never none neither nor without isn't aren't wasn't weren't don't doesn't didn't haven't hasn't won't can't cannot except excluding but other than above over more greater higher exceeding least below under less fewer lower most before after since until between within older newer earlier later only both either or if unless when while > < >= <= = ≥ ≤ missing blank lack lacks lacking empty yet still longer same different differ changed because despite".split(
    ' ',
  ),
);

export const turnsMeaning = (word: string) => TURNING.has(word) || /^\d+$/.test(word) || word.startsWith('un');

/** Words that say nothing of what is asked for. */
const FILLERS = new Set(
  "which what whats what's show list me all the of our my this that these those log logs is are was were be been have has had with a an how many much do does did we i us you your there there's please currently now today in on to for can could would tell give get find any ones one at got see as by and whose who their its it them they exactly hazard hazards count number total clara hi hello hey ok okay so then also too".split(
    ' ',
  ),
);

/** The words of a question that are neither fillers nor among those understood. */
export function leftOver(words: readonly string[], understood: ReadonlySet<string>): string[] {
  return words.filter((word) => !FILLERS.has(word) && !understood.has(word));
}

/** What is said where a question was understood in part: never the answer to another one. */
export function notUnderstood(left: readonly string[]): string {
  const what = [...new Set(left)].slice(0, 6).join(' ');
  return `I can’t answer that reliably yet: I did not understand ${what ? `“${what}”` : 'how its conditions go together'}. So I looked nothing up.\nWhat you can do next:\n• Look in the table: open the result in the workspace, choose Hazards or Tickets, and filter there.\n• Ask with one condition, such as “Which hazards are not closed?” or “Which hazards have a residual risk above 2?”.\n• Ask for one hazard by its id.`;
}
