/** Attempts every open delivery now, without its back-off. Claimed deliveries are left alone. */
export async function sweepNow(): Promise<void> {
  const { Delivery } = await import('../../models/delivery.ts');
  const { dangerouslyRunInEveryAccount } = await import('../../models/store/context.ts');
  const { sweepDeliveries } = await import('../../bot/engine/delivery/sweepDeliveries.ts');
  const open = { status: { $in: ['due', 'closing'] } } as const;
  await dangerouslyRunInEveryAccount(() => Delivery.updateMany(open, { $set: { dueAt: new Date() } }));
  await sweepDeliveries();
}
