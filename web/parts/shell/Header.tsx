import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { loginFor } from '../../data/nextPlace.ts';
import { useSession } from '../../data/session.ts';
import { later } from '../later.tsx';
import classes from './Header.module.css';

/** Loads when somebody is signed in. */
export const SignedIn = later(async () => (await import('./SignedInHeader.tsx')).SignedInHeader);

/** The header of every page. */
export function Header() {
  const { loading, user } = useSession();
  const place = useLocation();
  const login = loginFor(place);
  const placeholder = (
    <span className={classes.placeholder} role="status">
      <span className="hidden-label">Loading your account</span>
    </span>
  );
  return (
    <header className={classes.header}>
      <Link to="/" className={classes.brand} aria-label="Arc, home">
        <img src="/arc.svg" alt="" width={24} height={24} />
        <span>Arc</span>
      </Link>
      <div className={classes.end}>
        {loading ? (
          placeholder
        ) : user ? (
          <Suspense fallback={placeholder}>
            <SignedIn user={user} />
          </Suspense>
        ) : place.pathname === '/auth' ? null : (
          <nav className={classes.links} aria-label="Account">
            <Button component={Link} to={login} variant="subtle" color="gray" c="var(--arc-ink)">
              Log in
            </Button>
            <Button component={Link} to={`${login}${login.includes('?') ? '&' : '?'}tab=signup`} variant="default">
              Sign up
            </Button>
          </nav>
        )}
      </div>
    </header>
  );
}
