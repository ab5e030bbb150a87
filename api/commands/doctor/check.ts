/** What a check found. A hint is worth a look; a fault keeps something from working. */
export type Finding = {
  level: 'ok' | 'hint' | 'fault';
  text: string;
  /** What to do about it. */
  mend?: string;
};

/** One check of the doctor: its subject, and how it looks. A check that throws counts as a fault. */
export type Check = { subject: string; look(): Promise<Finding[]> };

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const hint = (text: string, mend?: string): Finding => ({ level: 'hint', text, ...(mend ? { mend } : {}) });
export const fault = (text: string, mend: string): Finding => ({ level: 'fault', text, mend });

/** Runs checks one after the other, so that each stands beside what it concerns. @returns a line for each finding */
export async function examine(checks: readonly Check[]): Promise<{ lines: string[]; isWell: boolean }> {
  const lines: string[] = [];
  let isWell = true;
  for (const { subject, look } of checks) {
    const findings = await look().catch((error: unknown) => [
      fault((error as Error).message, 'Mend this first; the other checks may depend on it.'),
    ]);
    for (const { level, text, mend } of findings) {
      isWell &&= level !== 'fault';
      lines.push(`${MARKS[level]} ${subject}: ${text}${mend ? `\n        ${mend}` : ''}`);
    }
  }
  return { lines, isWell };
}

const MARKS = { ok: 'ok    ', hint: 'hint  ', fault: 'FAULT ' } as const;
