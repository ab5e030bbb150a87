import { useSession } from '../../data/session.ts';
import { recipientTexts, transferText } from '../../parts/whereDataGoes.ts';

/** List of the recipients of this deployment's data. */
export function Recipients() {
  const { recipients } = useSession();
  if (!recipients) return <p>The recipients of this deployment could not be loaded. Reload to see them.</p>;
  return (
    <ul>
      {recipientTexts(recipients).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

/** Sentence on whether this deployment may send data abroad. */
export function Transfers() {
  const { modelRegion, recipients } = useSession();
  return (
    <>
      {recipients
        ? transferText({ modelRegion, recipients })
        : 'The transfers of this deployment could not be loaded. Reload to see them.'}
    </>
  );
}
