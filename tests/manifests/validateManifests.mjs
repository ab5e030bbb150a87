// Reads a list of Teams manifests from its input and writes the faults of each. A process of its own, because the
// validator loads its parts in a way that jest's loader does not know.
import { AppManifestUtils } from '@microsoft/app-manifest';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const manifests = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const faults = await Promise.all(manifests.map((manifest) => AppManifestUtils.validateAgainstSchema(manifest)));
process.stdout.write(JSON.stringify(faults));
