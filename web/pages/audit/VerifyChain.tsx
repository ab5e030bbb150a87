import { useState } from 'react';
import { type AuditVerdict, verifyChain } from '../../data/audit.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import { count } from '../../data/words.ts';
import { Callout } from '../../parts/Notice.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './AuditPage.module.css';

/** Verifies the chain on request, and says what was found. */
export function VerifyChain() {
  const [verdict, setVerdict] = useState<AuditVerdict | null>(null);
  const [busy, attempt] = useAttempt();
  return (
    <div className={classes.verify}>
      <WorkButton
        variant="default"
        busy={busy}
        onClick={() => void attempt(async () => setVerdict(await verifyChain()))}
      >
        Verify chain
      </WorkButton>
      <div role="status">
        {verdict ? (
          <Callout
            tone={verdict.whole ? 'done' : 'error'}
            title={verdict.whole ? `The chain is whole: ${count(verdict.rows, 'row')}.` : 'The chain is broken.'}
          >
            {verdict.whole ? (
              <p className={`small mono ${classes.hash}`}>Head {verdict.head}</p>
            ) : (
              <p>{verdict.reason} Tell whoever runs this server, and keep its backups.</p>
            )}
          </Callout>
        ) : null}
      </div>
    </div>
  );
}
