import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { SessionUser } from '../../models/contracts/auth.ts';
import { loginFor } from '../data/nextPlace.ts';
import { useSession } from '../data/session.ts';
import { Notice } from './Notice.tsx';
import { Page } from './Page.tsx';
import { SessionEnded } from './SessionEnded.tsx';
import { SessionUnknown } from './SessionUnknown.tsx';
import { Skeleton } from './Skeleton.tsx';

/** Shows a page to signed-in people. Others are asked to sign in, which leads back here. */
export function SignInNeeded({
  title,
  text,
  button,
  children,
}: {
  title: string;
  text: string;
  button: string;
  children: (user: SessionUser) => ReactNode;
}) {
  const { loading, user, error, ended } = useSession();
  const place = useLocation();
  if (user) return children(user);
  return (
    <Page title={title} narrow={!loading}>
      {loading ? (
        <Skeleton lines={4} height={18} />
      ) : error ? (
        <SessionUnknown />
      ) : ended ? (
        <SessionEnded />
      ) : (
        <Notice
          level={1}
          icon={<IconLock size={20} />}
          title="Authentication Required"
          text={text}
          action={
            <Button component={Link} to={loginFor(place)}>
              {button}
            </Button>
          }
        />
      )}
    </Page>
  );
}
