import type { TicketTerms } from './knowledgeRanking.ts';
import { type LinearModel, linearScore } from './linearModel.ts';
import type { Meaning } from './meaning.ts';
import fitted from './officeWeights.json' with { type: 'json' };
import { CARE, countIn, type FeatureName, stemsOf } from './relevanceFeatures.ts';

/** The work of an office: money, contracts, sales, staff, rooms, and what a company says of itself. */
const OFFICE = stemsOf(
  'invoice invoices invoicing invoiced billing billed vat tax refund refunds refunded payment payments unpaid payer price prices pricing priced discount currency euro pounds purchase procurement procure tender quote quotes supplier suppliers vendor vendors contract contracts contractual licence licences license licensed subscription subscriptions subscriber subscribers renew renewal expenses budget finance financial accounting accountant ledger revenue mandate dunning receipt checkout shop voucher coupon insurance liability investor investors investment funding shareholder payroll salary recruiter recruiters recruitment applicant applicants intern careers employee employees employer personnel payslip pension onboarding handbook laptop laptops office offices parking permit cleaner cleaning landlord lunch caterer catering taxi hotel conference exhibition booth webinar roadshow sponsor sponsorship marketing newsletter newsletters campaign campaigns unsubscribe crm prospect sales salesperson reseller demo website homepage landing blog seo pixel cookie logo rebrand rebranded branding embargo linkedin facebook powerpoint brochure leaflet advert shareholders intranet wifi vpn toner facilities fuel tyre tyres satisfaction nps donation charity coffee gym procured statutory courier caterers stationery webcams reimbursement reimbursed timesheet vacancy vacancies interview interviews candidate candidates headcount commission upsell churn tariff trademark attorney solicitor lawyers handset telecoms intern internship offsite merchandise signage hoodie parcel parcels penny pence tyre recruiting lettings',
);

/** The names of the features beside those of relevance; the weights are stored by name. */
export const OFFICE_FEATURES = ['office', 'officeDescription', 'officeLeads'] as const;
export type OfficeFeatureName = (typeof OFFICE_FEATURES)[number];

/** The model fitted to tickets of an office and to all others (evaluation/train.ts). */
export type OfficeModel = LinearModel<FeatureName | OfficeFeatureName>;

export const OFFICE_MODEL: OfficeModel = fitted;

/** What a ticket of an office is judged at most: nobody is sure of one that may harm, so none is called not relevant. */
type MostJudged = 'relevant' | 'unsure';

/** From this likelihood on a ticket is one of an office, where its words say so too. */
const LIKELY = 0.6;
/** With so many words of care a ticket may be of an office and harm somebody all the same. */
const MAY_HARM = 2;
/** A further lead says no more. */
const MOST_LEAD = 4;

/** How many different words of an office and of care a ticket has. */
function countWords({ summary, description }: TicketTerms): { office: number; care: number } {
  const counts = { office: 0, care: 0 };
  for (const term of new Set([...summary, ...description])) {
    counts.office += Number(OFFICE.has(term));
    counts.care += Number(CARE.has(term));
  }
  return counts;
}

/** Features that tell tickets of an office from those of a product. */
export function officeFeatures(terms: TicketTerms): Record<OfficeFeatureName, number> {
  const words = countWords(terms);
  return {
    office: countIn(new Set(terms.summary), OFFICE, 3),
    officeDescription: countIn(new Set(terms.description), OFFICE, 4),
    officeLeads: Math.max(0, Math.min(MOST_LEAD, words.office - words.care)) / MOST_LEAD,
  };
}

/**
 * What a ticket can be judged at most, as far as it is about invoices, staff, rooms or the company’s own web pages, and
 * not about a product. Both its words and its meaning have to say so: a patient may be harmed by an invoice run that
 * holds the drug chart.
 * @param features those of relevance
 */
export function judgeOfficeWork(
  terms: TicketTerms,
  features: Record<FeatureName, number>,
  meaning: Meaning,
  model: OfficeModel = OFFICE_MODEL,
): MostJudged {
  const { office, care } = countWords(terms);
  if (office <= care || care >= MAY_HARM) return 'relevant';
  const likelihood = linearScore({ ...features, ...officeFeatures(terms) }, meaning, model);
  return likelihood >= LIKELY ? 'unsure' : 'relevant';
}
