import { Textarea } from '@mantine/core';
import { LIMITS } from '../../models/contracts/limits.ts';

/** Text field for an agent's task. */
export function ObjectiveField({
  isLine = false,
  ...props
}: {
  label: string;
  value: string;
  /** One line, that grows with what is typed. */
  isLine?: boolean;
  onChange: (objective: string) => void;
}) {
  return (
    <Textarea
      {...props}
      {...(isLine ? { rows: Math.min(8, Math.max(1, props.value.split('\n').length)) } : { rows: 3 })}
      maxLength={LIMITS.objective}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}
