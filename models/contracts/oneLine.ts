import { z } from 'zod';

/** Breaks of lines, and other controls. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Characters that turn or hide text. Joiners stay where letters stand: names of several languages have them. */
const TURNING = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\s]/u;

/** A name as it is shown: one line, without characters that turn or hide text; empty where nothing can be seen. */
export function toOneLine(text: string): string {
  const line = text.replaceAll(TURNING, '').replaceAll(CONTROLS, ' ').trim();
  return VISIBLE.test(line) ? line : '';
}

/**
 * A name that people see in pages, mails and messages.
 * @param empty says what to do where it is empty
 * @param long says what to do where it is longer
 */
export const shownName = (most: number, empty: string, long?: string) =>
  z.string().transform(toOneLine).pipe(z.string().min(1, empty).max(most, long));
