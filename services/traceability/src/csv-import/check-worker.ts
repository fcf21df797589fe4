// The thread that checks files, one after the other. It requests stored events from the importing
// thread, because only that one has a connection.
import { parentPort } from 'node:worker_threads';
import { checkFile } from './check.ts';
import type { CheckJob, FromCheckThread, ToCheckThread } from './check-messages.ts';
import type { StoredEvent } from './queries.ts';

function serve(): void {
  const port = parentPort;
  if (port === null) throw new Error('the check of a file runs only as a worker thread');
  const waiting = new Map<number, (events: readonly StoredEvent[]) => void>();
  let nextId = 1;
  const send = (message: FromCheckThread): void => port.postMessage(message);
  const lookUp: LookUp = (keys) => {
    const id = nextId++;
    const { promise, resolve } = Promise.withResolvers<readonly StoredEvent[]>();
    waiting.set(id, resolve);
    send({ kind: 'lookup', id, keys });
    return promise;
  };
  port.on('message', (message: ToCheckThread) => {
    if (message.kind === 'order') {
      void answerTo(message.job, lookUp).then(send);
      return;
    }
    waiting.get(message.id)?.(message.events);
    waiting.delete(message.id);
  });
}

type LookUp = Parameters<typeof checkFile>[0]['findStored'];

async function answerTo(
  { task, ...wanted }: CheckJob,
  findStored: LookUp,
): Promise<FromCheckThread> {
  try {
    if (task === 'survey') {
      const { surveyFile } = await import('./mapping/survey.ts');
      return { kind: 'surveyed', result: await surveyFile(wanted) };
    }
    return { kind: 'result', result: await checkFile({ ...wanted, findStored }) };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'failure', message, systemCode: readSystemCode(error) };
  }
}

/** `ENOSPC` and the like, which do not survive the way out of a thread by themselves. */
function readSystemCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

serve();
