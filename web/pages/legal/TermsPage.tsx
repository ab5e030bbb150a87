import { WhomToAsk } from '../../parts/WhomToAsk.tsx';
import { LegalPage, type LegalSection } from './LegalPage.tsx';
import { Transfers } from './WhereDataGoes.tsx';

const sections: LegalSection[] = [
  {
    id: 'acceptance',
    title: 'Acceptance',
    body: (
      <p>
        By creating an account you accept these terms for yourself and for the company that you act for. You must be at
        least 16 years old and entitled to bind that company.
      </p>
    ),
  },
  {
    id: 'services',
    title: 'The services',
    body: (
      <>
        <p>
          Arc lets a company hire AI agents, connect them to its tools, give them work and answer their questions. What
          an agent produces is a proposal. It does not replace the judgement of a qualified person, and Arc is not a
          medical device.
        </p>
        <p>A new account has a free trial of 14 days. After it, new work needs a plan; what is there stays readable.</p>
      </>
    ),
  },
  {
    id: 'customer-responsibilities',
    title: 'Your responsibilities',
    body: (
      <ul>
        <li>Review what an agent proposes before you rely on it, and sign only what you have read.</li>
        <li>Keep your password to yourself and your list of members up to date.</li>
        <li>Upload and connect only what you may lawfully use.</li>
        <li>Do not try to break, overload or copy the service.</li>
      </ul>
    ),
  },
  {
    id: 'data-and-integrations',
    title: 'Data and integrations',
    body: (
      <p>
        Your data remains yours. <Transfers /> Data of a connected service is used only with the explicit consent of you
        or your company’s administrator, and only for the work you ask for. The Privacy Policy says more, and where we
        process personal data for you its section 1 applies.
      </p>
    ),
  },
  {
    id: 'sub-processors',
    title: 'Sub-processors',
    body: (
      <p>
        We use sub-processors for hosting, mail, payment and, where the deployment uses one, an AI model. AI providers
        are barred from training on your data and keep none of it. We announce a new sub-processor 30 days before it
        begins, and you may object.
      </p>
    ),
  },
  {
    id: 'intellectual-property',
    title: 'Intellectual property',
    body: (
      <p>
        The product is ours. Your documents and what the agents make from them are yours. You let us use them as far as
        providing the service needs it, and no further.
      </p>
    ),
  },
  {
    id: 'fees-and-billing',
    title: 'Fees and billing',
    body: (
      <p>
        Plans are charged monthly in advance. Work uses credits; when they run out, new work stops until more are there.
        You may cancel at the end of any month. Fees paid are not refunded unless the law says otherwise.
      </p>
    ),
  },
  {
    id: 'termination',
    title: 'Termination',
    body: (
      <p>
        You may close your account at any time. We may suspend it for a serious breach, after a warning where that is
        possible. You can export your data before the account is closed and for 30 days after.
      </p>
    ),
  },
  {
    id: 'disclaimer',
    title: 'Disclaimer',
    body: (
      <p>
        The service is provided with reasonable skill and care and otherwise as it is. Agents can be wrong. We do not
        say that a product is safe, accepted or compliant: that remains the decision of your Clinical Safety Officer,
        your manufacturer and your regulator.
      </p>
    ),
  },
  {
    id: 'limitation-of-liability',
    title: 'Limitation of liability',
    body: (
      <p>
        Our liability in total is limited to the fees that you paid in the six months before the event. We are not
        liable for indirect loss. Nothing here limits liability for death or personal injury caused by negligence, for
        fraud, or for anything that the law does not allow to be limited.
      </p>
    ),
  },
  {
    id: 'governing-law',
    title: 'Governing law',
    body: <p>These terms are governed by the law of England and Wales, whose courts have jurisdiction.</p>,
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Write to <WhomToAsk />.
      </p>
    ),
  },
];

/** The terms on which the product is used. */
export function TermsPage() {
  return <LegalPage title="Terms and Conditions" updated="17 June 2025" sections={sections} />;
}
