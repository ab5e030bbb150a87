import '../../styles/wholePage.ts';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { useInterrupts } from '../../data/interrupts.ts';
import { ReviewDialog } from '../review/ReviewDialog.tsx';
import { Inbox } from './Inbox.tsx';

/** The inbox as a dialog: of one agent from its card, of all agents from the bell. */
export function InboxDialog({
  agents,
  interruptId = null,
  onClose,
}: {
  agents: readonly UserAgent[];
  /** The question to open first. */
  interruptId?: number | null;
  onClose: () => void;
}) {
  const waiting = agents.filter((agent) => agent.pendingInterrupts > 0);
  const only = agents.length === 1 ? agents[0] : waiting.length === 1 ? waiting[0] : undefined;
  const shown = only ? [only] : agents;
  const interrupts = useInterrupts(shown.map((agent) => agent.id));
  const asked = interrupts.data?.find(
    (it) => it.id === interruptId && it.view.actions.some(({ opens }) => opens === 'rows'),
  );
  const [reviewing, setReviewing] = useState<number | null>(null);
  const open = reviewing ?? asked?.id ?? null;
  if (open !== null) {
    return <ReviewDialog interrupt={interrupts.data?.find((it) => it.id === open) ?? null} onClose={onClose} />;
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={620}
      title={`Agent Inbox - ${only ? only.displayName : 'All agents'}`}
      closeButtonProps={{ 'aria-label': 'Close the inbox' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <Inbox
        interrupts={interrupts.data}
        error={shown.length > 0 ? interrupts.error : undefined}
        nobody={agents.length === 0}
        onRetry={() => void interrupts.mutate()}
        onReview={setReviewing}
        onAnswered={onClose}
      />
    </Modal>
  );
}
