import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router-dom';
import { loginFor } from '../data/nextPlace.ts';
import { Notice } from './Notice.tsx';

/** Shown when the session has ended; the new sign-in leads back to this page. */
export function SessionEnded() {
  const place = useLocation();
  return (
    <Notice
      level={1}
      icon={<IconLock size={20} />}
      title="Your session has ended"
      text="What you typed is kept in this tab, except passwords and secrets. Sign in again to continue."
      action={
        <Button component={Link} to={loginFor(place)}>
          Sign In
        </Button>
      }
    />
  );
}
