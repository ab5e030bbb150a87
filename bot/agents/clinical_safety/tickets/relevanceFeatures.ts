import type { TicketRecord } from '../worker/jobs.ts';
import { asksForChange } from './fixWords.ts';
import type { KnowledgeRanking, TicketTerms } from './knowledgeRanking.ts';
import { stem } from './words.ts';

/** The stems of words that are separated by spaces. */
export const stemsOf = (words: string) => new Set(words.split(/\s+/).map(stem));

/** People, data and actions of care. */
export const CARE = stemsOf(
  'patient patients clinician clinicians nurse doctor gp practitioner pharmacist pharmacy consultant prescriber prescription prescriptions prescribing prescribed medicine medicines medication medications drug dose dosage dosing allergy allergies allergen intolerance diagnosis problem condition observation observations result results specimen lab laboratory pathology referral appointment encounter consultation discharge admission handover immunisation immunization vaccine vaccination ward clinic clinical hospital letter blood pressure vital vitals temperature weight height score triage symptom symptoms pregnancy pregnant gestation birth birthdate birthday age deceased death nhs snomed screening sepsis chart summary radiology imaging image xray treatment therapy care episode visit identifier name demographics confidentiality redaction consent author recorder performer asserter participant wristband administration infusion potassium glucose haemoglobin paediatric child proxy carer surgery theatre order orders dispense dispensing signature',
);
/** Technology that carries and stores clinical information. */
const CARRIES = stemsOf(
  'message messages mapping mapper map statement bundle extract transfer record records resource attachment document documents code coded coding concept acknowledgement ack nack endpoint routing token login password session role privilege access alert notification reminder task recall queue sync offline feed import migration backup restore unit quantity range value date time timezone timestamp instant effective issued field label list table form search filter sort order display banner view page print pdf template audit permission recipient directory ehr fhir hl7 xml service device reading scanner data schema database user users staff',
);
/** Signs of a fault or of its repair. */
const FAULT = stemsOf(
  'wrong incorrect incorrectly missing miss missed lost lose loses lost loss fail fails failed failing failure not no never duplicate duplicates duplicated twice stale old hidden truncated truncate slow timeout expire expired expires reject rejected ignore ignored drop dropped drops skip skips skipped overwrite overwritten delay delayed late mismatch corrupt crash crashes leak unauthorised cannot unable error errors invalid broken disappear disappears mixed without unknown blank empty degrade degraded degradation disclosed exposed visible unread unavailable outage vulnerability instead only still already shifts shift moved off incomplete omitted omit omits invent invents limit maximum escape absent unspecified despite handle handling prevent ensure correct leading',
);
/** Engineering chores: tests, builds, docs. */
const WORKS = stemsOf(
  'test tests testing unit e2e integration mock mocks mocked mocking stub stubs wiremock ci pipeline jenkins github gitlab build builds docker dockerfile kubernetes helm terraform deploy deployment docs doc readme documentation lint eslint prettier checkstyle spotbugs sonar refactor refactoring refactored rename renamed renaming cleanup clean tidy chore bump version release changelog typo comment comments review reviews pr dependabot snapshot storybook coverage flaky flakey fixture fixtures annotation annotations package packages module submodule class classes method methods constructor dashboard log logs logging logger spec oas swagger openapi example examples sandbox diagram diagrams adr spike prototype backport backporting script scripts configurable analytics icon footer theme colour css styles spacing branch branches tag tags merge commit jdk gradle maven npm yarn node import imports interface repository project structure skeleton initial cucumber selenium cypress playwright junit pact pacts postman template wip style format formatting indentation node_modules agent agents credentials aws azure cloud lambda nightly performance benchmark benchmarks credential secret secrets unused dead code smells copyright',
);
/** New or changed features rather than faults. */
const OFFERS = stemsOf(
  'configurable support option add new create introduce implement allow enable improve extend expose make avail link initial update set use include',
);
const FIRST_FIX = stemsOf(
  'fix fixes fixed fixing bug bugfix defect hotfix handle handles handling correct prevent ensure stop map populate escape regenerate',
);
const FIRST_WORKS = stemsOf(
  'chore docs doc test tests ci build refactor style bump rename renaming rename tidy release revert perf mock remove cleanup extract extracted move moved reorganise split upgrade responding backporting wip',
);

/** The names of the features; the weights are stored by name. */
export const FEATURES = [
  'knowledge',
  'knowledgeSummary',
  'phrasesSummary',
  'phrasesDescription',
  'care',
  'careDescription',
  'carries',
  'fault',
  'faultDescription',
  'works',
  'worksDescription',
  'worksShare',
  'offers',
  'firstFix',
  'firstWorks',
  'careAndFault',
  'careAndCarries',
  'worksNoFault',
  'shortSummary',
  'testWork',
  'carriesDescription',
  'asksForChange',
  'descriptionLength',
] as const;
export type FeatureName = (typeof FEATURES)[number];

/** How many of the words a ticket has, from 0 to 1 for `max` and more. */
export function countIn(terms: Set<string>, words: Set<string>, max: number): number {
  let count = 0;
  for (const term of terms) if (words.has(term)) count += 1;
  return Math.min(count, max) / max;
}

const TEST = stem('test');
/** Next to one of these, "test" means a laboratory test. */
const LABORATORY = stemsOf(
  'result results lab laboratory order orders request requests group set duplicate blood specimen repeated missed patient patients panel',
);

/** Whether the ticket is about software tests rather than laboratory tests. */
function writesTests(summary: string[]): boolean {
  return summary.some(
    (term, at) => term === TEST && !LABORATORY.has(summary[at - 1] ?? '') && !LABORATORY.has(summary[at + 1] ?? ''),
  );
}

/** Characters of a description that are looked at for its length. */
const MAX_READ = 1000;
/** A description with at least this many words counts as long: what went wrong takes a few sentences to tell. */
const LONG_DESCRIPTION = 20;
/** The value of a full sign by form, which speaks for a kind of writer as much as for the matter. */
const BY_FORM = 0.75;

/** Words up to what counts as long: a description can have megabytes. */
const countWords = (text: string): number => text.slice(0, MAX_READ).split(/\s+/).filter(Boolean).length;

/** The features for a ticket's relevance: general signs only, no terms of a particular product. */
export function relevanceFeatures(
  terms: TicketTerms,
  ranking: KnowledgeRanking,
  text: Pick<TicketRecord, 'summary' | 'description'>,
): Record<FeatureName, number> {
  const summary = new Set(terms.summary);
  const description = new Set(terms.description);
  const care = countIn(summary, CARE, 3);
  const carries = countIn(summary, CARRIES, 3);
  const fault = countIn(summary, FAULT, 3);
  const works = countIn(summary, WORKS, 3);
  const worksWords = terms.summary.filter((term) => WORKS.has(term)).length;
  const opening = terms.summary.slice(0, 2);
  return {
    knowledge: Math.min(1.5, (ranking.top[0]?.score ?? 0) / (4 * Math.sqrt(Math.max(4, summary.size)))),
    knowledgeSummary: Math.min(1.5, ranking.summaryScore / (4 * Math.sqrt(Math.max(3, summary.size)))),
    phrasesSummary: Math.min(3, ranking.phrasesInSummary) / 3,
    phrasesDescription: Math.min(3, ranking.phrasesInDescription) / 3,
    care,
    careDescription: countIn(description, CARE, 4),
    carries,
    fault,
    faultDescription: countIn(description, FAULT, 4),
    works,
    worksDescription: countIn(description, WORKS, 4),
    worksShare: worksWords / Math.max(1, terms.summary.length),
    offers: opening.some((term) => OFFERS.has(term)) ? 1 : 0,
    firstFix: opening.some((term) => FIRST_FIX.has(term)) ? 1 : 0,
    firstWorks: opening.slice(0, 1).some((term) => FIRST_WORKS.has(term)) ? 1 : 0,
    careAndFault: care > 0 && fault > 0 ? 1 : 0,
    careAndCarries: care > 0 && carries > 0 ? 1 : 0,
    worksNoFault: works > 0 && fault === 0 ? 1 : 0,
    shortSummary: summary.size <= 3 ? 1 : 0,
    testWork: writesTests(terms.summary) ? 1 : 0,
    carriesDescription: countIn(description, CARRIES, 4),
    asksForChange: asksForChange(text) ? BY_FORM : 0,
    descriptionLength: BY_FORM * Math.min(1, countWords(text.description) / LONG_DESCRIPTION),
  };
}
