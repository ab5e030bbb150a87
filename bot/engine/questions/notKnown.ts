/** Matches an answer that says only that somebody does not know. */
const NOT_KNOWN =
  /^(?:sorry,? )?(?:i )?(?:(?:really|honestly) )?(?:do not|don[’']?t) know(?: (?:it|that|this|yet|either))*[\s.!]*$|^(?:(?:i am|i[’']?m) )?(?:not sure|unsure)(?: yet)?[\s.!]*$|^(?:i have )?no idea(?: yet)?[\s.!]*$|^(?:unknown|n\/a|tbc|tbd|skip|later|\?+|[-–—]+)[\s.!]*$/i;

/** Whether an answer says that somebody does not know, so that it is no value: nothing is written from it. */
export const saysNotKnown = (text: string): boolean => NOT_KNOWN.test(text.trim());

/** A question whose answer is needed, asked once more after one that did not give it. */
export const askedAgain = (prompt: string): string =>
  `I can’t go on without this. If nobody knows it yet, withdraw the question in the inbox. ${prompt}`;
