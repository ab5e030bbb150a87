import { Button } from '@mantine/core';
import { useState } from 'react';
import type { MatchDecisionShown } from '../../../../models/contracts/clinical_safety/matchDecisions.ts';
import { showToast } from '../../../data/toasts.ts';
import { useAttempt } from '../../../data/useAttempt.ts';
import { dateOf } from '../../../data/words.ts';
import { Tag } from '../../../parts/Tag.tsx';
import { FilterBar, holds } from '../../../parts/table/FilterBar.tsx';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import { useDecisionChange } from './decisions.ts';

type Kind = 'all' | 'covers' | 'not' | 'back';

const kindOf = ({ covers, takenBack }: MatchDecisionShown): Kind => (takenBack ? 'back' : covers ? 'covers' : 'not');

const KINDS: { kind: Kind; label: string }[] = [
  { kind: 'all', label: 'All' },
  { kind: 'covers', label: 'Covers' },
  { kind: 'not', label: 'Does not cover' },
  { kind: 'back', label: 'Taken back' },
];

/** Takes one decision back, or restores it; both can be undone. */
function ChangeButton({ decision }: { decision: MatchDecisionShown }) {
  const [busy, attempt] = useAttempt();
  const change = useDecisionChange();
  const { ticketKey, hazardId, takenBack } = decision;
  const takeBack = () =>
    attempt(async () => {
      const changed = await change(decision, true);
      showToast({
        title: 'Taken back',
        message: `${hazardId} and ${ticketKey} no longer count as decided. The next analysis asks again.`,
        tone: 'plain',
        action: { label: 'Undo', run: () => void attempt(() => change(changed, false)) },
      });
    });
  const restore = () =>
    attempt(async () => {
      await change(decision, false);
      showToast({ title: 'Restored', message: `The decision on ${ticketKey} holds again.`, tone: 'done' });
    });
  return takenBack ? (
    <WorkButton variant="subtle" size="compact-sm" busy={busy} onClick={restore}>
      Restore <span className="hidden-label">the decision on {ticketKey}</span>
    </WorkButton>
  ) : (
    <WorkButton variant="default" size="compact-sm" busy={busy} onClick={takeBack}>
      Take back <span className="hidden-label">the decision on {ticketKey}</span>
    </WorkButton>
  );
}

const makeColumns = (mayChange: boolean): Column<MatchDecisionShown>[] => [
  {
    id: 'ticket',
    header: 'Ticket',
    width: '140px',
    sort: ({ ticketKey }) => ticketKey,
    cell: ({ ticketKey }) => <span className="mono">{ticketKey}</span>,
  },
  {
    id: 'decision',
    header: 'Decision',
    sort: (decision) => kindOf(decision),
    cell: ({ covers, hazardId, takenBack }) => (
      <div>
        <Tag tone={takenBack ? 'outline' : covers ? 'done' : 'plain'}>{covers ? 'Covers' : 'Does not cover'}</Tag>{' '}
        <span className="mono">{hazardId}</span>
        {takenBack ? (
          <p className="soft small">
            Taken back by {takenBack.by}, {dateOf(takenBack.at)}
          </p>
        ) : null}
      </div>
    ),
  },
  {
    id: 'by',
    header: 'Decided by',
    sort: ({ at }) => at,
    cell: ({ by, at }) => (
      <div>
        {by}
        <br />
        <span className="soft small">{dateOf(at)}</span>
      </div>
    ),
  },
  ...(mayChange
    ? [
        {
          id: 'change',
          header: 'Change',
          width: '140px',
          cell: (decision: MatchDecisionShown) => (
            <div>
              <ChangeButton decision={decision} />
            </div>
          ),
        },
      ]
    : []),
];

/** The decisions as a table, with a filter and a search. */
export function DecisionsTable({
  decisions,
  mayChange,
  words: first,
}: {
  decisions: readonly MatchDecisionShown[];
  mayChange: boolean;
  /** The search to begin with. */
  words: string;
}) {
  const [kind, setKind] = useState('all');
  const [words, setWords] = useState(first);
  const found = decisions.filter(({ ticketKey, hazardId, by }) => holds(words, ticketKey, hazardId, by));
  const of = (wanted: string) => (wanted === 'all' ? found : found.filter((one) => kindOf(one) === wanted));
  const isFiltered = kind !== 'all' || words.trim() !== '';
  return (
    <>
      <FilterBar
        label="Decisions"
        value={kind}
        onChange={setKind}
        words={words}
        onWords={setWords}
        options={KINDS.map((one) => ({ value: one.kind, label: `${one.label} ${of(one.kind).length}` }))}
      >
        {isFiltered ? (
          <Button
            variant="subtle"
            size="xs"
            onClick={() => {
              setKind('all');
              setWords('');
            }}
          >
            Show all
          </Button>
        ) : null}
      </FilterBar>
      <SortableTable
        label="Decisions"
        rows={of(kind)}
        columns={makeColumns(mayChange)}
        keyOf={({ id }) => id}
        empty="No decision matches. Change or clear the filter."
      />
    </>
  );
}
