import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { clearPendingToggle, pendingToggle, setIntegrationEnabled } from '../../data/integrations.ts';
import { isConnected, productName, type OAuthReturn as Return, readReturn } from '../../data/oauthReturn.ts';
import { refreshSession } from '../../data/session.ts';
import { showFailure, showToast } from '../../data/toasts.ts';

const SWITCH_ON_DELAY_MS = 1000;

/** Shows the result of a provider's return once, as the server confirms it, and removes it from the URL. */
export function OAuthReturn() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const came = readReturn(pathname, search);
    if (!came) return;
    void navigate({ pathname, search: came.rest, hash }, { replace: true });
    void showReturn(came);
  }, [pathname, search, hash, navigate]);
  return null;
}

async function showReturn(came: Return): Promise<void> {
  const name = productName(came.service);
  const figma = came.kind === 'figma';
  const fail = (reason: string | null) =>
    showFailure(
      figma ? 'Figma Connection Failed' : 'Authentication Failed',
      [figma ? null : `Failed to connect ${name}. Please try again.`, reason].filter(Boolean).join(' '),
    );
  if (!came.succeeded) {
    fail(came.reason ?? (figma ? 'Figma gave no reason. Please try again.' : null));
    return;
  }
  await refreshSession();
  // A login by a provider needs no toast: the session has been read again.
  if (came.kind === 'login') return;
  if (!(await isConnected(came.service))) {
    fail(`${name === 'this service' ? 'It' : name} is not connected.`);
    return;
  }
  if (figma) showToast({ title: 'Figma Connected!', tone: 'done' });
  else showToast({ title: 'Integration Connected', message: `${name} is connected.`, tone: 'done' });
  const pending = pendingToggle();
  if (pending && pending.agent === null && pending.tool === came.service) {
    setTimeout(() => {
      clearPendingToggle();
      setIntegrationEnabled(came.service, true).catch(() =>
        showFailure('Toggle Failed', 'Failed to toggle integration'),
      );
    }, SWITCH_ON_DELAY_MS);
  }
}
