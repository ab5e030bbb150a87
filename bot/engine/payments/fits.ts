import type { Plan } from '../../../models/subscription.ts';
import { offered } from './prices.ts';

const grouped = (value: number) => value.toLocaleString('en-GB');

/**
 * What a company has that a plan does not allow, each as a sentence; empty where everything fits.
 * @param now the plan that counts today, and the number of hired agents
 */
export function whatNoLongerFits(plan: string, now: { plan: Plan; hired: number }): string[] {
  const next = offered(plan);
  if (!next) return [];
  const monthly = offered(now.plan)?.credits ?? 0;
  const lines: string[] = [];
  if (next.agents !== null && now.hired > next.agents)
    lines.push(
      `${next.name} allows ${next.agents} agents and you have ${now.hired}. They keep working, but you can hire no other until you have fewer than ${next.agents}.`,
    );
  if (next.credits !== null && monthly > next.credits)
    lines.push(`Each month brings ${grouped(next.credits)} credits instead of ${grouped(monthly)}.`);
  return lines;
}
