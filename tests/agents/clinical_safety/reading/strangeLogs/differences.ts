import type { ReadLog } from '../../../../../bot/agents/clinical_safety/reading/logModel.ts';
import type { StrangeLog } from './strangeLog.ts';

/** What of a log was read otherwise than a reader of the file finds it; empty where everything was read right. */
export function differencesOf(log: ReadLog, { hazards }: StrangeLog): string[] {
  const found =
    log.hazards.length === hazards.length ? [] : [`${log.hazards.length} hazards instead of ${hazards.length}`];
  return [
    ...found,
    ...hazards.flatMap((hazard, at) => {
      const own = log.hazards[at];
      if (!own) return [`${hazard.id ?? hazard.name} is missing`];
      const ratings = (['initial', 'residual'] as const).flatMap((phase): [string, unknown, unknown][] => {
        const should = hazard[phase];
        if (!should) return [];
        const [severity, likelihood, risk] = should;
        return [
          [`${phase} severity`, own[phase].severity, severity],
          [`${phase} likelihood`, own[phase].likelihood, likelihood],
          ...(risk === undefined ? [] : [[`${phase} risk`, own[phase].risk, risk] as [string, unknown, unknown]]),
        ];
      });
      const pairs: [string, unknown, unknown][] = [
        ['id', own.hasId ? own.id : null, hazard.id],
        ['name', own.name, hazard.name],
        ['effect', own.clinicalImpact, hazard.effect],
        ['causes', own.causes.map(({ text }) => text).join(' | '), hazard.causes.join(' | ')],
        ['controls', own.controls.map(({ text }) => text).join(' | '), hazard.controls.join(' | ')],
        ...ratings,
      ];
      return pairs.flatMap(([what, is, should]) =>
        is === should ? [] : [`${what} of ${hazard.id ?? hazard.name}: “${is}” instead of “${should}”`],
      );
    }),
  ];
}
