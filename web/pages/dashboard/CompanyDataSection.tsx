import { Button } from '@mantine/core';
import { type CompanyExport, exportPath } from '../../../models/contracts/companyData.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { askForEverything, useExports } from '../../data/companyData.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import { dateOf, grouped, momentOf, sizeOf } from '../../data/words.ts';
import { NotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './DashboardPage.module.css';
import { EraseCompany } from './EraseCompany.tsx';
import own from './PreferencesTab.module.css';

/** Owners only: everything that Arc holds of the company, as a file or erased. */
export function CompanyDataSection() {
  const { data, error, mutate } = useExports();
  const [busy, attempt] = useAttempt();
  const isPreparing = data?.exports.some(({ status }) => status === 'preparing') ?? false;
  return (
    <section className={own.members} aria-labelledby="company-data">
      <div className={classes.sectionHead}>
        <h2 id="company-data">Everything that Arc holds of your company</h2>
        <span className="soft">
          An export is one compressed file of JSON lines: conversations, analyses, files, settings and the audit,
          without passwords and tokens. It can be downloaded by owners for {LIMITS.accountExports.days} days.
        </span>
      </div>
      {!data ? (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      ) : data.exports.length > 0 ? (
        <div className="card">
          <ul aria-label="Exports">
            {data.exports.map((one) => (
              <ExportRow key={one.id} it={one} />
            ))}
          </ul>
        </div>
      ) : null}
      <div className={`${own.actions} ${own.below}`}>
        <WorkButton variant="default" busy={busy || isPreparing} onClick={() => void attempt(askForEverything)}>
          Export everything
        </WorkButton>
      </div>
      <EraseCompany />
    </section>
  );
}

function ExportRow({ it }: { it: CompanyExport }) {
  const share = it.total ? Math.min(100, Math.round((it.done / it.total) * 100)) : 0;
  return (
    <li>
      <div>
        Export of {momentOf(it.createdAt)}
        <p className="soft small">
          Asked for by {it.askedBy}
          {it.size !== null && it.expiresAt !== null
            ? ` · ${sizeOf(it.size)} · kept until ${dateOf(it.expiresAt)}`
            : ''}
        </p>
        {it.status === 'preparing' ? (
          <progress
            aria-label="Preparing the export"
            max={100}
            value={share}
            aria-valuetext={it.total ? `${grouped(it.done)} of ${grouped(it.total)} entries` : 'Not begun'}
          />
        ) : null}
      </div>
      {it.status === 'ready' ? (
        <Button size="xs" component="a" href={exportPath(it.id)} download>
          Download
        </Button>
      ) : it.status === 'failed' ? (
        <span className={own.failed}>Could not be prepared. Please ask for a new one.</span>
      ) : (
        <Tag>{it.total ? `${share} %` : 'Preparing'}</Tag>
      )}
    </li>
  );
}
