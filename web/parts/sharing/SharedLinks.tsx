import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { type makeSharedLink, type SharedLinkView, sharedPath } from '../../../models/contracts/sharedLinks.ts';
import { CallError, textOf } from '../../data/call.ts';
import { makeLink, revokeLink, type SharedResult, useSharedLinks } from '../../data/sharedLinks.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import { count, dateOf, momentOf } from '../../data/words.ts';
import { ConfirmButton } from '../ConfirmButton.tsx';
import { CopyButton } from '../CopyButton.tsx';
import { Callout } from '../Notice.tsx';
import { NotLoaded } from '../NotLoaded.tsx';
import { SideDrawer } from '../SideDrawer.tsx';
import { WorkButton } from '../WorkButton.tsx';
import classes from './SharedLinks.module.css';

type Made = AnswerOf<typeof makeSharedLink>;
const { days } = LIMITS.sharedLinks;

/** The read-only links to one result of an agent, for owners: made, copied once, and revoked. */
export function SharedLinks({ of, shows, onClose }: { of: SharedResult; shows: string; onClose: () => void }) {
  const { data, error, mutate } = useSharedLinks(of);
  const [made, setMade] = useState<Made | null>(null);
  const [, attempt] = useAttempt();
  const revoke = (id: string) =>
    attempt(async () => {
      await revokeLink(id, of);
      setMade((shown) => (shown?.link.id === id ? null : shown));
    });
  return (
    <SideDrawer title="Links for auditors" close="Close the links" onClose={onClose}>
      <div className={classes.links}>
        <p>
          Whoever holds a link reads {shows}, without an account and wherever they are. They see nothing else and change
          nothing. Each opening is in your audit.
        </p>
        {made ? <NewLink made={made} onDone={() => setMade(null)} /> : <MakeLink of={of} onMade={setMade} />}
        <h3>Links that work</h3>
        {!data ? (
          <NotLoaded failed={Boolean(error)} retry={mutate} />
        ) : data.links.length === 0 ? (
          <p className="soft">There is none.</p>
        ) : (
          <ul className={classes.list}>
            {data.links.map((link) => (
              <LinkRow key={link.id} link={link} onRevoke={() => revoke(link.id)} />
            ))}
          </ul>
        )}
      </div>
    </SideDrawer>
  );
}

function LinkRow({ link, onRevoke }: { link: SharedLinkView; onRevoke: () => void }) {
  const { madeBy, createdAt, expiresAt, lastOpenedAt, openings } = link;
  return (
    <li>
      <div>
        Until {dateOf(expiresAt)}
        <p className="soft small">
          Made by {madeBy} on {dateOf(createdAt)} ·{' '}
          {lastOpenedAt
            ? `opened ${count(openings, 'time')}, last ${momentOf(lastOpenedAt)}`
            : 'nobody has opened it yet'}
        </p>
      </div>
      <ConfirmButton
        label="Revoke"
        of={`the link until ${dateOf(expiresAt)}`}
        sure={`Revoke the link until ${dateOf(expiresAt)}`}
        note="It stops working at once."
        onConfirm={onRevoke}
      />
    </li>
  );
}

function MakeLink({ of, onMade }: { of: SharedResult; onMade: (made: Made) => void }) {
  const [lifetime, setLifetime] = useState(String(days.usual));
  const [fault, setFault] = useState<{ text: string; field: string | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      onMade(await makeLink({ ...of, expiresInDays: lifetime.trim() === '' ? 0 : Number(lifetime) }));
    } catch (failure) {
      const field = (failure instanceof CallError && failure.body?.fields?.expiresInDays) || null;
      setFault({ text: textOf(failure, 'No link was made. Please try again.'), field });
    }
    setBusy(false);
  };
  return (
    <form className={classes.make} onSubmit={submit} noValidate aria-label="Make a link">
      <TextInput
        label="Days that it works"
        description={`${days.least} to ${days.most}`}
        inputMode="numeric"
        value={lifetime}
        error={fault?.field}
        onChange={(event) => setLifetime(event.currentTarget.value)}
      />
      <WorkButton type="submit" busy={busy}>
        Make link
      </WorkButton>
      {fault && !fault.field ? (
        <Callout tone="error" title="No link was made">
          {fault.text}
        </Callout>
      ) : null}
    </form>
  );
}

/** A new link. Its secret is in no later answer of the server. */
function NewLink({ made: { link, secret }, onDone }: { made: Made; onDone: () => void }) {
  const address = `${window.location.origin}${sharedPath(secret)}`;
  return (
    <div role="status">
      <Callout tone="plain" title={`Copy the link now. It is shown once, and works until ${dateOf(link.expiresAt)}.`}>
        <p className={`mono ${classes.address}`}>{address}</p>
        <div className={classes.buttons}>
          <CopyButton text={address} label="Copy the link" />
          <Button size="xs" onClick={onDone}>
            I have copied it
          </Button>
        </div>
      </Callout>
    </div>
  );
}
