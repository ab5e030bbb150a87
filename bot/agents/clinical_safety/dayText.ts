/** "3 May 2026". */
export const dayText = (at: string | Date): string =>
  new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
