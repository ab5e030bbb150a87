import type { CampaignRow } from '../../../../models/marketer/campaign.ts';
import type { Checked } from '../claims/checkClaims.ts';
import { TO_CHECK } from '../claims/editions.ts';
import { type Copy, isGap } from '../copy/composeCopy.ts';

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The counts of a piece of copy without any of its words. */
export const summarise = ({ written, flagged, medical, toFill }: CampaignRow['counts']): string =>
  `${counted(written, 'sentence')} that may be used, ${counted(flagged, 'claim')} left out (${medical} medical), ${counted(toFill, 'place')} to be filled by a person`;

const LISTED = 6;

/** The chat message about finished copy. */
export function describeCampaign(
  {
    title,
    checked: { flagged },
    copy: { headlines, plan },
    unread,
  }: { title: string; checked: Checked; copy: Copy; unread: readonly string[] },
  counts: CampaignRow['counts'],
): string {
  const { a, b, isTestable } = headlines;
  return [
    `**${title}**: positioning and copy, as a draft: ${summarise(counts)}.`,
    isGap(a) ? 'No sentence of the documents can be a headline.' : `Headline A: “${a.text}” (${a.place})`,
    isGap(b) ? '' : `Headline B: “${b.text}” (${b.place})`,
    isTestable
      ? `A/B plan: ${plan.visitors === null ? 'give “Baseline: …%” and “Smallest difference: … points” and it says how many visitors it needs' : `${plan.visitors.toLocaleString('en-GB')} visitors for each headline`}.`
      : 'There is only one headline, so there is nothing to compare yet.',
    flagged.length > 0 ? 'Left out, with the reason:' : 'Nothing was left out.',
    ...flagged
      .slice(0, LISTED)
      .map(({ text, kind, reason, rule }) => `• “${text}” (${kind}): ${reason}${rule ? ` ${rule}.` : ''}`),
    flagged.length > LISTED ? `• ${flagged.length - LISTED} more are in the document.` : '',
    unread.length > 0 ? `Not read: ${unread.join('; ')}.` : '',
    TO_CHECK,
  ]
    .filter(Boolean)
    .join('\n');
}
