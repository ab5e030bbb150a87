import { useEffect, useState } from 'react';
import type { QuestionRow } from '../../../models/contracts/questionRows.ts';
import { type Clashes, decisionsById } from './decisions.ts';
import type { Keeper } from './keeper.ts';
import { clashText, spokenText } from './reviewText.ts';

/** What a review says of the last action: a fault, a note, and one sentence for a screen reader with the count. */
export function useReviewTalk({
  keeper,
  rows,
  clashes,
  by,
}: {
  keeper: Keeper;
  rows: readonly QuestionRow[];
  clashes: Clashes;
  /** Who else decided here. */
  by: string | null;
}) {
  const [fault, setFault] = useState<string | null>(null);
  const [note, showNote] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  /** Says to a screen reader what was done, with the count that stands now. */
  const say = (text: string) => {
    const decisions = decisionsById(keeper.current().decisions);
    setSaid(spokenText(text, rows.filter(({ id }) => decisions[id]).length, rows.length));
  };
  const differing = Object.keys(clashes).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: said when their number changes, not with each decision
  useEffect(() => {
    // What prevented sending may have been one of them.
    setFault(null);
    if (differing > 0) say(clashText(differing, by));
  }, [differing]);
  return {
    fault,
    note,
    said,
    clear: () => {
      setFault(null);
      showNote(null);
    },
    say,
    setFault,
    setNote: (text: string) => {
      showNote(text);
      say(text);
    },
  };
}
