import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { INTEGRATIONS, integrationIdOf } from '../../../models/contracts/integrations.ts';
import { clearPendingToggle, pendingToggle, toggle } from '../../data/integrations.ts';
import { refreshSession } from '../../data/session.ts';
import { showFailure, showToast } from '../../data/toasts.ts';

/** Reads what a provider's sign-in or connection came back with, says it, and takes it out of the address. */
export function OAuthReturn() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const query = new URLSearchParams(search);
    const outcome = query.get('oauth');
    if (!outcome) return;
    const service = query.get('service') ?? '';
    const name = INTEGRATIONS.find((it) => it.id === integrationIdOf(service))?.name ?? service;
    for (const parameter of ['oauth', 'service', 'error']) query.delete(parameter);
    navigate({ pathname, search: query.toString(), hash }, { replace: true });
    if (outcome !== 'success') {
      showFailure('Authentication Failed', `Failed to connect ${name}. Please try again.`);
      return;
    }
    void refreshSession();
    if (service && INTEGRATIONS.some((it) => it.id === integrationIdOf(service))) {
      showToast({ title: 'Integration Connected', message: `${name} is connected.`, tone: 'done' });
    }
    const pending = pendingToggle();
    if (pending && pending.agent === null && pending.tool === service) {
      setTimeout(() => {
        clearPendingToggle();
        toggle(service, true).catch(() => showFailure('Toggle Failed', 'Failed to toggle integration'));
      }, 1000);
    }
  }, [pathname, search, hash, navigate]);
  return null;
}
