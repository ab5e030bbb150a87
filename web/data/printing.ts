import { useSyncExternalStore } from 'react';

const paper = () => window.matchMedia('print');
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
  const media = paper();
  media.addEventListener('change', listener);
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    media.removeEventListener('change', listener);
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}

/** Whether the page is being put on paper: what a click would show stands open there. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => announced || paper().matches);
}
