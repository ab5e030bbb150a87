import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type AskedQuery,
  type Beginning,
  type Chip,
  type ChipChange,
  type Operator,
  pathOfList,
  pathOfRows,
  type Query,
} from '../../../models/contracts/askedQuery.ts';
import { isAgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { addPart, ask, type Changed, changePart, removePart } from '../../data/askAgain.ts';
import { textOf } from '../../data/call.ts';
import { MessageText } from '../MessageText.tsx';
import classes from './AskedRows.module.css';

/** An answer about rows with its query as chips: each can be changed or removed, and one added, without words. */
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
  // Read once somebody wants to change a field or to add a condition.
  const [beginnings, setBeginnings] = useState<Beginning[] | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { agentId } = message;
  const { asked, text } = shown;
  const userAgent = agents.find((agent) => agent.agentId === agentId);
  const isChanged = asked !== first;

  const conditionOn = (field: string) => beginnings?.find((one) => one.field === field)?.condition;
  const change = async (query: Query) => {
    if (!isAgentId(agentId) || busy) return;
    setBusy(true);
    setFault(null);
    try {
      const answered = await ask(agentId, query, first.of);
      if (query !== asked.query) setShown(answered);
      setBeginnings((before) => (before || query === asked.query ? answered.beginnings : null));
    } catch (error) {
      setFault(textOf(error, 'The rows could not be read. Please try again.'));
    }
    setBusy(false);
  };

  return (
    <div className={classes.asked} aria-busy={busy}>
      <ul className={classes.chips} aria-label="What was asked for">
        <li className={classes.noun}>{asked.noun}</li>
        {asked.chips.map((chip, at) => (
          <li key={`${chip.part} ${chip.label}`} className={classes.chip}>
            {at > 0 && typeof chip.part === 'number' ? <span className="soft">{asked.joins}</span> : null}
            <QueryChip
              chip={chip}
              beginnings={beginnings ?? []}
              busy={busy}
              onRemove={() => change(removePart(asked.query, chip.part))}
              onChange={(changed) => change(changePart(asked.query, chip.part, changed))}
            />
          </li>
        ))}
        <li>
          {beginnings ? (
            <FieldChoice
              label="Add a condition"
              beginnings={beginnings}
              busy={busy}
              onChoose={(field) => {
                const condition = conditionOn(field);
                if (condition) void change(addPart(asked.query, condition));
              }}
            />
          ) : (
            <button type="button" className={classes.back} disabled={busy} onClick={() => change(asked.query)}>
              Change
            </button>
          )}
        </li>
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
      {fault ? (
        <p role="alert" className={classes.fault}>
          {fault}
        </p>
      ) : null}
      <MessageText text={text} />
      <p className="hidden-label" role="status">
        {isChanged ? text.split('\n')[0] : ''}
      </p>
      {!asked.hasTable && agentId ? (
        <Link to={pathOfList(agentId, asked.query, asked.of)}>Show these {asked.noun} in a table</Link>
      ) : null}
      {asked.hasTable && userAgent ? (
        <Link to={pathOfRows(userAgent.id, asked.query, asked.of)}>Show these {asked.noun} in the table</Link>
      ) : null}
    </div>
  );
}

/** A list of fields. @param chosen the field that it stands for; none where one is added */
function FieldChoice({
  label,
  beginnings,
  chosen = '',
  busy,
  onChoose,
}: {
  label: string;
  beginnings: readonly Beginning[];
  chosen?: string;
  busy: boolean;
  onChoose: (field: string) => void;
}) {
  return (
    <select
      className={classes.choice}
      value={chosen}
      disabled={busy}
      aria-label={label}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {chosen ? null : <option value="">{label}</option>}
      {beginnings.map(({ field, noun }) => (
        <option key={field} value={field}>
          {noun}
        </option>
      ))}
    </select>
  );
}

function QueryChip({
  chip: { label, change, field },
  beginnings,
  busy,
  onRemove,
  onChange,
}: {
  chip: Chip;
  beginnings: readonly Beginning[];
  busy: boolean;
  onRemove: () => void;
  onChange: (changed: Changed) => void;
}) {
  return (
    <span className={classes.part}>
      {field && beginnings.some((one) => one.field === field) ? (
        <FieldChoice
          label={`Field of: ${label}`}
          beginnings={beginnings}
          chosen={field}
          busy={busy}
          onChoose={(chosen) => {
            const condition = beginnings.find((one) => one.field === chosen)?.condition;
            if (condition) onChange({ condition });
          }}
        />
      ) : null}
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
  change: { before, after, operator, operators, value, options, conditions },
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
          onChange={({ currentTarget: { value: chosen, selectedIndex } }) => {
            const condition = conditions?.[selectedIndex];
            onChange(condition ? { condition } : { value: chosen });
          }}
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
