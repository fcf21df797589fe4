// `lothub verify --policy`: judges evidence files, proof files and the checkpoint of a hub by the
// policy of its user, and stores good results for the next time.
import { readFile, stat, writeFile } from 'node:fs/promises';
import {
  LogError,
  parseEpochList,
  parseEpochStatement,
  textOfUtf8,
  tilePath,
} from '@lothub/chain/log';
import type { ReadTile } from '@lothub/chain/log';
import { CommandError, formatReason } from '@lothub/kit/cli/command-error';
import { storeFile } from '@lothub/kit/cli/stored-file';
import {
  consistencyFromTiles,
  EVIDENCE_BYTES_MAX,
  followEpochs,
  keptText,
  KeptUnreadable,
  parseKept,
  readPolicy,
  Refusal,
  verifyCheckpoint,
  verifyEd25519,
  verifyEvidence,
  verifyProof,
} from '@lothub/verify';
import type { Kept, Report } from '@lothub/verify';
import type { HubClient } from '../hub-client.ts';

/** Largest policy and largest file of kept checkpoints that are read, in bytes. */
const OWN_FILE_BYTES_MAX = 1_048_576;
const EPOCHS_PATH = '/log/epochs';
const PROOF_OPENING = 'c2sp.org/tlog-proof@';
/** The number of a log at the end of its origin, which is part of its address. */
const EPOCH = /\/log\/([1-9][0-9]{0,8})$/;

export interface JudgeByPolicyOptions {
  /** File of a tlog-policy. */
  readonly policy: string;
  /** An evidence file or a proof file; without one the hub's newest checkpoint is judged. */
  readonly evidence?: string;
  /** The hash of the block, for a proof file that does not contain the block's text. */
  readonly blockHash?: string;
  /** File of kept checkpoints; made when it is not there. */
  readonly state?: string;
  /** The hub that checkpoint and tiles are read from. */
  readonly client?: HubClient;
}

/** @throws CommandError when a file cannot be read or written, or the hub is unreachable */
export async function judgeByPolicy(options: JudgeByPolicyOptions): Promise<Report> {
  const { state, client } = options;
  const policy = await readOwnText(options.policy);
  const kept = state === undefined ? undefined : await readState(state);
  try {
    readPolicy(policy);
    const epochs = client === undefined ? [] : await readEpochList(client);
    const prefix = await newestPrefix(policy, epochs);
    const report = await judge(options, {
      policy,
      prefix,
      epochs: epochs.map(({ note }) => note),
      ...(kept === undefined ? {} : { kept }),
      ...(client === undefined
        ? {}
        : { readConsistency: consistencyFromTiles(buildTileReader(client, prefix)) }),
    });
    if (state !== undefined && report.kept !== undefined) await writeState(state, report.kept);
    return report;
  } catch (error) {
    throw asCommandError(error, options);
  }
}

type Believed = Omit<Parameters<typeof verifyCheckpoint>[0], 'checkpoint'> & {
  readonly prefix: string;
};

async function judge(options: JudgeByPolicyOptions, believed: Believed): Promise<Report> {
  const { evidence, client, blockHash } = options;
  if (evidence !== undefined) {
    const file = await readOwn(evidence, EVIDENCE_BYTES_MAX);
    if (!startsAsProof(file)) return await verifyEvidence({ ...believed, file });
    return blockHash === undefined
      ? await verifyProof({ ...believed, proof: file })
      : await verifyProof({ ...believed, proof: file, blockHash });
  }
  if (client === undefined) throw new Error('neither a file nor a hub is to be judged');
  const bytes = await client.getBytes(`${believed.prefix}checkpoint`);
  return await verifyCheckpoint({ ...believed, checkpoint: new TextDecoder().decode(bytes) });
}

type EpochList = ReturnType<typeof parseEpochList>;

/**
 * Reads which logs of the hub follow others; empty for a server that has only a copy of one log.
 */
export async function readEpochList(client: HubClient): Promise<EpochList> {
  const bytes = await client.findBytes(EPOCHS_PATH);
  return bytes === undefined ? [] : parseEpochList(new TextDecoder().decode(bytes));
}

/**
 * Finds the path at which the hub serves the newest log that the policy leads to, by its own lines
 * or by statements.
 * @throws LogError when the text is no policy
 */
export async function newestPrefix(policy: string, epochs: EpochList): Promise<string> {
  const trust = { policy: readPolicy(policy), verify: verifyEd25519 };
  try {
    const { statements, unconfirmed } = await followEpochs(
      epochs.map(({ note }) => note),
      trust,
    );
    // A log without any confirmation counts as well: the verifier reports that, and the log before
    // it has ended.
    const known = [...statements, ...unconfirmed].map((statement) => statement.new);
    const found = epochs.findLast(({ note }) => known.includes(parseEpochStatement(note).new));
    if (found !== undefined) return `/log/${found.epoch}/`;
  } catch (error) {
    // The verifier reports the fault of a statement.
    if (!(error instanceof Refusal)) throw error;
  }
  return logPrefix(policy);
}

/** Returns the path at which the hub serves the newest of the logs that the policy names. */
function logPrefix(policy: string): string {
  const epochs = readPolicy(policy).logs.map(({ key }) => Number(EPOCH.exec(key.name)?.[1] ?? '1'));
  return `/log/${Math.max(...epochs)}/`;
}

export function buildTileReader(client: HubClient, prefix: string): ReadTile {
  return async ({ level, index, width }) =>
    await client.getBytes(`${prefix}${tilePath(level, index, width)}`);
}

function startsAsProof(file: Uint8Array): boolean {
  return Buffer.from(file.subarray(0, PROOF_OPENING.length)).toString('latin1') === PROOF_OPENING;
}

async function readState(file: string): Promise<Kept> {
  try {
    return parseKept(textOfUtf8(await readFile(file)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    throw unreadable(file, error);
  }
}

/** The file is replaced as a whole: a crash leaves the earlier state. */
async function writeState(file: string, kept: Kept): Promise<void> {
  await storeFile({ file, existing: 'replace', attempt: 'keeping the checkpoint' }, (passing) =>
    writeFile(passing, keptText(kept)),
  );
}

async function readOwn(file: string, bytesMax: number): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size > bytesMax) throw new Error(`it is larger than ${bytesMax} bytes`);
    return await readFile(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

export async function readOwnText(file: string): Promise<string> {
  const bytes = await readOwn(file, OWN_FILE_BYTES_MAX);
  try {
    return textOfUtf8(bytes);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): CommandError {
  return new CommandError('file_unreadable', `reading ${file}: ${formatReason(cause)}`, { cause });
}

/** The reader's own mistakes, and answers of a hub that are no tiles. */
function asCommandError(error: unknown, { policy, state }: JudgeByPolicyOptions): unknown {
  if (error instanceof LogError) {
    return error.code === 'policy_invalid'
      ? unreadable(policy, error)
      : new CommandError('answer_unexpected', `reading the log: ${error.message}`, {
          cause: error,
        });
  }
  if (error instanceof KeptUnreadable) return unreadable(state ?? 'the kept checkpoints', error);
  return error;
}
