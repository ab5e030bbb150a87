import { Link } from 'react-router-dom';
import { hazardPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { HazardVersion } from '../../../../models/contracts/clinical_safety/comparison.ts';
import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { dateOf } from '../../../data/words.ts';
import { NotLoaded } from '../../../parts/NotLoaded.tsx';
import { useHazardHistory } from '../comparison/comparison.ts';
import classes from '../findings/FindingDrawer.module.css';
import { changesOf } from './hazardChanges.ts';

/** One analysed version: the ratings, and what became of the findings since the one before. */
function Version({ version, before, isThis }: { version: HazardVersion; before?: HazardVersion; isThis: boolean }) {
  const { analysisId, createdAt, logVersion } = version;
  const when = `${logVersion ? `v${logVersion}, ` : ''}${dateOf(createdAt)}`;
  return (
    <li>
      {isThis ? (
        <strong>{when} (this analysis)</strong>
      ) : (
        <Link to={hazardPath(analysisId, { hazardId: version.id, firstRow: version.firstRow })}>{when}</Link>
      )}
      {changesOf(version, before).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </li>
  );
}

/** The hazard in the analysed versions of its log: its ratings then and now, and what was fixed. */
export function HazardHistory({ analysisId, hazard }: { analysisId: number; hazard: ExistingHazard }) {
  const { data, error, mutate } = useHazardHistory(analysisId, hazard);
  return (
    <section className={classes.part}>
      <h3>History</h3>
      {!data ? (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      ) : data.length < 2 ? (
        <p className="soft">No other analysed version of this log has this hazard.</p>
      ) : (
        <ol className={classes.comments}>
          {data.map((version, at) => (
            <Version
              key={version.analysisId}
              version={version}
              before={data[at + 1]}
              isThis={version.analysisId === analysisId}
            />
          ))}
        </ol>
      )}
    </section>
  );
}
