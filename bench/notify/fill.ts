// Fills a group over HTTP, as fast as its service takes it.
import { Connection, requestWriter } from '../kit/connection.ts';
import { POST_HEADERS } from './child.ts';

const CONNECTIONS = 128;

export interface Filling {
  readonly address: string;
  readonly count: number;
  readonly body: (n: number) => string;
  readonly onProgress?: (done: number) => void;
}

const PROGRESS_EVERY = 50_000;

/** @returns the greatest id that was given */
export async function fillGroup({ address, count, body, onProgress }: Filling): Promise<number> {
  const target = new URL(address);
  const write = requestWriter(target, POST_HEADERS);
  let sent = 0;
  let newest = 0;
  const connections = Math.min(CONNECTIONS, count);
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await Connection.open(target);
      while (sent < count) {
        const n = sent++;
        const request = write({ method: 'POST', path: '/api/v1/ingest', body: body(n) });
        const answer = await connection.send(request);
        if (answer.status !== 201) throw new Error(`post ${n} was answered ${answer.status}`);
        newest = Math.max(newest, Number(/"id":(\d+)/.exec(answer.bytes)?.[1]));
        if (sent % PROGRESS_EVERY === 0) onProgress?.(sent);
      }
      connection.close();
    }),
  );
  return newest;
}
