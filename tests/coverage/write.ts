import { writeFileSync } from 'node:fs';
import { findFaults, PAGE_FILE, renderPage } from './page.ts';
import { readRows } from './rows.ts';
import { readTags } from './tags.ts';

// `npm run spec-coverage`: writes the page and prints the faults of the rows and the tags.
const rows = readRows();
const tags = readTags();
const faults = findFaults(rows, tags);
for (const fault of faults) console.error(fault);
writeFileSync(PAGE_FILE, renderPage(rows, tags));
process.exitCode = faults.length > 0 ? 1 : 0;
