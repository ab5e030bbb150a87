/** Fields of a conversation that held a current file before files were kept by their kind, with that kind. */
export const EARLIER_FILE_FIELDS: Readonly<Record<string, string>> = {
  logFileId: 'hazard-log',
  ticketsFileId: 'tickets',
};

/** Kinds of question whose answer needed a clinical role before questions said so themselves. */
export const EARLIER_CLINICAL_QUESTIONS: readonly string[] = ['hazard_review'];
