// Reads a list of Teams manifests from stdin and prints the errors of each. Runs in its own process, because the
// validator loads its modules in a way that jest's loader does not support.
import { AppManifestUtils } from '@microsoft/app-manifest';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const manifests = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const faults = await Promise.all(manifests.map((manifest) => AppManifestUtils.validateAgainstSchema(manifest)));
process.stdout.write(JSON.stringify(faults));
