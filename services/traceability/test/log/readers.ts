// Readers of a hub's log from outside, with nothing but a policy and what they keep in a folder.
import assert from 'node:assert/strict';
import { aLine, anEvent, type Booted } from '../boot.ts';
import { runCli, type CliRun } from '../cli/run.ts';

/** Records an event of the lot `LOT-<number>`. @returns its answer */
export async function post(hub: Booted, number: number): Promise<unknown> {
  const answer = await hub.post(
    '/v1/events',
    anEvent({ reference: `PO-${number}`, lines: [aLine({ lot_code: `LOT-${number}` })] }),
  );
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

export async function readLine(hub: Booted, path: string): Promise<string> {
  const [line = ''] = (await hub.call(path)).text.split('\n');
  return line;
}

/** Runs an auditor's command, which needs no setting. */
export async function ask(args: readonly string[]): Promise<CliRun> {
  return await runCli([...args, '--json'], {});
}

export function listReports(run: CliRun): readonly unknown[] {
  return run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

export function stateArgs(
  hub: Booted,
  folder: { file(name: string): string },
  state: string,
): readonly string[] {
  const policy = folder.file('policy');
  return ['verify', '--url', hub.base, '--policy', policy, '--state', folder.file(state)];
}

export function monitorArgs(
  hub: Booted,
  folder: { file(name: string): string },
): readonly string[] {
  const policy = folder.file('policy');
  return [
    'monitor',
    hub.base,
    '--once',
    '--policy',
    policy,
    '--state',
    folder.file('monitored'),
    '--lot',
    'LOT-NEW',
  ];
}
