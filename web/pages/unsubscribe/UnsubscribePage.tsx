import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { stopQuestionMail } from '../../../models/contracts/members.ts';
import { call, codeOf } from '../../data/call.ts';
import { Callout, Notice } from '../../parts/Notice.tsx';
import { Page } from '../../parts/Page.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';

/** Stops question mails for the member that the link names. Only the button changes anything, because scanners open links. */
export function UnsubscribePage() {
  const { token = '' } = useParams();
  const [stopped, setStopped] = useState<string | null>(null);
  const [failed, setFailed] = useState<'not_found' | 'other' | null>(null);
  const [busy, setBusy] = useState(false);
  const stop = async () => {
    setBusy(true);
    setFailed(null);
    try {
      setStopped((await call(stopQuestionMail, { params: { token } })).companyName);
    } catch (error) {
      setFailed(codeOf(error) === 'not_found' ? 'not_found' : 'other');
    }
    setBusy(false);
  };

  return (
    <Page title="Mails about questions" narrow>
      {stopped !== null ? (
        <Notice
          level={1}
          title="No more mails about questions"
          text={`${stopped || 'Your company'} still asks you in the inbox and in the chat. You can turn the mails on again under Preferences.`}
          action={
            <Button component={Link} to="/#preferences" variant="default">
              Open preferences
            </Button>
          }
        />
      ) : failed === 'not_found' ? (
        <Notice
          level={1}
          title="This link does not work"
          text="It may be incomplete, or you are no longer a member of that company. You can choose your mails under Preferences."
        />
      ) : (
        <>
          <Notice
            level={1}
            title="Stop mails about questions?"
            text="You will get no more digests, reminders or mails about single questions from one company. You still get other mails, such as codes and invitations."
            action={
              <WorkButton busy={busy} onClick={() => void stop()}>
                Stop these mails
              </WorkButton>
            }
          />
          {failed ? (
            <Callout tone="error" title="The mails were not stopped">
              Check your connection and try again.
            </Callout>
          ) : null}
        </>
      )}
    </Page>
  );
}
