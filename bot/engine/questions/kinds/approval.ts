import type { ViewAction } from '../../../../models/contracts/questionView.ts';
import { type QuestionKind, unfit } from './kind.ts';
import { promptUnder, sectionsOf } from './sections.ts';
import { readReasonedNo, readYesOrNo } from './words.ts';

type Plain = Omit<ViewAction, 'label' | 'tone'>;
export const APPROVE: Plain = { id: 'approve', name: 'approve', fields: [], opens: null, answer: { approved: true } };
/** A reason is asked for and optional. */
export const REJECT: Plain = {
  id: 'reject',
  name: 'reject',
  fields: ['reason'],
  opens: null,
  answer: { approved: false },
};

/** A question answered by approve or reject. */
export const approval: QuestionKind = {
  id: 'approval',
  label: 'Approval',
  isForPrograms: true,
  check(_row, { approved }) {
    if (approved === undefined) throw unfit('approved', 'Choose approve or reject.');
    return { userResponse: { approved }, outcome: approved ? 'approved' : 'rejected' };
  },
  readWords: (_row, text) => readYesOrNo(text) ?? readReasonedNo(text),
  wordsThatAnswer: 'Say “approve”, “reject”, or “reject:” with your reason.',
  view: (question, mode) => ({
    prompt: promptUnder(question, mode),
    sections: sectionsOf(question, mode),
    fields: [{ name: 'reason', label: 'Reason', required: false, maxLength: 2000, answers: 'reason' }],
    actions: [
      { ...APPROVE, label: 'Approve', tone: 'primary' },
      { ...REJECT, label: 'Reject', tone: 'danger' },
    ],
  }),
};
