import { useSyncExternalStore } from 'react';

const printMedia = () => window.matchMedia('print');
/** Between the browser's `beforeprint` and `afterprint` events. */
let announced = false;

function subscribe(listener: () => void): () => void {
  const begin = () => {
    announced = true;
    listener();
  };
  const end = () => {
    announced = false;
    listener();
  };
  const media = printMedia();
  media.addEventListener('change', listener);
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    media.removeEventListener('change', listener);
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}

/** Whether the page is being printed: collapsed parts are open on paper. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => announced || printMedia().matches);
}
