import { lazy, Suspense } from 'react';
import type { ConnectorCard } from '../../../models/contracts/connectorCard.ts';

// Dialogs take much of the library; nobody needs one to read the landing page or the dashboard.
const Loaded = lazy(async () => ({ default: (await import('./ConnectDialog.tsx')).ConnectDialog }));

/** The dialog before a tool is connected, loaded when it is first opened. */
export function LazyConnectDialog(it: {
  /** Null closes the dialog. */
  card: ConnectorCard | null;
  onConnect: () => void;
  onCancel: () => void;
}) {
  return it.card ? (
    <Suspense fallback={null}>
      <Loaded {...it} />
    </Suspense>
  ) : null;
}
