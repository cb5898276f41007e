/** One tab at a time has to do with a batch: working at it, or deleting it. */
import { LabError } from '../../rollouts/lab';

/** Does the work with a lock on the batch, so that two tabs never work at one. @throws LabError `in_use` */
export async function locked(batch: string, work: () => Promise<void>): Promise<void> {
  // Absent where the page is not served securely; there it is one tab's own care.
  const locks = (globalThis.navigator as Navigator | undefined)?.locks as LockManager | undefined;
  if (!locks) return work();
  await locks.request(`terrarium-lab/${batch}`, { ifAvailable: true }, async (lock) => {
    if (lock) return work();
    throw new LabError(
      'in_use',
      'This batch is at work in another tab.',
      'Look at it there, or cancel it there first.',
    );
  });
}
