import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { AppError } from '../../../../models/contracts/errors.ts';
import { baseUrl, env } from '../../../../models/env.ts';
import { logger } from '../../../../models/logger.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { memberOf } from '../../../engine/accounts/matchIdentity.ts';
import { findInstallation, isOn } from '../install/installations.ts';
import { findPersonal } from '../install/references.ts';
import { installationKeyOf } from '../platform/address.ts';
import { refusalOf } from '../platform/refusal.ts';
import { identifyTeamsUser } from './people.ts';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** `api://host/botid-<app id>`, or the app id itself. */
const AUDIENCE = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

/** The signing keys of a tenant. Only called for connected tenants, so the map stays small. */
function keysOf(tenantId: string) {
  const known = keySets.get(tenantId);
  if (known) return known;
  const made = createRemoteJWKSet(new URL(`${env.BOT_LOGIN_URL}/${tenantId}/discovery/v2.0/keys`));
  keySets.set(tenantId, made);
  return made;
}

/**
 * Identifies the person in the tab. The token from Teams names the person and the tenant; the roster of their chat with
 * the app gives the e-mail that the account knows.
 * @throws AppError not_signed_in for an invalid token, not_allowed for strangers
 */
export async function whoInTab(token: string): Promise<Who> {
  const { appId, tenantId } = readUnchecked(token);
  const installation = await findInstallation(installationKeyOf(appId, tenantId));
  if (!installation || !(await isOn(installation))) throw new AppError('not_signed_in');
  const directoryId = await verifyToken(token, appId, tenantId);
  const { row } = installation;
  return runInAccount(row.accountId, async () => {
    const reference = await findPersonal(row.key, { directoryId });
    if (!reference?.userId) {
      throw new AppError('not_available', {
        text: 'Write to Arc in its chat first, so that the inbox knows who you are.',
      });
    }
    const identity = await identifyTeamsUser(installation, reference, reference.userId).catch((cause: unknown) => {
      throw refusalOf(cause) ? new AppError('teams_unavailable', {}, { cause }) : cause;
    });
    return memberOf(identity);
  });
}

/** The app and tenant that an unverified token names. Only used to choose the keys that verify it. */
function readUnchecked(token: string): { appId: string; tenantId: string } {
  try {
    const { aud, tid } = decodeJwt(token);
    // The directory issues tokens with one audience. A list is refused: it could name another app beside ours.
    const appId = AUDIENCE.exec(typeof aud === 'string' ? aud : '')?.[1]?.toLowerCase() ?? '';
    const tenantId = String(tid).toLowerCase();
    if (GUID.test(appId) && GUID.test(tenantId)) return { appId, tenantId };
  } catch (error) {
    logger.debug({ err: error }, 'the tab sent no readable token');
  }
  throw new AppError('not_signed_in');
}

/** Verifies a token. @returns the directory's id of the person. @throws AppError not_signed_in */
async function verifyToken(token: string, appId: string, tenantId: string): Promise<string> {
  try {
    const { payload } = await jwtVerify(token, keysOf(tenantId), {
      algorithms: ['RS256'],
      requiredClaims: ['exp'],
      issuer: `${env.BOT_LOGIN_URL}/${tenantId}/v2.0`,
      audience: [appId, `api://${new URL(baseUrl()).host}/botid-${appId}`],
    });
    if (String(payload.tid).toLowerCase() === tenantId && typeof payload.oid === 'string') return payload.oid;
  } catch (error) {
    logger.info({ reason: (error as Error).message }, 'refused a token from the tab');
  }
  throw new AppError('not_signed_in');
}
