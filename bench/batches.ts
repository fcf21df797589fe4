// Batches of events over HTTP, a few on their way at once.
import { postJson, type ServiceChild } from './kit/child.ts';
import { benchEvent } from './events.ts';

export const BATCH_EVENTS = 1_000;
const BATCHES_IN_FLIGHT = 4;

/** The texts of so many batches, each of other events. */
export function batchBodies(count: number, series: string): string[] {
  return Array.from({ length: count }, (_, batch) =>
    JSON.stringify({
      events: Array.from({ length: BATCH_EVENTS }, (__, index) =>
        benchEvent(batch * BATCH_EVENTS + index, series),
      ),
    }),
  );
}

/** Posts all of them. @returns events a second */
export async function postBatches(
  service: ServiceChild,
  bodies: readonly string[],
): Promise<number> {
  const waiting = [...bodies];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: BATCHES_IN_FLIGHT }, async () => {
      for (let body = waiting.shift(); body !== undefined; body = waiting.shift()) {
        const status = await postJson(`${service.address}/v1/events/batch`, body);
        if (status !== 201) throw new Error(`a batch was answered ${status}`);
      }
    }),
  );
  return (bodies.length * BATCH_EVENTS) / ((performance.now() - startedAt) / 1_000);
}
