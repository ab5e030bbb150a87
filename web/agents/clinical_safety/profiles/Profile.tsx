import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReadingProfile } from '../../../../models/contracts/clinical_safety/readingProfiles.ts';
import { showToast } from '../../../data/toasts.ts';
import { useAttempt } from '../../../data/useAttempt.ts';
import { dateOf } from '../../../data/words.ts';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import classes from './Profiles.module.css';
import { useProfileChange } from './profiles.ts';

const NOT_KNOWN = 'Not known: read with care';

/** One log: what was settled, by whom and when; it can be changed and forgotten, and both can be undone. */
export function Profile({ profile, mayChange }: { profile: ReadingProfile; mayChange: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [busy, attempt] = useAttempt();
  const change = useProfileChange();
  const { fileName, points, by, at } = profile;

  const undo = (work: () => Promise<unknown>) => ({
    label: 'Undo',
    run: () => void attempt(work),
  });
  const save = (chosen: Record<string, string | null>) =>
    attempt(async () => {
      const settled = points.map(({ id, choice }) => ({
        point: id,
        choice: chosen[id] === undefined ? choice : chosen[id],
      }));
      const saved = await change(profile, { points: settled });
      setOpen(false);
      const earlier = points.map(({ id, choice }) => ({ point: id, choice }));
      showToast({
        title: 'Saved',
        message: 'It applies from the next analysis on.',
        tone: 'done',
        action: undo(() => change(saved, { points: earlier })),
      });
    });
  const forget = () =>
    attempt(async () => {
      const forgotten = await change(profile, { isForgotten: true });
      showToast({
        title: 'Forgotten',
        message: `Arc will ask again when it next reads ${fileName}.`,
        tone: 'plain',
        action: undo(() => change(forgotten, { isForgotten: false })),
      });
    });

  return (
    <article className={`card ${classes.profile}`} aria-label={fileName}>
      <div className={classes.head}>
        <div>
          <h2>{fileName}</h2>
          <p className="soft small">
            {by}, {dateOf(at)}
          </p>
        </div>
        {mayChange && !isOpen ? (
          <div className={classes.actions}>
            <Button variant="default" size="compact-md" onClick={() => setOpen(true)}>
              Change
            </Button>
            <WorkButton variant="subtle" size="compact-md" busy={busy} onClick={forget}>
              Forget
            </WorkButton>
          </div>
        ) : null}
      </div>
      {isOpen ? (
        <ProfileForm points={points} busy={busy} onSave={save} onCancel={() => setOpen(false)} />
      ) : (
        <dl className={classes.points}>
          {points.map(({ id, label, options, choice }) => (
            <div key={id}>
              <dt>{label}</dt>
              <dd>{options.find((option) => option.id === choice)?.label ?? NOT_KNOWN}</dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}
