import { useEffect, useRef } from 'react';

/** The words that the server put into the page; null where there are none. */
const words = document.querySelector('section.first-words')?.cloneNode(true) ?? null;

export const hasFirstWords = words !== null;

/** Shows the server's words again until the page itself is drawn. */
export function FirstWords() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (words) place.current?.replaceChildren(words);
  }, []);
  return <div data-kept ref={place} />;
}
