import { FileError } from './fileError.ts';

/** Marks of changes that somebody has tracked in a Word document, in the XML of its text. */
const TRACKED = /<w:(?:ins|del|moveFrom|moveTo|pPrChange|rPrChange|tblPrChange|cellIns|cellDel)[\s>/]/g;

/** @throws FileError tracked_changes, with what to do, where changes are neither accepted nor rejected */
export function refuseTrackedChanges(xml: string): void {
  const tracked = xml.match(TRACKED)?.length ?? 0;
  if (tracked > 0)
    throw new FileError(
      'tracked_changes',
      `This document holds ${tracked} tracked ${tracked === 1 ? 'change' : 'changes'} already. Accept or reject them in Word first, because Arc can’t tell which text is meant.`,
    );
}
