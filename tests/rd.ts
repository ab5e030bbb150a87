import { readFileSync, readdirSync } from 'node:fs';
import { readLog } from '../bot/agents/clinical_safety/reading/readLog.ts';
import { analyseLog } from '../bot/agents/clinical_safety/worker/analyseLog.ts';
for (const f of readdirSync('/tmp/logs').filter((x) => !process.argv[2] || x.startsWith(process.argv[2]!))) {
  console.log(`\n=== ${f}`);
  try {
    const bytes = new Uint8Array(readFileSync(`/tmp/logs/${f}`));
    const log = await readLog(bytes, f);
    console.log('openPoints:', log.openPoints.map((p: any) => JSON.stringify(p).slice(0, 260)).join('\n   '));
    console.log('unread:', JSON.stringify(log.findUnread()).slice(0, 700));
    const r: any = await analyseLog({ log: { bytes, fileName: f, digest: 'x' } } as never, () => {});
    for (const h of r.existingHazards) console.log(' ', h.id, '|', h.name, '| d:', (h.description || '').slice(0, 60), '| c:', h.causes.map((c: any) => c.text).join(' / ').slice(0, 90), '| i:', (h.clinicalImpact || '').slice(0, 40), '| ctl:', h.controls.map((c: any) => c.text).join(' / ').slice(0, 90), '|', JSON.stringify([h.initial, h.residual].map((x: any) => `${x.severity}/${x.likelihood}/${x.risk}`)), h.status ?? '');
    console.log('findings:', r.findings.map((x: any) => `${x.level}:${x.rule}:${x.hazardId}`).join(', ').slice(0, 900));
    console.log('matrix:', JSON.stringify(r.analysisMetadata.log?.scale ?? r.analysisMetadata.scale ?? r.analysisMetadata.matrix ?? Object.keys(r.analysisMetadata)).slice(0, 400));
  } catch (e: any) { console.log('REFUSED', e.code, e.message, JSON.stringify(e.detail ?? e.params ?? '')); }
}
