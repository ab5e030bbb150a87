import { NativeSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import {
  type FindingLife,
  type FindingLives,
  MAX_ACCEPT_REASON,
  MAX_COMMENT,
} from '../../../../models/contracts/clinical_safety/findingLives.ts';
import { stateOf } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { placeText } from '../../../../models/contracts/clinical_safety/placeText.ts';
import { useSession } from '../../../data/session.ts';
import { useAttempt } from '../../../data/useAttempt.ts';
import { dateOf, momentOf } from '../../../data/words.ts';
import { SideDrawer } from '../../../parts/SideDrawer.tsx';
import { Tag } from '../../../parts/Tag.tsx';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import classes from './FindingDrawer.module.css';
import { FINDING_STATES, useFindingChange } from './findings.ts';

type Props = {
  analysisId: number;
  finding: Finding;
  life: FindingLife | undefined;
  lives: FindingLives;
};

function Fact({ label, value }: { label: string; value: string | null }) {
  if (!value) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** How the finding stands, who has it, and what can be done. */
function Standing({ analysisId, finding, life, lives }: Props) {
  const { user } = useSession();
  const { change } = useFindingChange(analysisId);
  const [busy, attempt] = useAttempt();
  const [reason, setReason] = useState('');
  const state = stateOf(finding, life, lives.next);
  const version = life?.version ?? 0;
  const { accepted = null, assignee = null } = life ?? {};
  const assign = (value: string) =>
    attempt(() => change(finding.id, version, { assignTo: value === '' ? null : Number(value) }));
  const accept = () =>
    attempt(async () => {
      await change(finding.id, version, { accept: reason });
      setReason('');
    });
  return (
    <section className={classes.part}>
      <p>
        <Tag tone={FINDING_STATES[state].tone}>{FINDING_STATES[state].label}</Tag>{' '}
        {lives.next && (state === 'fixed' || state === 'gone') ? (
          <Link to={analysisPath(lives.next.id)}>
            {lives.next.logVersion ? `in v${lives.next.logVersion}, ` : ''}by the analysis of{' '}
            {dateOf(lives.next.createdAt)}
          </Link>
        ) : null}
      </p>
      {accepted ? (
        <p>
          {accepted.holds ? '' : 'The log has another value since it was '}
          {accepted.holds ? 'Accepted' : 'accepted'} by {accepted.by}, {dateOf(accepted.at)}: {accepted.reason}
        </p>
      ) : null}
      {state === 'open' || state === 'accepted' ? (
        <>
          {lives.mayAssign ? (
            <NativeSelect
              label="Assigned to"
              value={assignee ? String(assignee.userId) : ''}
              disabled={busy}
              onChange={(event) => void assign(event.currentTarget.value)}
              data={[
                { value: '', label: 'Nobody' },
                ...lives.members.map(({ userId, name }) => ({ value: String(userId), label: name })),
              ]}
            />
          ) : (
            <p>
              Assigned to {assignee?.name ?? 'nobody'}.{' '}
              {user && assignee?.userId !== user.id ? (
                <WorkButton variant="default" size="compact-sm" busy={busy} onClick={() => assign(String(user.id))}>
                  Assign to me
                </WorkButton>
              ) : null}
            </p>
          )}
          {!lives.mayAccept ? (
            <p className="soft small">Only those who may answer clinical questions can accept a finding.</p>
          ) : state === 'accepted' ? (
            <WorkButton
              variant="default"
              busy={busy}
              onClick={() => attempt(() => change(finding.id, version, { reopen: true }))}
            >
              Open it again
            </WorkButton>
          ) : (
            <>
              <Textarea
                label="Reason for accepting it"
                autosize
                minRows={2}
                maxLength={MAX_ACCEPT_REASON}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
              <WorkButton variant="default" busy={busy} disabled={reason.trim() === ''} onClick={accept}>
                Accept with this reason
              </WorkButton>
            </>
          )}
        </>
      ) : null}
    </section>
  );
}

function Comments({ analysisId, finding, life }: Props) {
  const { comment } = useFindingChange(analysisId);
  const [busy, attempt] = useAttempt();
  const [text, setText] = useState('');
  const send = () =>
    attempt(async () => {
      await comment(finding.id, text);
      setText('');
    });
  const comments = life?.comments ?? [];
  return (
    <section className={classes.part}>
      <h3>Comments {comments.length > 0 ? comments.length : null}</h3>
      <ul className={classes.comments}>
        {comments.map(({ id, by, at, text: said }) => (
          <li key={id}>
            <p className="soft small">
              {by}, {momentOf(at)}
            </p>
            <p>{said}</p>
          </li>
        ))}
      </ul>
      <Textarea
        label="Your comment"
        autosize
        minRows={2}
        maxLength={MAX_COMMENT}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <WorkButton variant="default" busy={busy} disabled={text.trim() === ''} onClick={send}>
        Comment
      </WorkButton>
    </section>
  );
}

/** One finding with its evidence, its state and what people said. */
export function FindingDrawer({ onClose, ...props }: Props & { onClose: () => void }) {
  const { finding } = props;
  return (
    <SideDrawer title={finding.title} close="Close the finding" onClose={onClose}>
      <p>{finding.message}</p>
      <dl className={classes.facts}>
        <Fact label="Hazard" value={finding.hazardId} />
        <Fact label="Cells" value={finding.places.map(placeText).join(', ')} />
        <Fact label="Recorded" value={finding.found} />
        <Fact label="Expected" value={finding.expected} />
        <Fact label="Clause" value={finding.clause ? `DCB0129 ${finding.clause}` : 'Good practice'} />
      </dl>
      <Standing {...props} />
      <Comments {...props} />
    </SideDrawer>
  );
}
