// The run of `npm run interop`, on the pinned Node: builds the programs, starts a hub and a fork of it,
// runs the checks and reports them.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SIGNAL_EXIT_BASE, exitWith } from '../run.js';
import { ASKING_CHECKS } from './asking-checks.js';
import { CHECKS } from './checks.js';
import { buildPrograms, findGo } from './go-programs.js';
import { startHub } from './hub.js';
import { EXIT, HELP, UsageError, readOptions } from './options.js';
import { WITNESS_CHECKS } from './witness-checks.js';
import { findSshFault } from './witnesses.js';

const GO_MISSING =
  'Go is missing, so nothing was checked: the programs that check the log are written in Go. Install ' +
  'Go 1.25 or newer (https://go.dev/dl), see that `go version` works, and run it again.';

/** Blocks before the fork, and after it: two full tiles and a part of one. */
const COMMON_BLOCKS = 20;
const LATER_BLOCKS = 550;
/** Of what a program said the end is kept: fsck prints whole tiles. */
const OUTPUT_CHARACTERS_MAX = 1_000;

const STOP_SIGNALS = { SIGINT: 2, SIGTERM: 15 };

await exitWith(async () => {
  for (const [name, number] of Object.entries(STOP_SIGNALS)) {
    process.once(name, () => process.exit(SIGNAL_EXIT_BASE + number));
  }
  try {
    return await run(readOptions(process.argv.slice(2)));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message} See: npm run interop -- --help`);
    return EXIT.usageWrong;
  }
});

async function run({ json, help }) {
  if (help) {
    process.stdout.write(HELP);
    return EXIT.allGood;
  }
  const go = await findGo();
  if (go === undefined) {
    console.error(GO_MISSING);
    if (json) console.log(JSON.stringify({ ok: false, go: null, checks: [] }));
    return EXIT.notRun;
  }
  console.error(go);
  const failures = await buildPrograms((line) => console.error(line));
  const sshFault = findSshFault();
  if (sshFault !== undefined) failures.set('litewitness', sshFault);
  const results = await checkAll(failures);
  if (json)
    console.log(JSON.stringify({ ok: chooseExit(results) === EXIT.allGood, go, checks: results }));
  else printResults(results);
  return chooseExit(results);
}

/**
 * @param {Map<string, string>} failures programs that could not be built, and why
 */
async function checkAll(failures) {
  const folder = mkdtempSync(join(tmpdir(), 'lothub-interop-'));
  // The hubs end with this process, however it ends; the data must not stay either.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const hubs = [];
  try {
    const world = await openWorld(folder, hubs);
    const results = [];
    for (const check of [...CHECKS, ...WITNESS_CHECKS, ...ASKING_CHECKS]) {
      const failure = failures.get(check.program) ?? failures.get(check.also);
      const result = await judge(check, { world, failure });
      console.error(`${result.verdict}: ${check.name}`);
      results.push(result);
    }
    return results;
  } finally {
    await Promise.all(hubs.map((hub) => hub.stop()));
  }
}

/** A hub and a fork of it: the same data and key up to some block, and other events from there on. */
async function openWorld(folder, hubs) {
  const begin = async (dataDir) => {
    const hub = await startHub(dataDir);
    hubs.push(hub);
    return hub;
  };
  console.error('starting a hub, and a fork of it');
  const data = join(folder, 'hub');
  const forked = join(folder, 'fork');
  const beginning = await begin(data);
  await beginning.postBatch(COMMON_BLOCKS, 'common');
  await beginning.untilAudited();
  await beginning.stop();
  cpSync(data, forked, { recursive: true });
  const hub = await begin(data);
  const fork = await begin(forked);
  const posted = await hub.post('single');
  if (posted.log === null) throw new Error(`the hub signed nothing: it is ${posted.log_state}`);
  await fork.post('another');
  await hub.postBatch(LATER_BLOCKS, 'hub');
  await fork.postBatch(LATER_BLOCKS, 'fork');
  const [vkey] = (await hub.read('vkeys')).split('\n');
  return { hub, fork, folder: join(folder, 'files'), vkey, posted };
}

/**
 * @param {import('./checks.js').Check} check
 */
async function judge({ name, proves, expected, run: runCheck }, { world, failure }) {
  if (failure !== undefined) {
    return { name, proves, expected, verdict: 'not run', output: cutEnd(failure) };
  }
  const { verdict, output } = await runCheck(world);
  const judged = verdict === expected ? 'ok' : 'FAILED';
  return { name, proves, expected, verdict: judged, output: cutEnd(output) };
}

function cutEnd(output) {
  return output.trim().slice(-OUTPUT_CHARACTERS_MAX);
}

function printResults(results) {
  for (const { verdict, name, proves, expected, output } of results) {
    console.log(`${verdict.padEnd(7)}  ${name} (must ${expected} it): ${proves}`);
    if (verdict === 'ok') continue;
    for (const line of output.split('\n')) console.log(`           ${line}`);
  }
  const good = results.filter(({ verdict }) => verdict === 'ok').length;
  console.log(`${good} of ${results.length} checks are good.`);
}

function chooseExit(results) {
  const verdicts = new Set(results.map(({ verdict }) => verdict));
  if (verdicts.has('FAILED')) return EXIT.failed;
  return verdicts.has('not run') ? EXIT.notRun : EXIT.allGood;
}
