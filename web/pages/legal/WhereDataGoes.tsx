import { useSession } from '../../data/session.ts';
import { recipientTexts, transferText } from '../../parts/whereDataGoes.ts';

/** Who gets data from this deployment, one by one. */
export function Recipients() {
  const { recipients } = useSession();
  if (!recipients) return <p>The recipients of this deployment could not be read just now. Reload to see them.</p>;
  return (
    <ul>
      {recipientTexts(recipients).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

/** Whether data of this deployment may go to other countries. */
export function Transfers() {
  const { modelRegion, recipients } = useSession();
  return (
    <>
      {recipients
        ? transferText({ modelRegion, recipients })
        : 'The transfers of this deployment could not be read just now. Reload to see them.'}
    </>
  );
}
