import { Button } from '@mantine/core';
import { IconBrandGoogle, IconBrandWindows } from '@tabler/icons-react';
import { rememberPlace } from '../../data/nextPlace.ts';
import classes from './AuthPage.module.css';

const PROVIDERS = [
  { id: 'google', name: 'Google', Icon: IconBrandGoogle },
  { id: 'microsoft', name: 'Microsoft', Icon: IconBrandWindows },
] as const;

/** A button for each provider that this server has configured; nothing where there is none. */
export function ProviderLogins({
  providers,
  next,
}: {
  providers: Record<(typeof PROVIDERS)[number]['id'], boolean>;
  /** Where the login leads; it outlives the way over the provider. */
  next: string;
}) {
  const there = PROVIDERS.filter((provider) => providers[provider.id]);
  if (there.length === 0) return null;
  return (
    <>
      <div className={classes.providers}>
        {there.map(({ id, name, Icon }) => (
          <Button
            key={id}
            component="a"
            href={`/api/oauth/${id}/auth`}
            variant="default"
            leftSection={<Icon size={16} />}
            onClick={() => rememberPlace(next)}
          >
            Continue with {name}
          </Button>
        ))}
      </div>
      <div className={classes.or}>or with e-mail</div>
    </>
  );
}
