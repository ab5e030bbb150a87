import { firstRowOf, sameId } from '../reading/readHazards.ts';
import { sameVersion } from '../reading/versions.ts';
import { monthsBetween, readDay } from './readDay.ts';
import { type Draft, groupHits, type Hit, headingPlace, listIds, type Rule } from './rule.ts';

const versionsDiffer: Rule = {
  name: 'version-differs',
  level: 'fix',
  clause: '3.3.2',
  find: ({ log, report }) => {
    const versions = [
      ...log.shape.versions,
      ...(report?.logVersion ? [{ source: report.fileName, version: report.logVersion, place: null }] : []),
    ];
    const [first] = versions;
    const odd = first && versions.find(({ version }) => !sameVersion(version, first.version));
    if (!first || !odd) return [];
    const said = versions
      .map(({ source, version }) => `${source === 'file name' ? 'the file’s name' : `“${source}”`} says ${version}`)
      .join(', ');
    const places = versions.flatMap(({ place }) => (place ? [place] : []));
    return [
      {
        title: `Version ${first.version} in ${first.source === 'file name' ? 'the file name' : `“${first.source}”`}, ${odd.version} in “${odd.source}”`,
        message: `The log does not agree with itself on its version: ${said}. The Clinical Safety Officer approves each version, so it must be clear which one this is.`,
        hazardId: null,
        places: places.length > 0 ? places : [{ sheet: log.table.grid.name, cell: 'A1' }],
        found: odd.version,
        expected: first.version,
      },
    ];
  },
};

const staleReview: Rule = {
  name: 'review-older-than-a-year',
  level: 'check',
  clause: '2.6.1',
  find: (context) => {
    const { log, asOf } = context;
    if (!asOf) return [];
    const hits: Hit[] = [];
    for (const hazard of log.hazards) {
      const days = hazard.rowNumbers
        .map((row) => ({ row, day: readDay(log.text(row, 'review_date')) }))
        .filter((entry): entry is { row: number; day: string } => entry.day !== null);
      const latest = days.sort((a, b) => b.day.localeCompare(a.day))[0];
      if (latest && monthsBetween(latest.day, asOf) >= 12)
        hits.push({
          hazard,
          row: latest.row,
          column: 'review_date',
          found: latest.day,
          expected: `within twelve months of ${asOf}`,
        });
    }
    return groupHits(context, hits, {
      one: (hazard, { found }) => ({
        title: `${hazard.id}: last reviewed on ${found}`,
        message: `More than twelve months passed between the review of ${hazard.id} (${found}) and ${asOf}.`,
      }),
      many: (count, all, ids) => ({
        title: `${all ? 'All ' : ''}${count} hazards were last reviewed more than a year ago`,
        message: `More than twelve months passed between their review and ${asOf}: ${ids}.`,
      }),
    });
  },
};

const noReviewDate: Rule = {
  name: 'no-review-date-column',
  level: 'note',
  clause: '2.6.1',
  find: ({ log }) =>
    log.has('review_date') || log.hazards.length === 0
      ? []
      : [
          {
            title: 'The log has no column for the date of review',
            message:
              'The log does not show when a hazard was last reviewed. With such a column, reviews older than a year can be found.',
            hazardId: null,
            places: [headingPlace(log)],
            found: null,
            expected: null,
          },
        ],
};

const reportCount: Rule = {
  name: 'report-count-differs',
  level: 'fix',
  clause: '3.3.3',
  find: ({ log, report }) => {
    if (!report || report.hazardCount === null || report.hazardCount === log.hazards.length) return [];
    return [
      {
        title: `The safety case report counts ${report.hazardCount} hazards, the log has ${log.hazards.length}`,
        message: `“${report.fileName}” and the log do not agree on the number of hazards. The issued log goes with each report.`,
        hazardId: null,
        places: [log.place(log.shape.firstDataRow, 'id')],
        found: String(log.hazards.length),
        expected: String(report.hazardCount),
      },
    ];
  },
};

const transferredMissing: Rule = {
  name: 'transferred-control-not-in-report',
  level: 'check',
  clause: '3.5.1',
  find: ({ log, report }) => {
    if (!report) return [];
    const listed = sameId(report.transferredControls ?? '');
    const drafts: Draft[] = [];
    const missing = log.hazards.filter(
      (hazard) =>
        hazard.rowNumbers.some((row) =>
          /transferred/i.test(
            `${log.text(row, 'status')} ${log.text(row, 'action_status')} ${log.text(row, 'action')}`,
          ),
        ) && !listed.includes(sameId(hazard.id)),
    );
    if (missing.length > 0)
      drafts.push({
        title: `${missing.length === 1 ? 'A hazard' : `${missing.length} hazards`} with transferred controls ${missing.length === 1 ? 'is' : 'are'} not in the report’s list`,
        message: `What the deploying organisation has to do is to be listed in “${report.fileName}”. Not found there: ${listIds(missing)}.`,
        hazardId: null,
        places: missing.map((hazard) => log.place(firstRowOf(hazard), 'id')),
        found: null,
        expected: 'listed under transferred controls',
      });
    return drafts;
  },
};

export const documentRules: Rule[] = [versionsDiffer, staleReview, noReviewDate, reportCount, transferredMissing];
