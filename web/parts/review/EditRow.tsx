import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import {
  editableFields,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
} from '../../../models/contracts/questionRows.ts';
import { accept } from './decisions.ts';
import classes from './Review.module.css';

/** Editable fields of a row; each change is kept as it is typed. */
export function EditRow({
  view,
  row,
  decided,
  onChange,
  onClose,
}: {
  view: QuestionRows;
  row: QuestionRow;
  decided: RowDecision | undefined;
  onChange: (decided: RowDecision) => void;
  onClose: () => void;
}) {
  const own = row.values ?? {};
  const [values, setValues] = useState<Record<string, string>>({ ...own, ...decided?.values });
  const put = (name: string, value: string) => {
    const next = { ...values, [name]: value };
    setValues(next);
    const { choice, reason } = decided ?? {};
    const kept = { ...(choice ? { choice } : {}), ...(reason ? { reason } : {}) };
    onChange(accept(row, { id: row.id, outcome: decided?.outcome ?? 'edited', values: next, ...kept }));
  };
  return (
    <fieldset className={classes.edit}>
      <legend>Edit {row.name}</legend>
      {editableFields(view, row.values).map(({ name, label, required }, at) => {
        const differs = values[name] !== own[name];
        return (
          <Textarea
            key={name}
            size="xs"
            label={label}
            description={differs ? `Was: ${own[name] || 'empty'}` : undefined}
            error={required && values[name]?.trim() === '' ? `A ${view.noun.one} needs a ${name}.` : undefined}
            rows={at === 0 ? 1 : 2}
            data-mantine-stop-propagation="true"
            data-autofocus={at === 0 || undefined}
            autoFocus={at === 0}
            classNames={differs ? { input: classes.changedInput } : undefined}
            value={values[name] ?? ''}
            onChange={(event) => put(name, event.currentTarget.value)}
          />
        );
      })}
      <div className={classes.buttons}>
        <Button size="xs" onClick={onClose}>
          Done
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            setValues(own);
            onChange(accept(row, undefined));
          }}
        >
          Undo changes
        </Button>
      </div>
    </fieldset>
  );
}
