/** One witness: what it answers to those who ask for its cosignature, and to those who look at it. */
import { basename } from 'node:path';
import { cosignatureBody, cosignatureLine, type Checkpoint } from '@lothub/chain/log';
import { lockDataDir } from '@lothub/kit/cli/data-dir-lock';
import type { Clock } from '@lothub/kit/clock';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import type { NoteKey } from '@lothub/note-key';
import type { AddCheckpoint } from './add-checkpoint.ts';
import { judgeGrowth, judgeSignatures } from './judge.ts';
import { KnownLogs, type KnownLog } from './known-logs.ts';
import { ListWatch, readListFile } from './list-file.ts';
import type { ListedLog, LogList } from './log-list.ts';
import { openIdentity } from './state/identity.ts';
import { RequestGroups } from './request-groups.ts';
import { StateStore } from './state/store.ts';
import { WitnessError } from './witness-error.ts';

const LOCK_FILE_NAME = 'witness.lock';
const MS_PER_SECOND = 1_000;

/** Where a witness says what an operator should read. */
export interface WitnessLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** A log of the hub that the witness is part of: its cosignature under it would prove nothing. */
export interface OwnLog {
  readonly origin: string;
  readonly vkey: string;
}

export interface WitnessOptions {
  readonly dataDir: string;
  /** The name of the key, when one is made. */
  readonly name: string;
  readonly listFile: string;
  /** Whether a lost key or state is to be replaced by a new key. */
  readonly mayRenew: boolean;
  /** Asked whenever it matters: a hub gets new logs while it runs. */
  readonly ownLogs?: () => readonly OwnLog[];
  readonly clock: Clock;
  readonly log: WitnessLog;
  /** Called when nothing can be written any more. */
  readonly onFatal: (error: Error) => void;
  readonly lookEveryMs?: number;
}

/** What a witness answers to a request that is well formed. */
export type WitnessAnswer =
  | { readonly kind: 'cosigned'; readonly line: string }
  /** The log is not in its list. */
  | { readonly kind: 'unknown_log' }
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'too_often'; readonly retrySeconds: number }
  | { readonly kind: 'old_too_large' }
  | { readonly kind: 'size_differs'; readonly size: number }
  | { readonly kind: 'inconsistent' };

export class Witness implements AsyncDisposable {
  readonly key: NoteKey;
  readonly #options: WitnessOptions;
  readonly #store: StateStore;
  readonly #logs: KnownLogs;
  readonly #groups = new RequestGroups();
  readonly #opened: AsyncDisposableStack;

  private constructor(parts: {
    readonly key: NoteKey;
    readonly options: WitnessOptions;
    readonly store: StateStore;
    readonly opened: AsyncDisposableStack;
  }) {
    this.key = parts.key;
    this.#options = parts.options;
    this.#store = parts.store;
    this.#logs = new KnownLogs();
    this.#opened = parts.opened;
  }

  /**
   * @throws CommandError when another process has the data directory
   * @throws WitnessError, NoteKeyError, DatabaseError
   */
  static async open(options: WitnessOptions): Promise<Witness> {
    const { dataDir, listFile, log } = options;
    await using opening = new AsyncDisposableStack();
    opening.use(lockDataDir(dataDir, LOCK_FILE_NAME));
    // Before anything is made: a list that is refused leaves no key behind.
    const list = await readListFile(listFile);
    const own = newOwnLogs(options);
    const ownEntry = list.logs.find((entry) => own.has(entry));
    if (ownEntry !== undefined) {
      throw new WitnessError(
        'own_log',
        `starting the witness: the list in ${listFile} names ${ownEntry.origin}, the log of this hub, ` +
          'which it must not cosign itself; take that entry out',
      );
    }
    const key = await openIdentity(options);
    const store = opening.use(await StateStore.open(options));
    const opened = new AsyncDisposableStack();
    const witness = new Witness({ key, options, store, opened });
    for await (const page of store.keys()) page.forEach((known) => witness.#logs.add(known));
    await witness.#takeList(list);
    opening.use(
      await ListWatch.start({
        file: listFile,
        everyMs: options.lookEveryMs,
        onChange: (changed) => witness.#takeList(changed),
        onError: (err) => log.error({ err }, 'reading the changed list of logs failed'),
      }),
    );
    opened.use(opening.move());
    return witness;
  }

  /** Logs that it knows. */
  get logCount(): number {
    return this.#logs.size;
  }

  /** The logs with their keys and rates, for everybody. */
  async listLogs(): Promise<readonly Omit<ListedLog, 'contact'>[]> {
    const listed: Omit<ListedLog, 'contact'>[] = [];
    for await (const logs of slicesInTurns(this.#logs.all())) {
      for (const { origin, vkey, qpd } of logs.flatMap((log) => log.listed)) {
        listed.push({ origin, vkey, qpd });
      }
    }
    return listed;
  }

  /**
   * Cosigns a checkpoint, or returns why not, in the order of c2sp.org/tlog-witness.
   * @param client the caller whose requests are counted
   * @throws DatabaseError; then nothing was cosigned
   */
  async addCheckpoint(request: AddCheckpoint, client: string): Promise<WitnessAnswer> {
    const { checkpoint } = request;
    const log = this.#logs.find(checkpoint.origin);
    if (log === undefined || this.#isOwn(log)) {
      return { kind: 'unknown_log' };
    }
    await this.#groups.join();
    const signing = judgeSignatures(checkpoint, log.keys);
    if (signing.kind === 'unsigned') return signing;
    const { allowed, retrySeconds } = await log.rate.take(client);
    if (!allowed) return { kind: 'too_often', retrySeconds };
    const cosigned = present(await this.#store.find(log.origin), 'the state of a known log');
    const growth = judgeGrowth(request, { cosigned, hash: sha256Bytes });
    if (growth.kind === 'size_differs') return { kind: 'size_differs', size: cosigned.size };
    if (growth.kind === 'inconsistent') this.#reportInconsistent(request);
    if (growth.kind !== 'grown') return growth;
    const time = Math.floor(this.#options.clock.nowMs() / MS_PER_SECOND);
    const isTaken = await this.#store.cosign({
      origin: log.origin,
      before: { size: cosigned.size, root: cosigned.root },
      after: { size: checkpoint.size, root: checkpoint.root },
      checkpoint: `${checkpoint.body}\n${signing.lines.join('')}`,
      time,
    });
    if (!isTaken) {
      const { size } = present(await this.#store.find(log.origin), 'the state of a known log');
      return { kind: 'size_differs', size };
    }
    return { kind: 'cosigned', line: this.#cosign(checkpoint, time) };
  }

  /**
   * The checkpoint that was cosigned last, with the log's signatures and the cosignature.
   * @param originHash SHA-256 of the origin in lower-case hex
   */
  async findCheckpoint(originHash: string): Promise<string | undefined> {
    const log = this.#logs.findByHash(originHash);
    const cosigned = log && (await this.#store.find(log.origin));
    if (cosigned === undefined || cosigned.checkpoint === null || cosigned.cosigned_at === null) {
      return undefined;
    }
    const body = cosigned.checkpoint.slice(0, cosigned.checkpoint.lastIndexOf('\n\n') + 1);
    return cosigned.checkpoint + this.#cosign({ body }, cosigned.cosigned_at);
  }

  abandon(): void {
    this.#store.abandon();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }

  /** Deterministic: the same line whenever it is made of the same checkpoint and time. */
  #cosign({ body }: Pick<Checkpoint, 'body'>, time: number): string {
    const { name, publicKey } = this.key;
    const signature = this.key.sign(cosignatureBody(time, body));
    return cosignatureLine({ name, publicKey, time, signature });
  }

  /** Its checkpoint is the proof: the log signed it, and another one that does not go with it. */
  #reportInconsistent({ oldSize, checkpoint }: AddCheckpoint): void {
    const { origin, size } = checkpoint;
    this.#options.log.warn(
      { origin, old_size: oldSize, size, checkpoint: checkpoint.body },
      'a log signed a checkpoint that was not shown to be grown from the one that was cosigned last',
    );
  }

  #isOwn(log: KnownLog): boolean {
    if (this.#options.ownLogs === undefined) return false;
    const own = newOwnLogs(this.#options);
    return log.listed.some((entry) => own.has(entry));
  }

  /** Adds what is new in a list. Nothing is taken away or changed: a list may be cut off or forged. */
  async #takeList({ logs, skipped }: LogList): Promise<void> {
    const { log, listFile } = this.#options;
    const own = newOwnLogs(this.#options);
    const file = basename(listFile);
    const counts = { added: 0, own: 0, changed: 0, same: 0 };
    for await (const entries of slicesInTurns(logs)) {
      const added: ListedLog[] = [];
      for (const entry of entries) {
        const known = this.#logs.findKey(entry.vkey);
        if (known !== undefined) counts[isSame(known, entry) ? 'same' : 'changed'] += 1;
        else if (own.has(entry)) counts.own += 1;
        else added.push(entry);
      }
      if (added.length > 0) await this.#store.add(added);
      added.forEach((entry) => this.#logs.add(entry));
      counts.added += added.length;
    }
    log.info({ file, added: counts.added, logs: this.#logs.size }, 'read the list of logs');
    for (const { line, reason } of skipped) {
      log.warn({ file, line }, `an entry of the list is left out: ${reason}`);
    }
    if (counts.own > 0) {
      log.warn({ file }, 'the list names the log of this hub, which is not cosigned; take it out');
    }
    const gone = this.#logs.keyCount - counts.added - counts.same - counts.changed;
    if (counts.changed > 0 || gone > 0) {
      log.warn(
        { file, changed: counts.changed, gone },
        'the list changed or lost entries that are known; a list only adds, so they stay as they were',
      );
    }
  }
}

/** What of a list is the hub's own: by the name of the log, or by the key under whatever name. */
function newOwnLogs({ ownLogs }: Pick<WitnessOptions, 'ownLogs'>): {
  readonly has: (log: OwnLog) => boolean;
} {
  const own = ownLogs?.() ?? [];
  const names = new Set(own.map(({ origin }) => origin));
  const keys = new Set(own.map(({ vkey }) => toPublicPart(vkey)));
  return { has: ({ origin, vkey }) => names.has(origin) || keys.has(toPublicPart(vkey)) };
}

/** Type and public key of a verifier key: what comes after its name and its id. */
function toPublicPart(vkey: string): string {
  return vkey.replace(/^[^+]+\+[0-9a-f]{8}\+/, '');
}

function isSame(a: ListedLog, b: ListedLog): boolean {
  return a.origin === b.origin && a.qpd === b.qpd && a.contact === b.contact;
}
