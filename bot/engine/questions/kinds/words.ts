import type { AnswerBody } from '../../../../models/contracts/interrupts.ts';

const YES = /^(yes|yep|approve[d]?|accept(ed)?)( please)?( (it|them|all|everything))?( please)?[\s.!]*$/i;
const NO = /^(no|nope|reject(ed)?|refuse[d]?|decline[d]?)( (thanks|thank you))?( (it|them|all|everything))?[\s.!]*$/i;

/** Yes or no, where the text says nothing else; null otherwise. */
export const readYesOrNo = (text: string, yes = YES, no = NO): AnswerBody | null =>
  yes.test(text) ? { approved: true } : no.test(text) ? { approved: false } : null;
