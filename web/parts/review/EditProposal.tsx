import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import {
  type NewHazard,
  PROPOSED_FIELDS,
  type ProposedValues,
  type ReviewRow,
} from '../../../models/contracts/clinical_safety/hazards.ts';
import { accept } from './decisions.ts';
import classes from './Review.module.css';

/** The fields of a proposal, open for changes; each is kept as it is typed. */
export function EditProposal({
  proposal,
  row,
  onChange,
  onClose,
}: {
  proposal: NewHazard;
  row: ReviewRow | undefined;
  onChange: (row: ReviewRow) => void;
  onClose: () => void;
}) {
  const [values, setValues] = useState<ProposedValues>({ ...proposal.values, ...row?.values });
  const put = (name: keyof ProposedValues, value: string) => {
    const next = { ...values, [name]: value };
    setValues(next);
    onChange(
      accept(proposal, { id: proposal.id, outcome: 'edited', values: next, ...(row?.kbId ? { kbId: row.kbId } : {}) }),
    );
  };
  return (
    <fieldset className={classes.edit}>
      <legend>Edit {proposal.proposedId}</legend>
      {PROPOSED_FIELDS.map((field, at) => {
        const differs = values[field.name] !== proposal.values[field.name];
        return (
          <Textarea
            key={field.name}
            size="xs"
            label={field.label}
            description={differs ? `Was: ${proposal.values[field.name] || 'empty'}` : undefined}
            error={field.name === 'name' && values.name.trim() === '' ? 'A hazard needs a name.' : undefined}
            rows={field.name === 'name' ? 1 : 2}
            data-mantine-stop-propagation="true"
            data-autofocus={at === 0 || undefined}
            autoFocus={at === 0}
            classNames={differs ? { input: classes.changedInput } : undefined}
            value={values[field.name]}
            onChange={(event) => put(field.name, event.currentTarget.value)}
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
            setValues(proposal.values);
            onChange(accept(proposal, undefined));
          }}
        >
          Back to the proposal
        </Button>
      </div>
    </fieldset>
  );
}
