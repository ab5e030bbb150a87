import { useEffect } from 'react';

let title = '';
let waiting = 0;

function write(): void {
  const name = title ? `${title} · Arc` : 'Arc';
  document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
}

/** Sets the page's name in the browser's tab, after the number of pending questions. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    title = name;
    write();
  }, [name]);
}

/** Sets the number of pending questions in the tab's title. */
export function useWaitingInTitle(count: number): void {
  useEffect(() => {
    waiting = count;
    write();
    return () => {
      waiting = 0;
      write();
    };
  }, [count]);
}
