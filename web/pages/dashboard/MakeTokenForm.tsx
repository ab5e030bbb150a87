import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type makeAccessToken, TOKEN_LIFETIMES } from '../../../models/contracts/accessTokens.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { TOKEN_SCOPE_NAMES, TOKEN_SCOPES, type TokenScope } from '../../../models/contracts/tokenScopes.ts';
import { makeToken } from '../../data/accessTokens.ts';
import { CallError, textOf } from '../../data/call.ts';
import { Callout } from '../../parts/Notice.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import own from './PreferencesTab.module.css';

type Lifetime = (typeof TOKEN_LIFETIMES)[number];
const lifetimes = TOKEN_LIFETIMES.map((days) => ({ value: String(days), label: days ? `${days} days` : 'Never' }));
const lifetimeOf = (value: string): Lifetime => TOKEN_LIFETIMES.find((days) => String(days) === value) ?? 90;

/** Makes an access token: a name, what it may do, and when it expires. */
export function MakeTokenForm({ onMade }: { onMade: (made: AnswerOf<typeof makeAccessToken>) => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<TokenScope[]>(['questions:ask']);
  const [lifetime, setLifetime] = useState('90');
  const [fault, setFault] = useState<{ text: string; fields: Record<string, string> } | null>(null);
  const [busy, setBusy] = useState(false);
  const reads = scopes.some((scope) => scope.endsWith(':read'));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      const made = await makeToken({ name, scopes, expiresInDays: lifetimeOf(lifetime) });
      setName('');
      onMade(made);
    } catch (failure) {
      const fields = (failure instanceof CallError && failure.body?.fields) || {};
      setFault({ text: textOf(failure, 'No token was made. Please try again.'), fields });
    }
    setBusy(false);
  };

  return (
    <form className={own.token} onSubmit={submit} noValidate aria-label="Make an access token">
      <div className={own.invite}>
        <TextInput
          label="Name of the program"
          description="People see it with each question that it asks."
          value={name}
          error={fault?.fields.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label="Expires in"
          value={lifetime}
          data={lifetimes}
          onChange={(event) => setLifetime(event.currentTarget.value)}
        />
      </div>
      <Checkbox.Group
        label="What it may do"
        value={scopes}
        error={fault?.fields.scopes}
        onChange={(chosen) => setScopes(TOKEN_SCOPE_NAMES.filter((scope) => chosen.includes(scope)))}
      >
        <div className={own.scopes}>
          {TOKEN_SCOPE_NAMES.map((scope) => (
            <Checkbox key={scope} value={scope} label={TOKEN_SCOPES[scope]} />
          ))}
        </div>
      </Checkbox.Group>
      {reads ? (
        <p className="soft small">
          Whoever holds this token reads your company’s content, wherever they are. Give it only to a program whose
          location you accept.
        </p>
      ) : null}
      {fault && Object.keys(fault.fields).length === 0 ? (
        <Callout tone="error" title="No token was made">
          {fault.text}
        </Callout>
      ) : null}
      <div className={own.actions}>
        <WorkButton type="submit" variant="default" busy={busy}>
          Make token
        </WorkButton>
      </div>
    </form>
  );
}
