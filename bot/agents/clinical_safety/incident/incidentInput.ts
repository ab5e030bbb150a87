import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';

/** What an incident record is made from: the words of whoever tells it, and the newest analysis where there is one. */
export type IncidentInput = {
  text: string;
  /** Who told it; null for a program. */
  toldBy: string | null;
  /** When it was told, ISO 8601. */
  toldAt: string;
  /** The company's time zone, in which days are written. */
  timeZone: string;
  log: {
    fileName: string;
    version: string | null;
    digest: string;
    analysedAt: string;
    hazards: AnalysisResult['existingHazards'];
  } | null;
  /** The Clinical Safety Officer as Preferences name them; null where nobody is appointed. */
  officer: string | null;
};

/** What the chat says of a record. */
export type IncidentSummary = {
  /** Points of which the text says something. */
  said: number;
  points: number;
  /** What to ask next, the most urgent first. */
  questions: string[];
  near: { id: string; name: string }[];
  further: { id: string; name: string }[];
  /** Places that only a person can fill. */
  gaps: number;
};
