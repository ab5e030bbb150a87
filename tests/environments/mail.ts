// What a process is started with whose test files say `@environment mail`: a mail server.
import { startSmtp } from '../fakes/smtp.ts';
import { atEnd } from '../runner/atEnd.mjs';
import { mustBe } from '../runner/environment.mjs';

mustBe('mail');
export const smtp = await startSmtp();
Object.assign(process.env, { SMTP_URL: smtp.url });
atEnd(() => smtp.stop());
