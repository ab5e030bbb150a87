/** What stands before a question and asks nothing: greetings, hesitation, "could I", "I need to". One at a time. */
const OPENERS: readonly RegExp[] = [
  /^(?:hi|hello|hey|hiya|howdy|morning|afternoon|evening|good (?:morning|afternoon|evening|day)|ok|okay|right|well|so|then|also|and now|now|great|thanks|thank you|cheers|ta|sorry|please|um+|er+m?|hm+|quick one|quick (?:question|query|check)|another (?:one|question)|one more(?: thing| question)?|next(?: question| one)?|just (?:checking|wondering|to check)|only (?:checking|wondering)|out of (?:interest|curiosity)|for record|fyi|again|there|team|all|i wonder|i was wondering|wondering|i'm wondering|curious|do you know|any idea|remind me|let me know|tell me|tell us) (?!risk |first$)/,
  /^(?:can|could|may|might|would|will|should) (?:you|i|we) (?:(?:please|just|quickly|kindly|possibly|maybe|also|perhaps) )*(?=(?:see|get|have|know|view|find|show|list|give|tell|send|pull|bring|fetch|display|print|count|look|read|run|remind|let|dig)(?: |$))/,
  /^(?:(?:would|do) you mind|are you able to|is it possible to|any chance (?:you could|i could|of)|would it be possible to) /,
  /^(?:i|we)(?:'d| would| just| really| only| also| 'm|'m)*(?: (?:need|want|like|love|have|trying|looking|going|hoping|keen|after|must))+ (?:to )?(?=(?:see|get|have|know|view|find|show|list|give|tell|send|pull|bring|fetch|display|print|count|look|read|run|remind|let|dig) )/,
  /^(?:i|we)(?:'d| would| just| really| also)*(?: (?:need|want|would like|'d like|like|am after|'m after|are after))+ (?!to )/,
  /^(?:i|we) (?:am|are|'m)? ?(?:looking for|after) /,
  /^i'm (?:looking for|after) /,
];
const MAY_HAVE = /^(?:can|could|may|might) (?:i|we) (?:please |just |maybe |also )*(?:have|get|see) (?!you |to )/;
const SHOWS =
  /^(?:(?:get|pull|bring|fetch|dig|send|print|display|view|see|find|give|show|list)(?: (?:me|us|up|out|through|off|of))*|have look at|look (?:at|up)|get hold of)(?: (?:full|complete|whole|quick|short|list|lists|overview|rundown|summary|breakdown|names|details|ids|table|of))* (?=\S)/;
const ENDS =
  /(?: (?:please|thanks|thank you|cheers|ta|if you can|if you could|if possible|if you would|if that is ok|when you can|when you get (?:a )?(?:chance|moment|minute)|asap|for me|for us|mate|clara|though|exactly|by any chance|do you know|you know|i wonder|right|yeah|pretty please|which are (?:those|they)|which ones(?: are (?:those|they))?|what are (?:those|they)|can you (?:check|look|list them|tell me)|would you))+$/;
const MAX_OPENERS = 6;

/**
 * A question without what is only manners around it. What is asked for stays; a request to be shown something becomes
 * "show".
 * @param line words in lower case, joined by spaces, without articles
 */
export function withoutCourtesy(line: string): string {
  let rest = line;
  for (let round = 0; round < MAX_OPENERS; round += 1) {
    const next = OPENERS.reduce((said, opener) => said.replace(opener, ''), rest.replace(MAY_HAVE, 'show '));
    if (next === rest) break;
    rest = next;
  }
  const ended = rest.replace(ENDS, '');
  const shown = ended.replace(SHOWS, 'show ');
  const isAsked =
    /^show (?:which|what|what's|who|who's|whose|where|how many|how much|is|are|do|does|did|have|has|any|there)(?: |$)/.test(
      shown,
    );
  if (shown === ended || ended === '') return ended || rest;
  return isAsked ? shown.replace(/^show /, '') : shown;
}
