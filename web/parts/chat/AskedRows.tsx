import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type AskedQuery,
  type Chip,
  type ChipChange,
  type Operator,
  pathOfRows,
  type Query,
} from '../../../models/contracts/askedQuery.ts';
import { isAgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { ask, changePart, removePart } from '../../data/askAgain.ts';
import { textOf } from '../../data/call.ts';
import { MessageText } from '../MessageText.tsx';
import classes from './AskedRows.module.css';

/** An answer about rows with its query as chips: each can be removed, and its number changed, without words. */
export function AskedRows({
  message,
  asked: first,
  agents,
}: {
  message: ChatMessage;
  asked: AskedQuery;
  agents: readonly UserAgent[];
}) {
  const [shown, setShown] = useState<{ text: string; asked: AskedQuery }>({ text: message.message, asked: first });
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { agentId } = message;
  const { asked, text } = shown;
  const userAgent = agents.find((agent) => agent.agentId === agentId);
  const isChanged = asked !== first;

  const change = async (query: Query) => {
    if (!isAgentId(agentId) || busy) return;
    setBusy(true);
    setFault(null);
    try {
      setShown(await ask(agentId, query, first.of));
    } catch (error) {
      setFault(textOf(error, 'The rows could not be read. Please try again.'));
    }
    setBusy(false);
  };

  return (
    <div className={classes.asked} aria-busy={busy}>
      {asked.chips.length > 0 || isChanged ? (
        <ul className={classes.chips} aria-label="What was asked for">
          <li className={classes.noun}>{asked.noun}</li>
          {asked.chips.map((chip, at) => (
            <li key={`${chip.part} ${chip.label}`} className={classes.chip}>
              {at > 0 && typeof chip.part === 'number' ? <span className="soft">{asked.joins}</span> : null}
              <QueryChip
                chip={chip}
                busy={busy}
                onRemove={() => change(removePart(asked.query, chip.part))}
                onChange={(changed) => change(changePart(asked.query, chip.part, changed))}
              />
            </li>
          ))}
          {isChanged ? (
            <li>
              <button
                type="button"
                className={classes.back}
                onClick={() => setShown({ text: message.message, asked: first })}
              >
                As first asked
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
      {fault ? (
        <p role="alert" className={classes.fault}>
          {fault}
        </p>
      ) : null}
      <MessageText text={text} />
      <p className="hidden-label" role="status">
        {isChanged ? text.split('\n')[0] : ''}
      </p>
      {asked.hasTable && userAgent ? (
        <Link to={pathOfRows(userAgent.id, asked.query, asked.of)}>Show these {asked.noun} in the table</Link>
      ) : null}
    </div>
  );
}

type Changed = { operator?: Operator; value?: number | string };

function QueryChip({
  chip: { label, change },
  busy,
  onRemove,
  onChange,
}: {
  chip: Chip;
  busy: boolean;
  onRemove: () => void;
  onChange: (changed: Changed) => void;
}) {
  return (
    <span className={classes.part}>
      {change ? <Changeable change={change} label={label} busy={busy} onChange={onChange} /> : <span>{label}</span>}
      <button
        type="button"
        className={classes.remove}
        disabled={busy}
        aria-label={`Remove: ${label}`}
        onClick={onRemove}
      >
        <IconX size={14} aria-hidden />
      </button>
    </span>
  );
}

/** A condition in words, with fields where its comparison and its value stand. */
function Changeable({
  change: { before, after, operator, operators, value, options },
  label,
  busy,
  onChange,
}: {
  change: ChipChange;
  label: string;
  busy: boolean;
  onChange: (changed: Changed) => void;
}) {
  return (
    <>
      {before ? <span>{before}</span> : null}
      {operator ? (
        <select
          className={classes.choice}
          value={operator}
          disabled={busy}
          aria-label={`Comparison of: ${label}`}
          onChange={(event) => onChange({ operator: event.currentTarget.value as Operator })}
        >
          {operators.map((one) => (
            <option key={one.operator} value={one.operator}>
              {one.words}
            </option>
          ))}
        </select>
      ) : null}
      {typeof value === 'number' ? (
        <input
          key={value}
          type="number"
          className={classes.number}
          defaultValue={value}
          disabled={busy}
          aria-label={`Number of: ${label}`}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
          }}
          onBlur={(event) => {
            const given = event.currentTarget.valueAsNumber;
            if (Number.isFinite(given) && given !== value) onChange({ value: given });
          }}
        />
      ) : (
        <select
          className={classes.choice}
          value={options.find((one) => one.toLowerCase() === value.toLowerCase()) ?? value}
          disabled={busy}
          aria-label={`Value of: ${label}`}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
        >
          {options.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      {after ? <span>{after}</span> : null}
    </>
  );
}
