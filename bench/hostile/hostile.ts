// npm run bench -- hostile: how long the largest valid bodies and the worst hostile ones hold the event
// loop, for which all other requests wait. On PostgreSQL only the valid ones: the others never reach it.
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { postJson, startService, type ServiceChild } from '../kit/child.ts';
import { startDatabaseServer } from '../kit/database-server.ts';
import { hostileBodies, type HostileBody } from './bodies.ts';
import { readEngine } from '../kit/options.ts';
import { printReport, type Figure } from '../kit/report.ts';
import { openScratch } from '../kit/scratch.ts';

const ROUNDS = 3;
/** How the names of valid bodies begin. */
const VALID = 'valid';
/** A batch with `on_error=proceed` is answered 200 whatever its events are like. */
const REFUSED: readonly number[] = [200, 422];
/** What a body may hold the loop for: one of 1 MiB, and a batch of 10 MiB. */
const BODY_HOLD_MAX_MS = 50;
const BATCH_HOLD_MAX_MS = 200;

export const HOSTILE_USAGE = '[--engine sqlite|postgres] [--only PART_OF_A_NAME]';

export async function benchHostile(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { engine: { type: 'string' }, only: { type: 'string', default: '' } },
  });
  await using scratch = await openScratch();
  const engine = readEngine(values.engine);
  await using server = engine === 'postgres' ? await startDatabaseServer(scratch.dir) : undefined;
  const database = await server?.createDatabase();
  await using service = await startService({
    dataDir: scratch.dir,
    env: database === undefined ? {} : { DATABASE_URL: database.url },
  });
  const figures: Figure[] = [];
  const bodies = hostileBodies()
    .filter(({ name }) => engine === 'sqlite' || name.startsWith(VALID))
    .filter(({ name }) => name.includes(values.only));
  for (const body of bodies) {
    figures.push(await measure(service, body));
    const last = figures.at(-1);
    if (last !== undefined) console.error(`${last.name}: ${Math.round(last.value)} ms`);
  }
  printReport(engine === 'sqlite' ? 'hostile' : 'hostile-postgres', figures);
}

/** The longest hold of one body: the worst round, of which the first runs code that is not compiled yet. */
async function measure(service: ServiceChild, { name, path, body }: HostileBody): Promise<Figure> {
  const holds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = body(`r${round}`);
    service.process.send('loop-begin');
    const status = await postJson(`${service.address}${path}`, text);
    const expected = name.startsWith(VALID) ? [201] : REFUSED;
    if (!expected.includes(status)) throw new Error(`${name} was answered ${status}`);
    holds.push(await longestHold(service));
  }
  return {
    name,
    value: Math.max(...holds),
    unit: 'ms',
    target: {
      kind: 'at_most',
      value: path === '/v1/events' ? BODY_HOLD_MAX_MS : BATCH_HOLD_MAX_MS,
    },
  };
}

async function longestHold(service: ServiceChild): Promise<number> {
  const answered = once(service.process, 'message');
  service.process.send('loop-end');
  const [message] = (await answered) as [{ readonly holdMs?: number }];
  if (message.holdMs === undefined) throw new Error('the service did not say how long it was held');
  return message.holdMs;
}
