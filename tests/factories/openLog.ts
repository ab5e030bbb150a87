const HEADINGS = 'Hazard ID,Hazard,Cause,Effect,Severity,Likelihood,Risk';
const ROWS = [
  'H1,Wrong dose shown,Unit conversion,Overdose,4 - Major,3 - Medium,',
  'H2,Late alert,Queue is full,Delay,2 - Significant,2 - Low,2',
  'H3,Lost order,Server restarts,No treatment,5 - Catastrophic,1 - Very low,',
];

/**
 * A log in CSV whose matrix is open: its ratings have words and numbers, and one recorded risk is too few to tell. The
 * NHS table gives 2 for it, as recorded, and severity times likelihood 4.
 */
export const openLog = (more: readonly string[] = []): string => [HEADINGS, ...ROWS, ...more].join('\n');
