// The thread that checks one file, then ends. It asks the importing thread for what is stored,
// because only that one holds a connection.
import { parentPort, workerData } from 'node:worker_threads';
import { checkFile } from './check.ts';
import type { CheckThreadData, FromCheckThread, ToCheckThread } from './check-messages.ts';
import type { StoredEvent } from './queries.ts';

async function serve(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('the check of a file runs only as a worker thread');
  const waiting = new Map<number, (events: readonly StoredEvent[]) => void>();
  let nextId = 1;
  const send = (message: FromCheckThread): void => port.postMessage(message);
  port.on('message', (answer: ToCheckThread) => {
    waiting.get(answer.id)?.(answer.events);
    waiting.delete(answer.id);
  });
  const { job, ...wanted } = workerData as CheckThreadData;
  try {
    if (job === 'survey') {
      const { surveyFile } = await import('./mapping/survey.ts');
      send({ kind: 'surveyed', result: await surveyFile(wanted) });
      port.close();
      return;
    }
    const result = await checkFile({
      ...wanted,
      findStored: (keys) => {
        const id = nextId++;
        const { promise, resolve } = Promise.withResolvers<readonly StoredEvent[]>();
        waiting.set(id, resolve);
        send({ kind: 'lookup', id, keys });
        return promise;
      },
    });
    send({ kind: 'result', result });
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    send({ kind: 'failure', message, systemCode: systemCodeOf(error) });
  }
  port.close();
}

/** `ENOSPC` and the like, which do not survive the way out of a thread by themselves. */
function systemCodeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

await serve();
