import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { QuestionRow } from '../../../../models/contracts/questionRows.ts';
import { defineRowReview } from '../../../engine/questions/kinds/rowReview.ts';
import type { Draft } from '../drafts/composeDrafts.ts';

/** Id of the kind of question. */
export const DRAFT_REVIEW = 'draft_review';

/** A draft under a consent mode: whole, or as the number of its row. */
function rowUnder(draft: Draft, mode: ConsentMode): QuestionRow {
  const { row, name, address, company, subject, first, second, third } = draft;
  const isFull = mode === 'full';
  return {
    id: String(row),
    name: `Row ${row}`,
    title: isFull ? [name || address, company].filter(Boolean).join(', ') : null,
    group: isFull ? company || null : null,
    values: isFull ? { to: [name, company, address].filter(Boolean).join(', '), subject, first, second, third } : null,
    quotes: [],
    grade: null,
    options: [],
    option: '',
    earlier: null,
  };
}

/** The review of drafts: each is approved, edited or rejected on its own, and never all at once. */
export const draftReview = defineRowReview<Draft>({
  id: DRAFT_REVIEW,
  label: 'Draft review',
  noun: { one: 'draft', many: 'drafts' },
  headings: { row: 'Person', quotes: '', grade: null },
  fields: [
    { name: 'to', label: 'To', required: true, half: false, fixed: true },
    { name: 'subject', label: 'Subject', required: true, half: false },
    { name: 'first', label: 'First mail', required: true, half: false },
    { name: 'second', label: 'Second mail, after 4 days', required: true, half: false },
    { name: 'third', label: 'Last mail, after 10 days', required: true, half: false },
  ],
  outcomes: [
    { id: 'accepted', label: 'Approve', done: 'Approved', counted: 'approved', all: null },
    { id: 'edited', label: 'Edit', done: 'Approved with edits', counted: 'edited', all: null },
    { id: 'rejected', label: 'Reject', done: 'Rejected', counted: 'rejected', all: null },
  ],
  ask: (count) => `Please review ${count} ${count === 1 ? 'draft' : 'drafts'}`,
  readRow: rowUnder,
});
