/** Tries every delivery that is open, without the wait that it has before it; what is on its way is left alone. */
export async function sweepNow(): Promise<void> {
  const { Delivery } = await import('../../models/delivery.ts');
  const { dangerouslyRunInEveryAccount } = await import('../../models/store/context.ts');
  const { sweepDeliveries } = await import('../../bot/engine/delivery/sweepDeliveries.ts');
  const open = { status: { $in: ['due', 'closing'] } } as const;
  await dangerouslyRunInEveryAccount(() => Delivery.updateMany(open, { $set: { dueAt: new Date() } }));
  await sweepDeliveries();
}
