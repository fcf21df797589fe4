// Makes one pass over a log: compares its checkpoint with the stored one, then reads the new blocks
// in slices. It reports a slice only after the tree up to its end was shown to be the beginning of
// the signed one.
import { setTimeout as wait } from 'node:timers/promises';
import {
  appendLeaves,
  computeRoot,
  consistencyProof,
  leafHash,
  parseCheckpoint,
  subtreesFromTiles,
  TILE_WIDTH,
  verifyConsistency,
} from '@lothub/chain/log';
import type { Checkpoint, Frontier, ReadSubtree } from '@lothub/chain/log';
import { present } from '@lothub/kit/present';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { consistencyFromTiles, verifyCheckpoint, type Report } from '@lothub/verify';
import { buildTileReader } from '../judge/judge-by-policy.ts';
import { goOn, strayedTo } from './other-logs.ts';
import type { MonitorState } from './monitor-state.ts';
import { judgeTexts, readEntries } from './read-bundle.ts';
import type { BundlePart, JudgedTexts, LogSource } from './read-bundle.ts';
import type { FindingReport, MonitorReport, PassReport } from './reports.ts';
import type { Watch } from './watch.ts';

/** Bundles that are read at the same time. */
const PARALLEL_BUNDLES = 4;
/** Bundles of a slice, after which the state is kept: 4,096 blocks, which end where a tile's hash does. */
const SLICE_BUNDLES = 16;
/** A process of a hub of several may show an older checkpoint than another one for a moment. */
const OLDER_TRIES_MAX = 5;
const OLDER_WAIT_MS = 1_000;

export interface FollowOptions {
  readonly source: LogSource;
  /** Text of a tlog-policy. */
  readonly policy: string;
  /** The response of `/log/epochs`, in its order. */
  readonly epochs: readonly string[];
  readonly watch: Watch;
  readonly report: (report: MonitorReport) => Promise<void>;
  /** Stores the progress. */
  readonly keep: (state: MonitorState) => Promise<void>;
  readonly onProgress: (done: number, total: number) => void;
}

export interface PassOutcome {
  readonly state: MonitorState;
  /** Undefined when the checkpoint was refused: then nothing of the log was read. */
  readonly pass: Omit<PassReport, 'source' | 'elapsed_ms'> | undefined;
  readonly findings: number;
  /** The log contradicts its earlier signatures, so that following ends. */
  readonly isContradicted: boolean;
}

interface Counts {
  blocks: number;
  contentsNotJudged: number;
  withheld: number;
  events: number;
  findings: number;
}

/** @throws CommandError when the hub cannot be read; the earlier progress is stored */
export async function followLog(state: MonitorState, options: FollowOptions): Promise<PassOutcome> {
  const { source } = options;
  const readTile = buildTileReader(source.client, source.prefix);
  const { note, judged } = await judgeNewest(state, options);
  const { outcome } = judged;
  if (outcome.verdict === 'refused') {
    await options.report(buildFinding(outcome, judged));
    const isContradicted = judged.contradiction !== undefined;
    return { state, pass: undefined, findings: 1, isContradicted };
  }
  const head = parseCheckpoint(note);
  const strayed = strayedTo(head, state, options.epochs);
  if (strayed !== undefined) {
    await options.report(strayed);
    return { state, pass: undefined, findings: 1, isContradicted: false };
  }
  const counts: Counts = { blocks: 0, contentsNotJudged: 0, withheld: 0, events: 0, findings: 0 };
  const { begun, findings } = await goOn(state, { head, lost: judged.lost, options });
  counts.findings += findings;
  let read: MonitorState = { ...begun, checkpoint: note };
  // Keeps the tiles above the slices in memory during the pass, 8 KiB for each 65,536 blocks.
  const subtree = subtreesFromTiles({ size: head.size, readTile, hash: sha256Bytes });
  for await (const slice of readSlices(begun, { head, options })) {
    if (!(await isBeginning(slice.read, { head, subtree }))) {
      counts.findings += 1;
      await options.report(entriesDiffer(slice.from, slice.read.size));
      break;
    }
    read = await takeSlice({ state: read, slice, counts }, options);
    await options.keep(read);
    options.onProgress(read.seen, head.size);
  }
  await options.keep(read);
  return {
    state: read,
    pass: {
      type: 'pass',
      origin: head.origin,
      size: head.size,
      from_height: begun.seen,
      blocks: counts.blocks,
      contents_not_judged: counts.contentsNotJudged,
      withheld: counts.withheld,
      events: counts.events,
      findings: counts.findings,
      signed_by: outcome.verdict,
    },
    findings: counts.findings,
    isContradicted: false,
  };
}

/** The newest checkpoint. One that is older than the kept one is requested again before it is believed. */
async function judgeNewest(
  state: MonitorState,
  { source, policy, epochs }: FollowOptions,
): Promise<{ readonly note: string; readonly judged: Report }> {
  for (let tries = 1; ; tries += 1) {
    const bytes = await source.client.getBytes(`${source.prefix}checkpoint`);
    const note = new TextDecoder().decode(bytes);
    const judged = await verifyCheckpoint({
      policy,
      checkpoint: note,
      epochs,
      kept: mapKept(state),
      hash: sha256Bytes,
      readConsistency: consistencyFromTiles(
        buildTileReader(source.client, source.prefix),
        sha256Bytes,
      ),
    });
    const { outcome } = judged;
    const isOlder = outcome.verdict === 'refused' && outcome.code === 'rolled_back';
    if (!isOlder || tries === OLDER_TRIES_MAX) return { note, judged };
    await wait(OLDER_WAIT_MS, undefined, { signal: source.signal });
  }
}

/** Reports the contents of a slice, after its entries were shown to be signed. */
async function takeSlice(
  given: { readonly state: MonitorState; readonly slice: Slice; readonly counts: Counts },
  { watch, report }: FollowOptions,
): Promise<MonitorState> {
  const { state, slice, counts } = given;
  const { texts, read, anchor } = slice;
  const { events, heights } = watch.select(
    texts.flatMap(({ sightings }) => sightings),
    state.heights,
  );
  const findings = texts.flatMap((one) => one.findings);
  const withheld = texts.flatMap((one) => one.withheld);
  for (const one of [...findings, ...withheld, ...events]) await report(one);
  counts.blocks += read.size - state.seen;
  counts.contentsNotJudged += texts.reduce((sum, one) => sum + one.contentsNotJudged, 0);
  counts.withheld += withheld.length;
  counts.events += events.length;
  counts.findings += findings.length;
  return { ...state, ...anchor, seen: read.size, heights };
}

/** Blocks that were read together. */
interface Slice {
  readonly from: number;
  /** The tree up to its end. */
  readonly read: Frontier;
  /** The tree up to its last bundle, from which the next pass continues. */
  readonly anchor: Pick<MonitorState, 'read' | 'lastHash'>;
  readonly texts: readonly JudgedTexts[];
}

async function* readSlices(
  state: MonitorState,
  given: { readonly head: Checkpoint; readonly options: FollowOptions },
): AsyncGenerator<Slice> {
  const { head, options } = given;
  let { read, lastHash } = state;
  let from = read.size;
  let texts: JudgedTexts[] = [];
  for await (const bundle of readBundles(state, { size: head.size, options })) {
    const leaves = bundle.entries.map((entry) => leafHash(entry, sha256Bytes));
    const anchor = { read, lastHash };
    read = appendLeaves(read, leaves, sha256Bytes);
    lastHash = bundle.lastHash;
    texts.push(bundle.texts);
    const isLast = read.size === head.size;
    if (!isLast && read.size % (SLICE_BUNDLES * TILE_WIDTH) !== 0) continue;
    yield { from, read, anchor, texts };
    from = read.size;
    texts = [];
  }
}

interface Bundle {
  readonly entries: readonly Uint8Array[];
  readonly lastHash: string;
  readonly texts: JudgedTexts;
}

/** The last bundle that was read and those after it, in order, a few being read ahead. */
async function* readBundles(
  { read, lastHash, seen }: MonitorState,
  given: { readonly size: number; readonly options: FollowOptions },
): AsyncGenerator<Bundle> {
  const { size, options } = given;
  const underWay: Promise<Bundle>[] = [];
  let previous: Promise<string | undefined> = Promise.resolve(lastHash);
  let from = read.size;
  while (from < size || underWay.length > 0) {
    while (from < size && underWay.length < PARALLEL_BUNDLES) {
      const index = Math.floor(from / TILE_WIDTH);
      const part = { index, below: Math.min((index + 1) * TILE_WIDTH, size) };
      const begun = beginBundle(part, { previous, newFrom: seen, options });
      previous = begun.lastHash;
      underWay.push(begun.bundle);
      from = part.below;
    }
    yield await present(underWay.shift(), 'the oldest bundle under way');
  }
}

/** Starts to read a bundle. Its last hash, which the next one needs, arrives before its texts. */
function beginBundle(
  part: BundlePart,
  given: {
    readonly previous: Promise<string | undefined>;
    readonly newFrom: number;
    readonly options: FollowOptions;
  },
): { readonly lastHash: Promise<string>; readonly bundle: Promise<Bundle> } {
  const { newFrom } = given;
  const { source, watch } = given.options;
  const reading = readEntries(source, part);
  const lastHash = reading.then((entries) => present(entries.at(-1), 'the last entry').toHex());
  const read = async (): Promise<Bundle> => {
    const [entries, previousHash] = await Promise.all([reading, given.previous]);
    const texts = await judgeTexts(source, { part, entries, previousHash, newFrom, watch });
    return { entries, lastHash: await lastHash, texts };
  };
  const bundle = read();
  // A bundle that is read ahead may fail before its reader waits for it, or after the reader has
  // ended.
  for (const promise of [lastHash, bundle]) promise.catch(() => undefined);
  return { lastHash, bundle };
}

async function isBeginning(
  read: Frontier,
  { head, subtree }: { readonly head: Checkpoint; readonly subtree: ReadSubtree },
): Promise<boolean> {
  const sizes = { from: read.size, to: head.size };
  const proof = await consistencyProof({ ...sizes, subtree, hash: sha256Bytes });
  return verifyConsistency({
    ...sizes,
    fromRoot: computeRoot(read, sha256Bytes),
    toRoot: head.root,
    proof,
    hash: sha256Bytes,
  });
}

function mapKept({ checkpoint }: MonitorState): ReadonlyMap<string, string> {
  return new Map(
    checkpoint === undefined ? [] : [[parseCheckpoint(checkpoint).origin, checkpoint]],
  );
}

function buildFinding(
  { code, reason }: { readonly code: string; readonly reason: string },
  { contradiction }: Report,
): FindingReport {
  return {
    type: 'finding',
    code,
    height: null,
    message: reason,
    contradiction: contradiction ?? null,
  };
}

function entriesDiffer(from: number, below: number): FindingReport {
  return {
    type: 'finding',
    code: 'entries_differ',
    height: from,
    message: `The entries from ${from} to ${below - 1} that the hub serves are not those of the tree that it signed. They are read again in the next pass.`,
    contradiction: null,
  };
}
