/**
 * Follows a log that continued under another name, by the statements that its operator signed
 * (docs/chain-format.md#epochs).
 */
import { judgeEpochStatement, LogError, parseEpochStatement, sameBytes } from '@lothub/chain/log';
import type { ParsedEpochStatement } from '@lothub/chain/log';
import type { Trust } from './signed-head.ts';
import { Refusal, type Step } from './verdict.ts';

/** Entries that were signed and are in no later log; the operator has signed that. */
export interface LostEntries {
  /** The log that had them. */
  readonly origin: string;
  /** Index of the first one; all behind it are lost. */
  readonly from: number;
  /** Entries of the tree that the reader has seen, or that the operator says was signed last. */
  readonly below: number;
}

export interface FollowedEpochs {
  /** With the keys of the logs that were followed. */
  readonly trust: Trust;
  /** Those that are believed, in their order. */
  readonly statements: readonly ParsedEpochStatement[];
  readonly steps: readonly Step[];
  /** Statements about a trusted log that no trusted witness confirms. */
  readonly unconfirmed: readonly ParsedEpochStatement[];
}

/**
 * The keys that the logs of a policy have handed on. A statement of another log is skipped.
 *
 * @param notes statements in the order of their logs
 * @throws {Refusal} `malformed`; `bad_signature` when a statement is signed wrongly
 */
export async function followEpochs(
  notes: readonly string[],
  trust: Trust,
): Promise<FollowedEpochs> {
  const statements: ParsedEpochStatement[] = [];
  const unconfirmed: ParsedEpochStatement[] = [];
  let logs = trust.policy.logs;
  for (const note of notes) {
    const statement = read(note);
    const oldKeys = logs.map(({ key }) => key).filter(({ name }) => name === statement.old);
    if (oldKeys.length === 0) continue;
    const refused = await judgeEpochStatement(statement, { oldKeys, verify: trust.verify });
    if (refused === 'bad_signature' || refused === 'same_key') {
      throw new Refusal(
        'bad_signature',
        `The statement that ${statement.old} goes on as ${statement.new} is not signed by the two logs.`,
      );
    }
    const isPinned = logs.some(
      ({ key }) =>
        key.name === statement.new && sameBytes(key.publicKey, statement.newKey.publicKey),
    );
    const isConfirmed = refused === undefined && statement.oldSignature !== undefined;
    if (!isConfirmed && !isPinned) {
      unconfirmed.push(statement);
      continue;
    }
    statements.push(statement);
    if (!isPinned) logs = [...logs, { key: statement.newKey }];
  }
  return {
    trust: { ...trust, policy: { ...trust.policy, logs } },
    statements,
    unconfirmed,
    steps: statements.map(buildStep),
  };
}

/** What became of the entries of a log: up to where the log at the end of the statements holds them. */
export function sharedWith(
  origin: string,
  {
    newest,
    statements,
  }: { readonly newest: string; readonly statements: FollowedEpochs['statements'] },
): { readonly size: number; readonly by: ParsedEpochStatement | undefined } | undefined {
  let at = origin;
  let size = Infinity;
  let by: ParsedEpochStatement | undefined;
  for (const statement of statements) {
    if (at === newest) break;
    if (statement.old !== at) continue;
    if (statement.common.size < size) {
      size = statement.common.size;
      by = statement;
    }
    at = statement.new;
  }
  return at === newest ? { size, by } : undefined;
}

/** The log that continues after this one, as far as it is known. */
export function newestAfter(origin: string, statements: FollowedEpochs['statements']): string {
  return statements.reduce((at, statement) => (statement.old === at ? statement.new : at), origin);
}

/** Which entries of a proven tree are not in the log that continues after it. */
export function findLostEntries(
  head: { readonly origin: string; readonly size: number },
  given: { readonly statements: FollowedEpochs['statements']; readonly last: number },
): LostEntries | undefined {
  const { statements, last } = given;
  const newest = newestAfter(head.origin, statements);
  const shared = sharedWith(head.origin, { newest, statements });
  if (shared === undefined || last < shared.size) return undefined;
  return { origin: head.origin, from: shared.size, below: head.size };
}

export function lostText({ origin, from }: LostEntries): string {
  return `Entries of ${origin} from ${from} on are lost, also of this file: the operator has signed that.`;
}

/** What the reader has to do when the operator cannot prove that the log is theirs. */
export function unconfirmedText({ old, vkey, reason }: ParsedEpochStatement): string {
  return (
    `The log ${old} has ended (${reason}), and no key of it that your policy has confirms which one goes ` +
    `on. The hub names ${vkey}: compare it with what the operator published elsewhere, then add it to your policy.`
  );
}

function buildStep(statement: ParsedEpochStatement): Step {
  const { old, last, common, reason, at } = statement;
  const lost =
    common.size === last.size
      ? 'all of its entries are in it'
      : `its entries from ${common.size} on are lost, of ${last.size} that were signed`;
  return {
    name: 'epochs',
    isGood: true,
    text: `The operator signed that the log ${old} goes on as ${statement.new} (${reason}, ${at}): ${lost}.`,
  };
}

function read(note: string): ParsedEpochStatement {
  try {
    return parseEpochStatement(note);
  } catch (error) {
    if (error instanceof LogError) throw new Refusal('malformed', error.message, { cause: error });
    throw error;
  }
}
