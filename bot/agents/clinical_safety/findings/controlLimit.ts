import { findLevel } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { levelsOf, rankOfLevel } from '../reading/riskMatrix.ts';
import { hasNhsCells, riskUnder, underMatrix, weakened } from './assumption.ts';
import type { Draft } from './rule.ts';

/** Which risks of a log need controls and a rating after them (DCB0129 5.1.2), and how sure that is. */
type ControlLimit = {
  needsControls: (hazard: LogHazard) => boolean;
  /** The property that those hazards share: "an initial risk of 3 or more". */
  words: string;
  /** A finding that rests on the limit: one to check, with the assumption, where no plan or table states the limit. */
  under: (draft: Draft) => Draft;
};

/** By the NHS levels of acceptance, 1 and 2 are acceptable as they are. */
const NHS_LIMIT = 3;

const byRisk =
  (log: ReadLog, isDue: (risk: number) => boolean) =>
  ({ initial }: LogHazard): boolean => {
    const risk = riskUnder(log, initial);
    return risk !== null && isDue(risk);
  };

/** The limit of a matrix in words: its mildest word alone is taken to be acceptable. */
function limitInWords(log: ReadLog): ControlLimit {
  const words = levelsOf(log.matrix);
  const mildest = words.find((word) => rankOfLevel(log.matrix, word) === 1) ?? '';
  return {
    needsControls: ({ initial }) => {
      const recorded = findLevel(words, initial.riskWord ?? '') ?? initial.expectedWord;
      return recorded !== undefined && recorded !== mildest;
    },
    words: `an initial risk above “${mildest}”`,
    under: (draft) =>
      underMatrix(
        log,
        weakened(
          draft,
          `This assumes that of your matrix only “${mildest}” needs no controls. Your plan may set another limit.`,
        ),
      ),
  };
}

const isRated = ({ initial: { severity, likelihood, risk } }: LogHazard) =>
  severity !== null || likelihood !== null || risk !== null;

/**
 * The limit of a log: 3 in the NHS table. Of another matrix the mildest risk alone is taken to be acceptable, and
 * without a matrix none is: both are assumptions, which the findings name.
 */
export function findControlLimit(log: ReadLog): ControlLimit {
  if (log.matrix.source === 'none')
    return {
      needsControls: isRated,
      words: 'a rating before controls',
      under: (draft) => weakened(draft, 'No matrix is known, so this takes every rated risk to need controls.'),
    };
  if (!log.isFalling && hasNhsCells(log))
    return {
      needsControls: byRisk(log, (risk) => risk >= NHS_LIMIT),
      words: `an initial risk of ${NHS_LIMIT} or more`,
      under: (draft) => underMatrix(log, draft),
    };
  if (log.matrix.levels) return limitInWords(log);
  const risks = log.matrix.cells.flat();
  const mildest = log.isFalling ? Math.max(...risks) : Math.min(...risks);
  return {
    needsControls: byRisk(log, (risk) => (log.isFalling ? risk < mildest : risk > mildest)),
    words: `an initial risk ${log.isFalling ? 'below' : 'above'} ${mildest}`,
    under: (draft) =>
      underMatrix(
        log,
        weakened(
          draft,
          `This assumes that of your matrix only the risk ${mildest} needs no controls. Your plan may set another limit.`,
        ),
      ),
  };
}
