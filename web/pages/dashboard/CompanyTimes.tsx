import { Checkbox, TextInput } from '@mantine/core';
import type { Preferences, PreferencesChange } from '../../../models/contracts/preferences.ts';
import { Holidays } from './Holidays.tsx';
import own from './PreferencesTab.module.css';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

type Times = Pick<Preferences, 'quietHours' | 'workingHours' | 'holidays'>;

/** The company's working hours, in which reminders are counted, its days off, and its quiet hours, which hold question mails and reminders. */
export function CompanyTimes({
  times: { quietHours, workingHours, holidays },
  fields,
  put,
}: {
  times: Times;
  fields: Record<string, string>;
  put: (edit: PreferencesChange) => void;
}) {
  const putWorking = (change: Partial<Times['workingHours']>) => put({ workingHours: { ...workingHours, ...change } });
  const putQuiet = (change: Partial<NonNullable<Times['quietHours']>>) =>
    put({ quietHours: { ...(quietHours ?? { from: '20:00', to: '07:00' }), ...change } });
  return (
    <>
      <Checkbox.Group
        className={own.wide}
        label="Working days"
        description="Arc counts these hours until it reminds you of a question, and until it asks the deputy."
        value={workingHours.days.map(String)}
        error={fields['workingHours.days']}
        onChange={(days) => putWorking({ days: days.map(Number).sort((one, other) => one - other) })}
      >
        <div className={own.days}>
          {DAYS.map((day, index) => (
            <Checkbox key={day} value={String(index + 1)} label={day} />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput
        type="time"
        label="Work begins"
        value={workingHours.from}
        error={fields['workingHours.from']}
        onChange={(event) => putWorking({ from: event.currentTarget.value })}
      />
      <TextInput
        type="time"
        label="Work ends"
        value={workingHours.to}
        error={fields['workingHours.to']}
        onChange={(event) => putWorking({ to: event.currentTarget.value })}
      />
      <Holidays
        holidays={holidays}
        fault={Object.entries(fields).find(([name]) => name.split('.')[0] === 'holidays')?.[1]}
        put={(next) => put({ holidays: next })}
      />
      <Checkbox
        className={own.wide}
        label="Quiet hours"
        description="Reminders and mails about questions wait until quiet hours end."
        checked={quietHours !== null}
        onChange={(event) => (event.currentTarget.checked ? putQuiet({}) : put({ quietHours: null }))}
      />
      {quietHours ? (
        <>
          <TextInput
            type="time"
            label="Quiet from"
            value={quietHours.from}
            error={fields['quietHours.from']}
            onChange={(event) => putQuiet({ from: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label="Quiet until"
            value={quietHours.to}
            error={fields['quietHours.to']}
            onChange={(event) => putQuiet({ to: event.currentTarget.value })}
          />
        </>
      ) : null}
    </>
  );
}
