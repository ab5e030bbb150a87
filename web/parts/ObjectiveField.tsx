import { Textarea } from '@mantine/core';
import { LIMITS } from '../../models/contracts/limits.ts';

/** Where a person writes what an agent is to do. */
export function ObjectiveField(props: { label: string; value: string; onChange: (objective: string) => void }) {
  return (
    <Textarea
      {...props}
      rows={3}
      maxLength={LIMITS.objective}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}
