import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AccessTokenView, makeAccessToken } from '../../../models/contracts/accessTokens.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { revokeToken, useAccessTokens } from '../../data/accessTokens.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import { count, dateOf, momentOf } from '../../data/words.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Callout } from '../../parts/Notice.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';
import classes from './DashboardPage.module.css';
import { MakeTokenForm } from './MakeTokenForm.tsx';
import own from './PreferencesTab.module.css';

type Made = AnswerOf<typeof makeAccessToken>;

/** Access tokens of programs, for owners: made, copied once, and revoked. */
export function AccessTokensSection() {
  const { data, error, mutate } = useAccessTokens();
  const [made, setMade] = useState<Made | null>(null);
  const [, attempt] = useAttempt();
  return (
    <section className={own.members} aria-labelledby="access-tokens">
      <div className={classes.sectionHead}>
        <h2 id="access-tokens">Programs</h2>
        <span className="soft">
          With an access token, another agent, a flow or a script asks your people, reads what you allow and starts
          work: at <span className="mono">/mcp</span> (Model Context Protocol) or by the calls of{' '}
          <a href="/api/docs">the API</a>.
        </span>
      </div>
      {!data ? (
        <SectionNotLoaded
          title="The access tokens could not be loaded"
          failed={Boolean(error)}
          retry={mutate}
          lines={2}
        />
      ) : data.tokens.length === 0 ? (
        <p className="soft">No program has access. Make a token for the first one.</p>
      ) : (
        <div className="card">
          <ul>
            {data.tokens.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                onRevoke={() =>
                  attempt(async () => {
                    await revokeToken(token.id);
                    setMade((shown) => (shown?.token.id === token.id ? null : shown));
                  })
                }
              />
            ))}
          </ul>
        </div>
      )}
      {made ? <Secrets made={made} onDone={() => setMade(null)} /> : <MakeTokenForm onMade={setMade} />}
    </section>
  );
}

function TokenRow({ token, onRevoke }: { token: AccessTokenView; onRevoke: () => void }) {
  return (
    <li>
      <div>
        {token.name} <span className="soft mono">…{token.ending}</span>
        <p className="soft small">
          Made by {token.madeBy} on {dateOf(token.createdAt)} ·{' '}
          {token.lastUsedAt ? `last used ${momentOf(token.lastUsedAt)}` : 'never used'} ·{' '}
          {token.expiresAt ? `expires ${dateOf(token.expiresAt)}` : 'does not expire'}
        </p>
        {token.failedWebhooks ? (
          <p className={`small ${own.failed}`}>
            {count(token.failedWebhooks.count, 'webhook')} not delivered, last for question{' '}
            {token.failedWebhooks.questionId}: {token.failedWebhooks.lastError} The program can still read the answer.
          </p>
        ) : null}
      </div>
      <div className={own.roles}>
        {token.scopes.map((scope) => (
          <Tag key={scope}>{scope}</Tag>
        ))}
      </div>
      <ConfirmButton
        label="Revoke"
        of={token.name}
        sure={`Revoke the token ${token.name}`}
        note="It stops working at once, and its open questions are withdrawn."
        onConfirm={onRevoke}
      />
    </li>
  );
}

/** The two secrets of a new token. They are in no later answer of the server. */
function Secrets({ made: { token, secret, webhookSecret }, onDone }: { made: Made; onDone: () => void }) {
  return (
    <div className={own.secrets} role="status">
      <Callout
        tone="plain"
        title={`Copy the token “${token.name}” now. It is shown once.`}
        action={
          <Button size="xs" onClick={onDone}>
            I have copied it
          </Button>
        }
      >
        <Secret label="Access token" value={secret} />
        <Secret label="Key that signs its webhooks" value={webhookSecret} />
      </Callout>
    </div>
  );
}

function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <p className="soft small">{label}</p>
      <span className={own.link}>
        <span className="mono">{value}</span>
        <CopyButton text={value} name={`Copy: ${label}`} />
      </span>
    </div>
  );
}
