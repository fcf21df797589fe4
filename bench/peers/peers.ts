// npm run bench -- peers: single posts at our service and at services of others that keep less, by turns in one
// run, everything durable before the answer. Needs Go, and the sources of the peers.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startDatabaseServer } from '../kit/database-server.ts';
import { wholeNumber } from '../kit/options.ts';
import { median, medianShare, printReport, type Figure } from '../kit/report.ts';
import { flushesPerSecond, openScratch } from '../kit/scratch.ts';
import { NAMES, TENANT_HEADERS, startContestants } from './contestants.ts';
import type { Contestant, Entry } from './contestants.ts';
import { buildPrograms } from './programs.ts';

export const PEERS_USAGE = '--folder PEERS [--rounds 5] [--seconds 4] [--warm-up 8]';

const run = promisify(execFile);
const CONNECTIONS = [64, 256] as const;

interface Load {
  readonly perSecond: number;
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What a share is promised to be: at 64 and at 256 connections. */
const SHARES: readonly {
  readonly name: string;
  readonly to: string;
  readonly atLeast: number;
}[] = [
  { name: NAMES.sqlite, to: NAMES.goSqlite, atLeast: 0.85 },
  { name: NAMES.sqliteProof, to: NAMES.goSqlite, atLeast: 0.75 },
  { name: NAMES.postgres, to: NAMES.goPostgres, atLeast: 0.8 },
  { name: NAMES.postgresTwo, to: NAMES.postgres, atLeast: 0.95 },
];
const P99_TO_P50_MAX = 2.2;

export async function benchPeers(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      folder: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
    },
  });
  if (values.folder === undefined) {
    throw new Error(
      '--folder names the folder with the sources of the peers (go/, fastapi_app.py)',
    );
  }
  const rounds = wholeNumber('--rounds', values.rounds ?? '5', 1);
  const seconds = wholeNumber('--seconds', values.seconds ?? '4', 1);
  const warmUp = wholeNumber('--warm-up', values['warm-up'] ?? '8', 0);
  await using scratch = await openScratch();
  const { dir } = scratch;
  const programs = await buildPrograms(resolve(values.folder), dir);
  await using server = await startDatabaseServer(dir);
  await using started = new AsyncDisposableStack();
  const entries = await startContestants(started, { dir, programs, server });
  const { loader } = programs;
  for (const { contestant } of entries) pause(contestant);
  // At the end those that sleep could not end themselves.
  started.defer(() => entries.forEach(({ contestant }) => resume(contestant)));
  for (const entry of entries) {
    console.error(`warming up ${entry.name} …`);
    await measure(loader, entry, { seconds: warmUp, connections: 64, series: 'warm' });
  }
  const loads = new Map<string, Load[]>();
  const flushes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    flushes.push(flushesPerSecond(dir));
    for (const connections of CONNECTIONS) {
      for (const entry of entries) {
        const series = `r${round}c${connections}`;
        const load = await measure(loader, entry, { seconds, connections, series });
        const key = buildKey(entry.name, connections);
        loads.set(key, [...(loads.get(key) ?? []), load]);
        console.error(`  round ${round + 1}, ${key}: ${Math.round(load.perSecond)} /s`);
      }
    }
  }
  printReport('peers', [
    { name: 'disk flushes', value: median(flushes), unit: '/s' },
    ...CONNECTIONS.flatMap((connections) => listFigures(entries, loads, connections)),
  ]);
}

function buildKey(name: string, connections: number): string {
  return `${name}, ${connections} connections`;
}

async function measure(
  loader: string,
  { name, contestant, headers }: Entry,
  load: { readonly seconds: number; readonly connections: number; readonly series: string },
): Promise<Load> {
  resume(contestant);
  // Both ways of asking post to one database.
  const series = `${load.series}h${headers.length}`;
  const { stdout } = await run(loader, [
    ...['-urls', contestant.urls.join(',')],
    ...['-connections', String(load.connections)],
    ...['-seconds', String(load.seconds)],
    ...['-series', series],
    ...[...TENANT_HEADERS, ...headers].flatMap((header) => ['-header', header]),
  ]);
  pause(contestant);
  const result = JSON.parse(stdout) as Load;
  if (result.refused > 0) throw new Error(`${result.refused} posts to ${name} were refused`);
  return result;
}

function pause({ processes }: Contestant): void {
  for (const child of processes) child.kill('SIGSTOP');
}

function resume({ processes }: Contestant): void {
  for (const child of processes) child.kill('SIGCONT');
}

function listFigures(
  entries: readonly Entry[],
  loads: ReadonlyMap<string, readonly Load[]>,
  connections: number,
): readonly Figure[] {
  const getLoads = (name: string): readonly Load[] => loads.get(buildKey(name, connections)) ?? [];
  const rates = (name: string): readonly number[] =>
    getLoads(name).map(({ perSecond }) => perSecond);
  const absolute = entries.flatMap(({ name }): readonly Figure[] => [
    { name: buildKey(name, connections), value: median(rates(name)), unit: '/s' },
    {
      name: `${buildKey(name, connections)}, p99`,
      value: median(getLoads(name).map(({ p99Ms }) => p99Ms)),
      unit: 'ms',
    },
  ]);
  const shares = SHARES.map(({ name, to, atLeast }): Figure => ({
    name: `${name} to ${to}, ${connections}`,
    value: medianShare(rates(name), rates(to)),
    unit: '',
    target: { kind: 'at_least', value: atLeast },
  }));
  const spread: Figure = {
    name: `${NAMES.sqlite}, p99 to p50, ${connections}`,
    value: median(getLoads(NAMES.sqlite).map(({ p50Ms, p99Ms }) => p99Ms / p50Ms)),
    unit: 'times',
    ...(connections === 64 ? { target: { kind: 'at_most', value: P99_TO_P50_MAX } as const } : {}),
  };
  return [...absolute, ...shares, spread];
}
