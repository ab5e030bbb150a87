import type { CatalogueAgent } from '../catalogueAgent.ts';

/** The marketer's card. */
export const marketerCard: CatalogueAgent = {
  id: 'marketer',
  displayName: 'Mina',
  role: 'Marketer',
  description:
    'Writes positioning and copy from your documents, checks each claim against the evidence in them, and plans an A/B test.',
  monogram: 'MK',
  gradient: ['#8a3a3a', '#c2664f'],
  defaultTools: ['twitter', 'notion', 'tally', 'mailchimp'],
  priority: false,
  isShownAsEnterprise: true,
  work: [
    'tweet',
    'tweets',
    'newsletter',
    'campaign',
    'marketing',
    'positioning',
    'slogan',
    'press release',
    'social media',
    'linkedin post',
    'blog post',
    'advert',
    'ad copy',
    'marketing copy',
    'seo',
  ],
  status: 'working',
  inPreparation: 'publishing and reading PDF documents',
  inChannels:
    'The marketer turns “Write copy from …” into positioning, copy and an A/B plan. Claims without evidence and medical claims are left out, with the reason.',
  schedules: [
    {
      action: 'product_copy',
      label: 'Write copy from a document',
      doing: 'Writing copy',
      status: 'working',
      needs: { label: 'The document', example: 'Write copy from Dosewell brief.docx' },
    },
  ],
  examples: ['Write copy from Dosewell brief.docx', 'Which copy have you written?'],
};
