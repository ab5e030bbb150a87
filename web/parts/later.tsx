import { type ComponentType, type FunctionComponent, lazy, useState } from 'react';

/** A component that loads when it is first drawn. */
export type Later<P> = FunctionComponent<P> & {
  /** Loads it before it is drawn: it is then drawn at once, without a fallback first. */
  load(): Promise<unknown>;
};

/**
 * `lazy`, for components whose files a page names in its head. React shows a fallback for 300 ms at least, however soon
 * a component has loaded; one that was loaded before needs none.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let loaded: ComponentType<P> | null = null;
  const keep = async () => {
    loaded = await load();
    return loaded;
  };
  const Lazy = lazy(async () => ({ default: await keep() }));
  // Chosen once: another type would be another component, without the state of the first.
  const Shown = (props: P) => {
    const [Chosen] = useState<ComponentType<P>>(() => loaded ?? Lazy);
    return <Chosen {...props} />;
  };
  return Object.assign(Shown, { load: keep });
}
