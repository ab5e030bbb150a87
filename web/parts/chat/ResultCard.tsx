import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ChatMessage, MessageCard } from '../../../models/contracts/chat.ts';
import { webAgent } from '../../agents/index.ts';
import classes from './ChatWindow.module.css';
import type { MessageContext } from './messageContext.ts';
import { SayButton } from './SayButton.tsx';

type Action = NonNullable<NonNullable<MessageCard>['actions']>[number];

/** A message's card: figures first, evidence one click below, then actions. */
export function ResultCard({ message, ...context }: { message: ChatMessage } & MessageContext) {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const toggle = () => {
    context.onExpand();
    setOpen(!open);
  };
  useEffect(() => {
    // Scrolls the message list, not the page.
    const list = frame.current?.offsetParent;
    if (open && frame.current && list) list.scrollTo({ top: frame.current.offsetTop - 12, behavior: 'smooth' });
  }, [open]);
  const card = message.card;
  if (!card) return null;
  const its = context.agents.length > 0 ? webAgent(message.agentId)?.result : undefined;
  const result = its?.isIn(message) ? its : null;
  const interrupt = context.interrupts.find((it) => it.id === card.interruptId);
  // Left out here: actions that are already next steps above the message box, or files below the message.
  const elsewhere = ['open-review', 'merge', 'download', ...(message.kind === 'upload' ? ['send'] : [])];
  const actions = (card.actions ?? []).filter((it) => !elsewhere.includes(it.action));
  const bare = !card.figures?.length && !(card.headline && !card.interruptId);
  const waits = context.interrupts.some((it) => it.id === card.interruptId && it.status === 'pending');
  // The newest question already has its button among the next steps.
  const reviewable = card.interruptId !== undefined && !(waits && message.id === context.newest);
  return (
    <div ref={frame} className={bare ? classes.bareActions : classes.resultCard}>
      {card.figures && card.figures.length > 0 ? (
        <dl className={classes.figuresRow}>
          {card.figures.map((figure) => (
            <div key={figure.label}>
              <dd>{figure.value}</dd>
              <dt>{figure.label}</dt>
            </div>
          ))}
        </dl>
      ) : card.headline && !bare ? (
        <p className={classes.headline}>{card.headline}</p>
      ) : null}
      {open && result ? <result.Evidence message={message} /> : null}
      {result || reviewable || actions.length > 0 ? (
        <div className={classes.cardActions}>
          {reviewable && card.interruptId !== undefined ? (
            interrupt && interrupt.status !== 'pending' ? (
              <span className="soft">{interrupt.resolution?.text ?? 'This question is closed.'}</span>
            ) : (
              <Button size="xs" variant="light" onClick={() => context.onReview(card.interruptId ?? 0)}>
                {interrupt?.draft && interrupt.draft.rows.length > 0
                  ? 'Continue the review'
                  : `${interrupt && !interrupt.abilities.answer ? 'Read' : 'Review'} the ${interrupt?.view.rows?.noun.many ?? 'rows'}`}
              </Button>
            )
          ) : null}
          {actions.map((action, at) => (
            <CardAction
              key={action.label}
              action={action}
              primary={at === 0 && !reviewable && !result}
              context={context}
            />
          ))}
          {result ? <result.Links message={message} isOpen={open} onToggle={toggle} /> : null}
        </div>
      ) : null}
    </div>
  );
}

function CardAction({ action, primary, context }: { action: Action; primary: boolean; context: MessageContext }) {
  const variant = primary ? 'filled' : 'default';
  const button = (run: () => void) => (
    <Button size="xs" variant={variant} onClick={run}>
      {action.label}
    </Button>
  );
  switch (action.action) {
    case 'send':
      return <SayButton label={action.label} words={action.value ?? action.label} primary={primary} />;
    case 'upload':
      return button(context.onUpload);
    case 'sample':
      return button(context.onSample);
    default:
      return null;
  }
}
