import { describe, expect, test } from '@jest/globals';
import { rankKnowledge, ticketTerms } from '../../../../bot/agents/clinical_safety/tickets/knowledgeRanking.ts';
import { meaningOf } from '../../../../bot/agents/clinical_safety/tickets/meaning.ts';
import {
  judgeOfficeWork,
  OFFICE_FEATURES,
  type OfficeModel,
} from '../../../../bot/agents/clinical_safety/tickets/officeWork.ts';
import { RELEVANCE_MODEL, scoreTicket } from '../../../../bot/agents/clinical_safety/tickets/relevance.ts';
import { FEATURES, relevanceFeatures } from '../../../../bot/agents/clinical_safety/tickets/relevanceFeatures.ts';

/** A model that gives every ticket the same likelihood. */
const modelOf = (likelihood: number): OfficeModel => ({
  bias: Math.log(likelihood / (1 - likelihood)),
  weights: Object.fromEntries([...FEATURES, ...OFFICE_FEATURES].map((name) => [name, 0])) as OfficeModel['weights'],
  meaning: [],
});

function judge(summary: string, likelihood: number, description = '') {
  const terms = ticketTerms(summary, description);
  const features = relevanceFeatures(terms, rankKnowledge(terms), { summary, description });
  return judgeOfficeWork(terms, features, meaningOf(summary), modelOf(likelihood));
}

describe('a ticket of an office', () => {
  test.each([
    ['Invoice blue', 0.59, 'relevant'],
    ['Invoice blue', 0.61, 'unsure'],
    ['Invoice blue', 0.99, 'unsure'],
    ['Invoice payroll', 0.59, 'relevant'],
    ['Invoice payroll', 0.99, 'unsure'],
    ['Green blue', 0.99, 'relevant'],
  ])('“%s”, likely by %d, is at most %s', (summary, likelihood, most) => {
    expect(judge(summary, likelihood)).toBe(most);
  });

  test('speaks less of care than of its office, wherever the words stand', () => {
    expect(judge('Invoice payroll', 0.9, 'Green')).toBe('unsure');
    expect(judge('Invoice payroll', 0.9, 'patient')).toBe('unsure');
    expect(judge('Invoice', 0.9, 'patient')).toBe('relevant');
    expect(judge('Invoice payroll supplier contract', 0.9, 'patient')).toBe('unsure');
    // Two words of care: it may harm somebody, whatever else it speaks of.
    expect(judge('Invoice payroll supplier contract', 0.9, 'patient dose')).toBe('relevant');
    expect(judge('Green', 0.9, 'invoice payroll')).toBe('unsure');
  });

  test('scores below what it is judged, and one that harms somebody is relevant', () => {
    const { threshold, unsure } = RELEVANCE_MODEL;
    const invoice = scoreTicket({
      key: 'A',
      summary: 'Invoice shows the wrong VAT number',
      description:
        'The customer’s accountant will not pay the invoice before the VAT number is corrected. Send a credit note and a new invoice.',
    });
    expect(invoice).toMatchObject({ relevance: 'unsure' });
    expect(invoice.score).toBeLessThan(threshold);
    expect(invoice.score).toBeGreaterThanOrEqual(unsure);
    const chart = scoreTicket({
      key: 'B',
      summary: 'Invoice run locks the drug chart',
      description: 'While invoices are made nurses can’t open the chart, and doses of two patients were missed.',
    });
    expect(chart).toMatchObject({ relevance: 'relevant' });
    expect(chart.score).toBeGreaterThanOrEqual(threshold);
  });
});
