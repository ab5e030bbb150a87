import { Button } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { Callout, Notice } from '../../../parts/Notice.tsx';
import { NotLoaded } from '../../../parts/NotLoaded.tsx';
import { Page, PageHead } from '../../../parts/Page.tsx';
import { Profile } from './Profile.tsx';
import classes from './Profiles.module.css';
import { PROFILES_TITLE, useReadingProfiles } from './profiles.ts';

/** How the company's hazard logs are read where they can be read in several ways, and how to change that. */
export function ProfilesPage() {
  const { data, error, mutate } = useReadingProfiles();
  return (
    <Page title={PROFILES_TITLE} reading>
      <PageHead
        title={PROFILES_TITLE}
        subtitle="Where a hazard log can be read in more than one way, Arc asks once and reads its next versions the same way."
      />
      {data ? (
        data.profiles.length === 0 ? (
          <div className="card">
            <Notice
              icon={<IconColumns3 size={20} />}
              title="Nothing had to be asked yet"
              text="Answers about a log’s matrix or its columns appear here, where you can change them."
              action={
                <Button component={Link} to="/workspace" variant="light">
                  Go to the workspace
                </Button>
              }
            />
          </div>
        ) : (
          <>
            {data.mayChange ? null : (
              <Callout tone="plain">Only the owner and approvers can change how a log is read.</Callout>
            )}
            <ul className={classes.list}>
              {data.profiles.map((profile) => (
                <li key={profile.id}>
                  <Profile profile={profile} mayChange={data.mayChange} />
                </li>
              ))}
            </ul>
          </>
        )
      ) : (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      )}
    </Page>
  );
}
