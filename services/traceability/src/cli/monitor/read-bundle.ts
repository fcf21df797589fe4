// One bundle of a log: its entries, and whether each text is the one of its entry and continues from the
// block before. Texts are read as a stream, so that one block is held at a time.
import { ChainVerifier } from '@lothub/chain';
import { LogError, parseEntryBundle, TILE_WIDTH, tileIndexPath, tilePath } from '@lothub/chain/log';
import { CommandError } from '@lothub/kit/cli/command-error';
import { at } from '@lothub/kit/present';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { readBytes, unreachable, type HubAnswer, type HubClient } from '../hub-client.ts';
import { readLines } from '../judge/lines.ts';
import type { EventReport, FindingReport, WithheldReport } from './reports.ts';
import type { Watch } from './watch.ts';

/** The texts of 256 blocks are at most some 200 MB. */
const TEXTS_TIMEOUT_MS = 600_000;
/** Maximum number of times that the texts of an interrupted response are read. */
const TRIES_MAX = 3;
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The blocks of a bundle up to one that is not wanted, or that the tree does not have yet. */
export interface BundlePart {
  readonly index: number;
  readonly below: number;
}

export interface LogSource {
  readonly client: HubClient;
  /** Path of the log, such as `/log/1/`. */
  readonly prefix: string;
  readonly signal: AbortSignal;
}

/** The results of the texts of a bundle. */
export interface JudgedTexts {
  readonly findings: readonly FindingReport[];
  readonly withheld: readonly WithheldReport[];
  /** Possible sightings; the watch decides when it has read the blocks before. */
  readonly sightings: readonly EventReport[];
  readonly contentsNotJudged: number;
}

/**
 * The entries of the part, in order.
 * @throws CommandError `answer_unexpected` when the bundle has not the width that was requested
 */
export async function readEntries(
  { client, prefix }: LogSource,
  { index, below }: BundlePart,
): Promise<readonly Uint8Array[]> {
  const width = below - index * TILE_WIDTH;
  const path = `${prefix}${tilePath('entries', index, width)}`;
  const entries = parsed(path, await client.getBytes(path));
  if (entries.length !== width) throw unexpected(path, `it has ${entries.length} entries`);
  return entries;
}

/** Judges the texts of the part; `previousHash` is that of the block before, none before genesis. */
export async function judgeTexts(
  source: LogSource,
  given: {
    readonly part: BundlePart;
    readonly entries: readonly Uint8Array[];
    readonly previousHash: string | undefined;
    /** Blocks before this one were reported in an earlier pass. */
    readonly newFrom: number;
    readonly watch: Watch;
  },
): Promise<JudgedTexts> {
  const path = `${source.prefix}blocks/${buildPath(given.part)}`;
  for (let tries = 1; ; tries += 1) {
    const judge = new TextJudge(given);
    try {
      for await (const lines of readLines(await openTexts(source, path))) judge.take(lines);
      return judge.end();
    } catch (error) {
      source.signal.throwIfAborted();
      if (error instanceof CommandError) throw error;
      if (tries === TRIES_MAX)
        throw unreachable(source.client.base, { method: 'GET', path }, error);
    }
  }
}

/** Takes the lines of a bundle one after the other. */
class TextJudge {
  readonly #part: BundlePart;
  readonly #hashes: readonly string[];
  readonly #watch: Watch;
  readonly #newFrom: number;
  #verifier: ChainVerifier;
  #unjudged = 0;
  #height: number;
  readonly #findings: FindingReport[] = [];
  readonly #withheld: WithheldReport[] = [];
  readonly #sightings: EventReport[] = [];

  constructor(given: Parameters<typeof judgeTexts>[1]) {
    this.#part = given.part;
    this.#hashes = given.entries.map((entry) => entry.toHex());
    this.#watch = given.watch;
    this.#newFrom = given.newFrom;
    this.#height = given.part.index * TILE_WIDTH;
    this.#verifier = verifierAfter(this.#height - 1, given.previousHash);
  }

  take(lines: readonly Buffer[]): void {
    for (const line of lines) {
      if (this.#height < this.#part.below) this.#judge(line);
      this.#height += 1;
    }
  }

  end(): JudgedTexts {
    if (this.#height !== this.#part.below) {
      const height = Math.min(this.#height, this.#part.below);
      this.#find(height, 'text_missing', 'The hub serves another number of texts than entries.');
    }
    return {
      findings: this.#findings,
      withheld: this.#withheld,
      sightings: this.#sightings,
      contentsNotJudged: this.#unjudged,
    };
  }

  #judge(line: Buffer): void {
    const height = this.#height;
    const blockHash = at(this.#hashes, height - this.#part.index * TILE_WIDTH);
    const canonical = decoded(line);
    if (canonical === `{"withheld":${height}}`) {
      if (height >= this.#newFrom) this.#withheld.push({ type: 'text_withheld', height });
      this.#goOnAfter(height, blockHash);
      return;
    }
    if (canonical === undefined || sha256Hex(canonical) !== blockHash) {
      this.#find(
        height,
        'text_differs',
        'The text that the hub serves for the block is not the one whose hash it signed.',
      );
      this.#goOnAfter(height, blockHash);
      return;
    }
    const unjudged = this.#verifier.contentsNotJudged;
    const fault = this.#verifier.verifyBlocks([{ height, blockHash, canonical }]);
    const isNew = height >= this.#newFrom;
    if (isNew) this.#unjudged += this.#verifier.contentsNotJudged - unjudged;
    if (fault !== undefined) {
      this.#find(height, fault.code, fault.message);
      this.#goOnAfter(height, blockHash);
    }
    // A text that is no block cannot be read, and was reported.
    if (!isNew || fault?.code === 'not_json' || fault?.code === 'not_canonical') return;
    const sighting = this.#watch.read({ canonical, blockHash });
    if (sighting !== undefined) this.#sightings.push(sighting);
  }

  #find(height: number, code: string, message: string): void {
    this.#findings.push({ type: 'finding', code, height, message, contradiction: null });
  }

  /**
   * Continues after a block that could not be judged: its hash is known, so the next one can be.
   */
  #goOnAfter(height: number, blockHash: string): void {
    this.#verifier = verifierAfter(height, blockHash);
  }
}

function verifierAfter(height: number, blockHash: string | undefined): ChainVerifier {
  return new ChainVerifier({
    hash: sha256Hex,
    depth: 'contents',
    ...(blockHash === undefined ? {} : { previous: { height, blockHash } }),
  });
}

async function openTexts(
  { client, signal }: LogSource,
  path: string,
): Promise<AsyncIterable<Uint8Array>> {
  const answer = await client.untilNotBusy(async () => {
    const response = await fetch(client.base + path, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TEXTS_TIMEOUT_MS)]),
    });
    const { status } = response;
    const retryAfter = response.headers.get('retry-after');
    return status === 200
      ? { status, retryAfter, body: undefined, texts: response.body }
      : { status, retryAfter, body: (await readBytes(response)).toString('utf8'), texts: null };
  });
  if (answer.texts !== null) return answer.texts;
  throw client.refusal('GET', path, answer satisfies HubAnswer);
}

function buildPath({ index, below }: BundlePart): string {
  const width = below - index * TILE_WIDTH;
  return width === TILE_WIDTH ? tileIndexPath(index) : `${tileIndexPath(index)}.p/${width}`;
}

function decoded(line: Buffer): string | undefined {
  try {
    return UTF_8.decode(line);
  } catch {
    // Bytes that are no text cannot be the text of a block; there is no other detail.
    return undefined;
  }
}

function parsed(path: string, bytes: Uint8Array): readonly Uint8Array[] {
  try {
    return parseEntryBundle(bytes);
  } catch (error) {
    if (error instanceof LogError) throw unexpected(path, error.message);
    throw error;
  }
}

function unexpected(path: string, what: string): CommandError {
  return new CommandError('answer_unexpected', `reading ${path}: ${what}`);
}
