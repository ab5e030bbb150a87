import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router-dom';
import { loginFor } from '../data/nextPlace.ts';
import { Notice } from './Notice.tsx';

/** Somebody was signed in here and is not any more: says so, and leads back to this place after a new sign-in. */
export function SessionEnded() {
  const place = useLocation();
  return (
    <Notice
      level={1}
      icon={<IconLock size={20} />}
      title="Your session has ended"
      text="Sign in again to go on. What you typed is kept in this tab, passwords and secrets excepted."
      action={
        <Button component={Link} to={loginFor(place)}>
          Sign In
        </Button>
      }
    />
  );
}
