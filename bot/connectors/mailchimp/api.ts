import type { Access, SendInit } from '../../engine/connectors/access.ts';
import { ProviderFailure } from '../../engine/connectors/failure.ts';
import { readJson } from '../../engine/connectors/requests.ts';

/** A data centre: "us21". */
const DATA_CENTRE = /^[a-z]{2,4}\d{1,3}$/;

/** The origin of the API in an account's data centre. @throws ProviderFailure for anything else */
export function originOf(dataCentre = ''): string {
  if (!DATA_CENTRE.test(dataCentre)) throw new ProviderFailure('refused', 'there is no such data centre');
  return `https://${dataCentre}.api.mailchimp.com`;
}

/** Calls the Marketing API, version 3.0 (https://mailchimp.com/developer/marketing/api). @throws ProviderFailure */
export function call<T>(access: Access, path: string, init?: SendInit): Promise<T> {
  const { origin } = access.place;
  if (!origin) throw new ProviderFailure('refused', 'the grant names no data centre');
  return readJson<T>(access, `${origin}/3.0${path}`, init);
}
