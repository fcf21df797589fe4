// What is checked of witnesses: ours answers programs of others as the text of tlog-witness says, where
// litewitness and omniwitness do too; and tessera's writer publishes nothing without our cosignature.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { NoteKey } from '@lothub/note-key';

import { REQUEST_TABLE, tableLog } from '../../packages/witness/test/request-table.ts';
import { runProgram } from './go-programs.js';
import { startLitewitness, startOmniwitness, startOwnWitness } from './witnesses.js';

const LOG_KEY_TYPE = 0x01;
const ENTRY_BYTES = 32;
/** Entries of the log that tessera writes: those of its first checkpoint, and more at its second run. */
const FIRST_ENTRIES = 5;
const MORE_ENTRIES = 8;

/** @type {readonly import('./checks.js').Check[]} */
export const WITNESS_CHECKS = [
  {
    program: 'litewitness',
    name: 'the table of requests, to litewitness',
    proves: 'it answers as our witness does, but for the rows that say otherwise',
    expected: 'take',
    run: async ({ folder }) => {
      const witness = await startLitewitness(join(folder, 'litewitness'), tableLog);
      return await sendTable(witness, (row) => row.litewitness ?? row.status);
    },
  },
  {
    program: 'omniwitness',
    name: 'the table of requests, to omniwitness',
    proves: 'it answers as our witness does, but for the rows that say otherwise',
    expected: 'take',
    run: async ({ folder }) => {
      const witness = await startOmniwitness(join(folder, 'omniwitness'), tableLog);
      return await sendTable(witness, (row) => row.omniwitness ?? row.status);
    },
  },
  {
    program: 'posix-oneshot',
    name: 'tessera posix-oneshot with our witness as the required one',
    proves: 'its first checkpoint and its growth are cosigned and published',
    expected: 'take',
    run: async ({ folder }) => {
      const log = newWriter(join(folder, 'tessera'));
      const witness = await startOwnWitness(join(folder, 'own-tessera'), [log.key.vkey]);
      try {
        const first = await log.append(FIRST_ENTRIES, witness);
        const second = await log.append(MORE_ENTRIES, witness);
        const isCosigned = [first, second].every(({ checkpoint }) =>
          checkpoint?.includes('\n\u2014 witness.example.com/ours '),
        );
        const sizes = [first, second].map(({ checkpoint }) => checkpoint?.split('\n')[1]);
        const isGrown = sizes.join() === `${FIRST_ENTRIES},${FIRST_ENTRIES + MORE_ENTRIES}`;
        const output = `${first.output}${second.output}`;
        return { verdict: isCosigned && isGrown ? 'take' : undefined, output };
      } finally {
        await witness.stop();
      }
    },
  },
  {
    program: 'posix-oneshot',
    name: 'tessera posix-oneshot, a witness that does not know the log',
    proves: 'without our cosignature tessera publishes nothing',
    expected: 'refuse',
    run: async ({ folder }) => {
      const log = newWriter(join(folder, 'tessera-unknown'));
      const witness = await startOwnWitness(join(folder, 'own-unknown'), []);
      try {
        const { checkpoint, output } = await log.append(FIRST_ENTRIES, witness);
        return { verdict: checkpoint === undefined ? 'refuse' : 'take', output };
      } finally {
        await witness.stop();
      }
    },
  },
];

/** Sends the rows in their order; good when each is answered with the status that is expected. */
async function sendTable(witness, readStatus) {
  const different = [];
  try {
    for (const row of REQUEST_TABLE) {
      const init = { method: 'POST', body: row.body };
      const answer = await fetch(`${witness.prefix}/add-checkpoint`, init);
      const text = await answer.text();
      if (answer.status === readStatus(row)) continue;
      different.push(`${row.name}: ${answer.status} instead of ${readStatus(row)}: ${text}`);
    }
  } finally {
    await witness.stop();
  }
  return { verdict: different.length === 0 ? 'take' : undefined, output: different.join('\n') };
}

/** A log that tessera writes into a folder, with a key of ours. */
function newWriter(folder) {
  const entries = join(folder, 'entries');
  mkdirSync(entries, { recursive: true });
  const seed = new Uint8Array(ENTRY_BYTES).fill(11);
  const key = new NoteKey({ name: 'tessera.example.com/log/1', type: LOG_KEY_TYPE, seed });
  const keyFile = join(folder, 'log.sec');
  writeFileSync(keyFile, key.line.trimEnd());
  return {
    key,
    append: async (count, { vkey, prefix }) => {
      const round = join(entries, String(readdirSync(entries).length));
      mkdirSync(round);
      for (let index = 0; index < count; index += 1) {
        const entry = new Uint8Array(ENTRY_BYTES).fill(readdirSync(entries).length * 16 + index);
        writeFileSync(join(round, String(index)), entry);
      }
      const policy = join(folder, 'policy');
      writeFileSync(policy, `witness ours ${vkey} ${prefix}\nquorum ours\n`);
      const { output } = await runProgram('posix-oneshot', [
        `--storage_dir=${join(folder, 'log')}`,
        `--private_key=${keyFile}`,
        `--entries=${round}/*`,
        `--witness_policy_file=${policy}`,
        '--witness_timeout=10s',
        '--logtostderr',
      ]);
      return { output, checkpoint: readIfThere(join(folder, 'log', 'checkpoint')) };
    },
  };
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
