import { useEffect } from 'react';

let title = '';
let waiting = 0;

function write(): void {
  const name = title ? `${title} · Arc` : 'Arc';
  document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
}

/** The page's name in the browser's tab, with the number of questions that wait before it. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    title = name;
    write();
  }, [name]);
}

/** How many questions wait for a person. */
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
