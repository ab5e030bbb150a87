import { Device, type DeviceRow } from '../../../../models/mdr/device.ts';
import { isDuplicateKey } from '../../../../models/store/duplicate.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { type DeviceFacts, deviceFacts } from './facts.ts';

/** A product as it is kept, with its facts read by their schema. */
export type KeptDevice = Omit<DeviceRow, 'facts'> & { facts: DeviceFacts };

const keep = (row: DeviceRow): KeptDevice => ({ ...row, facts: deviceFacts.parse(row.facts) });

const keyOf = (name: string) => name.trim().toLowerCase();

/** The account's products, the one that changed last first. */
export async function readDevices(accountId: number): Promise<KeptDevice[]> {
  const rows = await Device.find({ accountId }).sort({ updatedAt: -1, _id: -1 }).limit(MAX_DEVICES).lean();
  return rows.map(keep);
}

const MAX_DEVICES = 100;

/** The product with this name; null where the account has none. */
export async function findDevice(accountId: number, name: string): Promise<KeptDevice | null> {
  const row = await Device.findOne({ accountId, key: keyOf(name) }).lean();
  return row ? keep(row) : null;
}

/** The product that a text names, else the one that changed last; null where there is none. */
export async function chooseDevice(accountId: number, text: string): Promise<KeptDevice | null> {
  const devices = await readDevices(accountId);
  const words = text.toLowerCase();
  // The longest name first, because one name may begin with another.
  const named = devices
    .filter(({ key }) => words.includes(key))
    .sort((one, other) => other.key.length - one.key.length)[0];
  return named ?? devices[0] ?? null;
}

/**
 * Keeps the facts of a product, under its name. Facts that are not given stay as they are.
 * @returns the product with all its facts
 */
export async function keepFacts(accountId: number, name: string, facts: DeviceFacts): Promise<KeptDevice> {
  const key = keyOf(name);
  const given = Object.fromEntries(Object.entries(facts).map(([fact, known]) => [`facts.${fact}`, known]));
  const upsert = () =>
    Device.findOneAndUpdate(
      { accountId, key },
      { $set: { ...given, name: name.trim(), updatedAt: new Date() } },
      { upsert: true, returnDocument: 'after' },
    ).lean();
  const row = await changing(accountId, ['workspaces'], async () => {
    try {
      return await upsert();
    } catch (error) {
      // Another writer created it at the same moment; now it is there to update.
      if (!isDuplicateKey(error, 'key')) throw error;
      return upsert();
    }
  });
  return keep(row as DeviceRow);
}

/** Keeps what a run made of a product. */
export async function keepLatest(
  accountId: number,
  name: string,
  latest: NonNullable<DeviceRow['latest']>,
): Promise<void> {
  await changing(accountId, ['workspaces'], () =>
    Device.updateOne({ accountId, key: keyOf(name) }, { $set: { latest } }),
  );
}
