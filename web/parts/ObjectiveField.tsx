import { Textarea } from '@mantine/core';
import { LIMITS } from '../../models/contracts/limits.ts';

/** Text field for an agent's task. */
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
