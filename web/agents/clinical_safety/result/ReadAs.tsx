import { Link } from 'react-router-dom';
import type { HazardAnalysis } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { dateOf } from '../../../data/words.ts';
import { PROFILES_URL } from '../profiles/profiles.ts';

/** By whose choices the log was read; nothing where there was nothing to choose. */
export function ReadAs({ analysis: { readAs } }: { analysis: Pick<HazardAnalysis, 'readAs'> }) {
  if (!readAs) return null;
  return (
    <p>
      Read as {readAs.by} chose on {dateOf(readAs.at)}
      {readAs.points.map(({ label, answer }) => ` · ${label} ${answer}`).join('')}.{' '}
      <Link to={PROFILES_URL} className="no-print">
        Change how it’s read
      </Link>
    </p>
  );
}
