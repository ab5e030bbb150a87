import { WhomToAsk } from '../../parts/WhomToAsk.tsx';
import { LegalPage, type LegalSection } from './LegalPage.tsx';
import { Recipients, Transfers } from './WhereDataGoes.tsx';

const sections: LegalSection[] = [
  {
    id: 'who-we-are',
    title: 'Who we are',
    body: (
      <>
        <p>
          Arc is operated by a company registered in the United Kingdom. For your account, billing and use of the
          product we are the controller. For the documents, tickets and messages that you or your company bring into
          Arc, your company is the controller and we are its processor: we act on its instructions and for nothing else.
        </p>
      </>
    ),
  },
  {
    id: 'data-we-collect',
    title: 'The data we collect',
    body: (
      <ul>
        <li>Contact data: your name and email address.</li>
        <li>Account and billing data: your company, roles, plan, credits and invoices. We hold no card numbers.</li>
        <li>
          Integration data: what you connect, and the pages, files, tickets and messages that your agents read there.
        </li>
        <li>Usage data: which agents you hire, what they run, what you decide and when.</li>
        <li>Technical data: IP address, browser and time of a request, kept in logs for security.</li>
        <li>Correspondence: what you write to us.</li>
      </ul>
    ),
  },
  {
    id: 'how-we-collect',
    title: 'How we collect it',
    body: (
      <p>
        From you, when you sign up, upload a file, write to an agent or answer a question; from the services that you
        connect, within the permissions you grant; and from your browser while you use Arc. We buy no data and set no
        advertising cookies. One cookie keeps you signed in.
      </p>
    ),
  },
  {
    id: 'how-we-use',
    title: 'How we use it',
    body: (
      <p>
        To provide the product that you signed up for (contract); to keep it secure and to find faults (our legitimate
        interest); to meet the law, for example on accounts; and, where we ask, with your consent. We do not sell data
        and make no automated decision with legal effect: an agent proposes, a person decides.
      </p>
    ),
  },
  {
    id: 'ai-models',
    title: 'Data shared with AI models',
    body: (
      <>
        <p>
          Arc works without any outside model. Where the deployment uses one, it receives only what the task at hand
          needs. Our agreements bar AI providers from training on your data, and they keep none of it (zero retention).
          Every result says whether a model was used and which.
        </p>
        <p>
          Data of a connected service is passed on only with explicit consent, given by you or by your company’s
          administrator.
        </p>
      </>
    ),
  },
  {
    id: 'disclosures',
    title: 'Disclosures',
    body: (
      <>
        <p>As this deployment is configured, these receive data:</p>
        <Recipients />
        <p>
          We also share data with the services that you connect yourself, and with authorities where the law obliges us.
          If the business is sold, your data goes with it under this policy.
        </p>
      </>
    ),
  },
  {
    id: 'international-transfers',
    title: 'International transfers',
    body: (
      <p>
        <Transfers /> If you connect a service that keeps its data elsewhere, what is sent there follows that service’s
        terms; the screen on which you connect it says what leaves.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'Security',
    body: (
      <p>
        Connections are encrypted. Access tokens of connected services are encrypted at rest with keys that can be
        rotated. Passwords are kept as hashes only. Every decision is written to an audit trail that can be checked for
        changes. We tell you of a breach that concerns you without undue delay.
      </p>
    ),
  },
  {
    id: 'retention',
    title: 'Retention',
    body: (
      <p>
        Uploaded files and results are kept for 90 days. Decisions and the audit trail are kept for the life of the
        account. When an account is erased, the keys to its personal fields are destroyed. Invoices are kept as long as
        tax law asks.
      </p>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your legal rights',
    body: (
      <>
        <p>
          You may ask to see your data, to have it corrected, erased, restricted or handed over, and you may object to
          its use or withdraw a consent. We respond within one month. Where your company is the controller we pass your
          request on to it.
        </p>
        <p>You may complain to the Information Commissioner’s Office, the UK’s regulator for data protection.</p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children’s privacy',
    body: <p>Arc is not intended for people under 16, and we do not knowingly collect their data.</p>,
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Write to <WhomToAsk />. Put “Privacy” in the subject.
      </p>
    ),
  },
];

/** How personal data is handled. */
export function PrivacyPolicyPage() {
  return <LegalPage title="Privacy Policy" updated="28 June 2025" sections={sections} />;
}
