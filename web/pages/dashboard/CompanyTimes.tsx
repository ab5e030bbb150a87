import { Checkbox, TextInput } from '@mantine/core';
import type { Preferences, PreferencesChange } from '../../../models/contracts/preferences.ts';
import own from './PreferencesTab.module.css';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

type Times = Pick<Preferences, 'quietHours' | 'workingHours'>;

/** The company's working hours, by which reminders count, and its quiet hours, in which nobody is reminded or mailed. */
export function CompanyTimes({
  times: { quietHours, workingHours },
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
        description="A question is brought to mind, then to the deputy, after so many working hours."
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
      <Checkbox
        className={own.wide}
        label="Quiet hours"
        description="Mails on questions and reminders wait for their end."
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
