import type { ReadLog } from '../reading/logModel.ts';
import { firstRowOf } from '../reading/readHazards.ts';
import { positionOf } from '../reading/riskMatrix.ts';
import { riskUnder, underMatrix, underNhsLevels } from './assumption.ts';
import { capped, type Draft, groupHits, type Rule } from './rule.ts';

/** The acceptance levels below are those of the NHS matrix with risks 1 to 5; they do not fit a scale of 1 to 25. */
const usesNhsLevels = (log: ReadLog) =>
  !log.isFalling &&
  !log.matrix.levels &&
  log.matrix.source !== 'none' &&
  log.matrix.cells.flat().every((risk) => risk >= 1 && risk <= 5);

const residualAboveInitial: Rule = {
  name: 'residual-above-initial',
  level: 'fix',
  clause: '6.1.4',
  find: ({ log }) =>
    capped(
      log.hazards.flatMap((hazard) => {
        const initial = riskUnder(log, hazard.initial);
        const residual = riskUnder(log, hazard.residual);
        if (initial === null || residual === null || residual === initial) return [];
        if (residual > initial === log.isFalling) return [];
        const draft: Draft = {
          title: `${hazard.id}: the risk is ${log.isFalling ? 'worse' : 'higher'} after controls (${residual}) than before (${initial})`,
          message: `Controls can’t raise a risk: ${hazard.id} has ${initial} before and ${residual} after. One of the two ratings is wrong, or a control brings a new hazard that needs its own line.`,
          hazardId: hazard.id,
          places: [log.place(firstRowOf(hazard), 'residual_risk'), log.place(firstRowOf(hazard), 'initial_risk')],
          found: String(residual),
          expected: `at ${log.isFalling ? 'least' : 'most'} ${initial}`,
        };
        const isRecorded = hazard.initial.risk !== null && hazard.residual.risk !== null;
        return [isRecorded ? draft : underMatrix(log, draft)];
      }),
      'more hazards have a higher risk after controls than before',
    ),
};

const rank = (log: ReadLog, word: string | null) => (word ? positionOf(log.matrix.severities, word) : -1);

const severityLowered: Rule = {
  name: 'severity-lowered-without-design-control',
  level: 'check',
  clause: '6.1.2',
  find: (context) => {
    const { log } = context;
    const hits = log.hazards
      .filter(({ initial, residual, controls }) => {
        const [before, after] = [rank(log, initial.severity), rank(log, residual.severity)];
        const isLowered = log.isFalling ? after > before && before >= 0 : after < before;
        return after >= 0 && isLowered && !controls.some(({ kind }) => kind === 'design');
      })
      .map((hazard) => ({
        hazard,
        row: firstRowOf(hazard),
        column: 'residual_severity' as const,
        found: hazard.residual.severity,
        expected: hazard.initial.severity,
      }));
    return groupHits(context, hits, {
      one: (hazard) => ({
        title: `${hazard.id}: severity falls from ${hazard.initial.severity} to ${hazard.residual.severity} without a design control`,
        message: `Training, testing and process make harm less likely, seldom less severe. ${hazard.id} names no design control that could lower the severity.`,
      }),
      many: (count, _all, ids) => ({
        title: `Severity falls without a design control in ${count} hazards`,
        message: `Training, testing and process make harm less likely, seldom less severe. No design control is named for ${ids}.`,
      }),
    });
  },
};

const residualWithoutRationale: Rule = {
  name: 'residual-risk-without-rationale',
  level: 'check',
  clause: '6.2.1',
  find: (context) => {
    const { log } = context;
    if (!usesNhsLevels(log)) return [];
    const hits = log.hazards
      .filter((hazard) => {
        const risk = riskUnder(log, hazard.residual);
        return (
          risk !== null &&
          risk >= 3 &&
          hazard.rowNumbers.every((row) => !log.text(row, 'rationale') && !log.text(row, 'notes'))
        );
      })
      .map((hazard) => ({
        hazard,
        row: firstRowOf(hazard),
        column: log.has('rationale') ? ('rationale' as const) : ('residual_risk' as const),
      }));
    return groupHits(context, hits, {
      one: (hazard) => ({
        title: `${hazard.id}: residual risk ${riskUnder(log, hazard.residual)} has no rationale`,
        message: `A residual risk of 3 is acceptable only where further reduction is impractical. Nothing says why for ${hazard.id}.`,
      }),
      many: (count, _all, ids) => ({
        title: `Residual risk of 3 or more has no rationale in ${count} hazards`,
        message: `A residual risk of 3 is acceptable only where further reduction is impractical. Nothing says why for ${ids}.`,
      }),
    });
  },
};

const residualUnacceptable: Rule = {
  name: 'residual-risk-unacceptable',
  level: 'fix',
  clause: '6.1.6',
  find: (context) => {
    const { log } = context;
    if (!usesNhsLevels(log)) return [];
    const hits = log.hazards
      .filter((hazard) => (riskUnder(log, hazard.residual) ?? 0) >= 4)
      .map((hazard) => ({
        hazard,
        row: firstRowOf(hazard),
        column: 'residual_risk' as const,
        found: String(riskUnder(log, hazard.residual)),
        expected: 'at most 3',
      }));
    const drafts = groupHits(context, hits, {
      one: (hazard, { found }) => ({
        title: `${hazard.id}: residual risk is ${found}`,
        message: `A risk of 4 must be eliminated or controlled to an acceptable level and 5 is unacceptable. ${hazard.id} has ${found} after controls, which holds up the release.`,
      }),
      many: (count, _all, ids) => ({
        title: `Residual risk is 4 or 5 in ${count} hazards`,
        message: `A risk of 4 must be eliminated or controlled to an acceptable level and 5 is unacceptable. After controls it is 4 or 5 in ${ids}, which holds up the release.`,
      }),
    });
    return drafts.map((draft) => underNhsLevels(log, draft));
  },
};

export const residualRules: Rule[] = [
  residualAboveInitial,
  residualUnacceptable,
  severityLowered,
  residualWithoutRationale,
];
