import { Button, Textarea } from '@mantine/core';
import { editableFields, type QuestionRow, type QuestionRows } from '../../../models/contracts/questionRows.ts';
import type { Kept } from './decisions.ts';
import { isEditChanged, type Typed, valuesTyped } from './openEdits.ts';
import classes from './Review.module.css';

/**
 * Editable fields of a row. What is typed becomes its decision once it is saved: by the button, by Ctrl+Enter, or by
 * accepting the row.
 */
export function EditRow({
  view,
  row,
  decided,
  typed,
  onType,
  onSave,
  onDiscard,
}: {
  view: QuestionRows;
  row: QuestionRow;
  decided: Kept | undefined;
  /** What is typed and not saved yet, by field. */
  typed: Typed;
  onType: (field: string, text: string) => void;
  onSave: () => void;
  onDiscard: () => void;
}) {
  const own = row.values ?? {};
  const values = valuesTyped(row, decided, typed);
  const fields = editableFields(view, row.values);
  const differing = fields.filter(({ name }) => values[name] !== own[name]);
  return (
    <fieldset className={classes.edit} data-edit={row.id}>
      <legend>Edit {row.name}</legend>
      {fields.map((field, at) => {
        const { name, label, required } = field;
        const differs = differing.includes(field);
        return (
          <Textarea
            key={name}
            size="xs"
            label={label}
            description={differs ? `Was: ${own[name] || 'empty'}` : undefined}
            error={required && values[name]?.trim() === '' ? `A ${view.noun.one} needs a ${name}.` : undefined}
            rows={at === 0 ? 1 : 2}
            data-mantine-stop-propagation="true"
            classNames={differs ? { input: classes.changedInput } : undefined}
            value={values[name] ?? ''}
            onChange={(event) => onType(name, event.currentTarget.value)}
          />
        );
      })}
      <div className={classes.buttons}>
        <Button size="xs" data-mantine-stop-propagation="true" onClick={onSave}>
          {isEditChanged(row, decided, typed) ? 'Save edit' : 'Close'}
        </Button>
        <Button size="xs" variant="default" data-mantine-stop-propagation="true" onClick={onDiscard}>
          Discard edit
        </Button>
        {differing.length > 0 ? (
          <Button
            size="xs"
            variant="subtle"
            data-mantine-stop-propagation="true"
            onClick={() => {
              for (const { name } of differing) onType(name, own[name] ?? '');
            }}
          >
            Restore the original text
          </Button>
        ) : null}
      </div>
      <p className={`soft ${classes.editKeys}`}>
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> saves, <kbd>Esc</kbd> discards
      </p>
    </fieldset>
  );
}
