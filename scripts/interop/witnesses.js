// Witnesses as processes of their own, with state that is thrown away: ours, litewitness of torchwood, and
// omniwitness of transparency-dev.

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';

import { NoteKey } from '@lothub/note-key';

import { repositoryRoot } from '../install.js';
import { startProgram } from './go-programs.js';

const STOP_WITH_PARENT = new URL('../stop-with-parent.js', import.meta.url).href;
const PROGRAM = join(repositoryRoot, 'host/bin/lothub.ts');
/** Root of the empty tree, as litewitness keeps it. */
const EMPTY_ROOT = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
/** What litewitness says before it listens, and its key. */
const LITEWITNESS_LISTENS = /msg=listening /;
const LITEWITNESS_KEY = /vkey=(\S+)/;
/** What omniwitness says once it listens. */
const OMNIWITNESS_LISTENS = /HTTP server goroutine started/;
const OMNIWITNESS_NAME = 'witness.example.net/omni';
/** Types of a key that signs notes, as omniwitness reads its own, and of one that cosigns. */
const NOTE_KEY_TYPE = 0x01;
const COSIGNING_KEY_TYPE = 0x04;
const SEED_BYTES = 32;

/** Programs of OpenSSH that hold the key of litewitness; without one of them it is not run. */
const SSH_PROGRAMS = ['ssh-keygen', 'ssh-agent', 'ssh-add'];

/**
 * @typedef {object} RunningWitness
 * @property {string} vkey
 * @property {string} prefix where it is asked
 * @property {() => Promise<void>} stop
 */

/** Why litewitness cannot be run here; undefined when it can. */
export function findSshFault() {
  const missing = SSH_PROGRAMS.filter((name) => spawnSync(name, ['-?']).error !== undefined);
  return missing.length === 0 ? undefined : `${missing.join(', ')} of OpenSSH are missing`;
}

/**
 * Our witness, for a list of logs.
 *
 * @param {string} folder
 * @param {readonly string[]} vkeys
 * @returns {Promise<RunningWitness>}
 */
export async function startOwnWitness(folder, vkeys) {
  mkdirSync(folder, { recursive: true });
  const listFile = join(folder, 'logs.txt');
  const entries = vkeys.map((vkey) => `vkey ${vkey}\nqpd 86400\ncontact interop\n`);
  writeFileSync(listFile, `logs/v0\n\n${entries.join('\n')}`);
  const child = spawn(
    process.execPath,
    ['--import', STOP_WITH_PARENT, PROGRAM, 'witness', '--json'],
    {
      env: {
        ...process.env,
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        PORT: '0',
        PUBLIC_URL: '',
        WITNESS_LOGS: listFile,
        WITNESS_NAME: 'witness.example.com/ours',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const ended = once(child, 'exit');
  const { vkey, prefix } = JSON.parse(await awaitLine(child, child.stdout, /^\{"ok":true/));
  return { vkey, prefix, stop: () => stop(child, ended) };
}

/**
 * litewitness, for one log. witnessctl, which adds logs, needs a library that is not to be had, so its two
 * rows are written here.
 *
 * @param {string} folder
 * @param {{ origin: string, vkey: string }} log
 * @returns {Promise<RunningWitness>}
 */
export async function startLitewitness(folder, { origin, vkey: logKey }) {
  mkdirSync(folder, { recursive: true });
  const key = join(folder, 'key');
  const socket = join(folder, 'agent');
  ssh('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => agent.kill());
  await awaitLine(agent, agent.stdout, /SSH_AUTH_SOCK/);
  ssh('ssh-add', ['-q', key], { SSH_AUTH_SOCK: socket });
  const [, fingerprint] = ssh('ssh-keygen', ['-lf', `${key}.pub`]).split(' ');
  const database = join(folder, 'witness.db');
  addLogTo(database, { origin, vkey: logKey });
  const address = `127.0.0.1:${await freePort()}`;
  const child = startProgram('litewitness', [
    ...['-db', database, '-name', 'witness.example.org/lite', '-key', fingerprint],
    ...['-ssh-agent', socket, '-listen', address],
  ]);
  const ended = once(child, 'exit');
  const lines = [];
  await awaitLine(child, child.stderr, LITEWITNESS_LISTENS, lines);
  const [, vkey] = LITEWITNESS_KEY.exec(lines.join('\n'));
  return {
    vkey,
    prefix: `http://${address}`,
    stop: async () => {
      await stop(child, ended);
      agent.kill();
    },
  };
}

/**
 * omniwitness, for one log, with its state in SQLite.
 *
 * @param {string} folder
 * @param {{ origin: string, vkey: string }} log
 * @returns {Promise<RunningWitness>}
 */
export async function startOmniwitness(folder, { origin, vkey: logKey }) {
  mkdirSync(folder, { recursive: true });
  const seed = randomBytes(SEED_BYTES);
  const keyFile = join(folder, 'witness.sec');
  const makeKey = (type) => new NoteKey({ name: OMNIWITNESS_NAME, type, seed });
  writeFileSync(keyFile, makeKey(NOTE_KEY_TYPE).line.trimEnd());
  const logs = join(folder, 'logs.yaml');
  writeFileSync(logs, `Logs:\n  - Origin: ${origin}\n    PublicKey: ${logKey}\n    URL: ''\n`);
  const address = `127.0.0.1:${await freePort()}`;
  const child = startProgram('omniwitness', [
    ...['--listen', address, '--metrics_listen', '', '--private_key_path', keyFile],
    ...['--additional_logs', logs, '--db_file', join(folder, 'witness.db'), '--logtostderr'],
  ]);
  const ended = once(child, 'exit');
  await awaitLine(child, child.stderr, OMNIWITNESS_LISTENS);
  const { vkey } = makeKey(COSIGNING_KEY_TYPE);
  return { vkey, prefix: `http://${address}`, stop: () => stop(child, ended) };
}

/** As witnessctl's add-log and add-key do (torchwood v0.9.0). */
function addLogTo(file, { origin, vkey }) {
  const database = new DatabaseSync(file);
  database.exec(
    'create table log (origin text primary key, tree_size integer not null, tree_hash text not null); ' +
      'create table key (origin text not null, key text not null, foreign key(origin) references log(origin));',
  );
  database
    .prepare('insert into log (origin, tree_size, tree_hash) values (?, 0, ?)')
    .run(origin, EMPTY_ROOT);
  database.prepare('insert into key (origin, key) values (?, ?)').run(origin, vkey);
  database.close();
}

/** Neither of the others says which port it got, so it is given one that was free just now. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

function ssh(command, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
  return stdout;
}

/** The first line that matches; fails when the process ends before it. */
function awaitLine(child, stream, pattern, lines = []) {
  return new Promise((resolve, reject) => {
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      if (pattern.test(line)) resolve(line);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`a witness did not start: ${lines.join('\n')}`)));
  });
}

async function stop(child, ended) {
  child.kill('SIGTERM');
  await ended;
}
