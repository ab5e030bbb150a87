import { Button, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { type Holiday, MAX_HOLIDAYS, tidyHolidays } from '../../../models/contracts/holidays.ts';
import { readCalendarFile } from '../../data/calendarFile.ts';
import { count, dateOf } from '../../data/words.ts';
import own from './PreferencesTab.module.css';

const MAX_FILE_BYTES = 1024 * 1024;
const FAULTS = {
  empty: 'This file has no all-day events from the last year on.',
  large: 'Choose a calendar file smaller than 1 MB.',
};

/** The company's days off: a list, a day to add, and a calendar file. Saved with the form around it. */
export function Holidays({
  holidays,
  fault,
  put,
}: {
  holidays: readonly Holiday[];
  fault: string | undefined;
  put: (holidays: Holiday[]) => void;
}) {
  const [day, setDay] = useState('');
  const [name, setName] = useState('');
  const [said, setSaid] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const today = new Date().toISOString().slice(0, 10);

  const add = (more: Holiday[]) => {
    const next = tidyHolidays([...holidays, ...more], today);
    const added = next.length - holidays.length;
    if (next.length > MAX_HOLIDAYS) return setSaid(`A company keeps at most ${MAX_HOLIDAYS} days off.`);
    setSaid(added === 0 ? 'They were in the list already.' : `${count(added, 'day')} added.`);
    put(next);
  };
  const addDay = () => {
    if (tidyHolidays([{ day, name }], today).length === 0)
      return setSaid('Choose a day that is not more than a year ago.');
    add([{ day, name: name.trim() || 'Day off' }]);
    setDay('');
    setName('');
  };
  const addFile = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) return setSaid(FAULTS.large);
    const found = tidyHolidays(readCalendarFile(await file.text()), today);
    if (found.length === 0) return setSaid(FAULTS.empty);
    add(found);
  };

  return (
    <fieldset className={`${own.wide} ${own.holidays}`}>
      <legend>Days off</legend>
      <p className="soft small">
        Arc does not count these as working time. GOV.UK offers the bank holidays of each nation as a calendar file, at
        gov.uk/bank-holidays. Of an event that repeats, only its first date is added.
      </p>
      {holidays.length > 0 ? (
        <ul aria-label="Days off">
          {holidays.map((one) => (
            <li key={one.day} className={own.holiday}>
              <span>
                {one.name} <span className="soft small">{dateOf(one.day, 'UTC')}</span>
              </span>
              <Button
                size="xs"
                variant="default"
                aria-label={`Remove ${one.name}, ${dateOf(one.day, 'UTC')}`}
                onClick={() => put(holidays.filter(({ day }) => day !== one.day))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">None yet.</p>
      )}
      <div className={own.addHoliday}>
        <TextInput type="date" label="Day" value={day} onChange={(event) => setDay(event.currentTarget.value)} />
        <TextInput
          label="Name of the day"
          placeholder="Boxing Day"
          maxLength={100}
          value={name}
          onKeyDown={(event) => {
            // Enter adds the day; without this it would save the form without it.
            if (event.key !== 'Enter' || day === '') return;
            event.preventDefault();
            addDay();
          }}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button variant="default" disabled={day === ''} onClick={addDay}>
          Add day
        </Button>
        <Button variant="default" onClick={() => input.current?.click()}>
          Add from a calendar file
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".ics,text/calendar"
        aria-label="Calendar file"
        onChange={(event) => {
          void addFile(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <p role="status" className="small">
        {fault ?? said}
      </p>
    </fieldset>
  );
}
