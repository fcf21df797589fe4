/** Judges an evidence file of a lot, and compares it with kept checkpoints by whatever compares them. */
import { sha256, sha256Hex } from '@lothub/chain';
import type { HashBytes, VerifySignature } from '@lothub/chain/log';
import { judgeNeighbours, judgeText, type ProvenText } from './blocks.ts';
import { judgeDisclosures } from './disclosures.ts';
import { judgeRecallDisclosures } from './recall-disclosures.ts';
import { parseEvidence, type Evidence } from './evidence-file.ts';
import type { compareWithKept, Kept, ReadConsistency } from './kept.ts';
import {
  followEpochs,
  findLostEntries,
  lostText,
  type FollowedEpochs,
  type LostEntries,
} from './epochs.ts';
import { judgeLot } from './lot.ts';
import { judgeHead, readPolicy } from './signed-head.ts';
import { verifyEd25519 } from './signatures.ts';
import {
  KeptRefusal,
  Refusal,
  sentenceOf,
  type Contradiction,
  type Outcome,
  type ProvenBlock,
  type Step,
} from './verdict.ts';

/** After so many blocks a page may draw and a process may do something else. */
const BLOCKS_PER_TURN = 200;

/** What every verification takes besides the proof. */
export interface Believed extends BelievedAlone {
  /** Checkpoints kept from earlier verifications; left out, none is compared or kept. */
  readonly kept?: Kept;
  /** Where a consistency proof with a kept checkpoint of another size comes from. */
  readonly readConsistency?: ReadConsistency;
}

/** The same, without kept checkpoints. */
export interface BelievedAlone {
  /** Text of a tlog-policy of the reader's own: never one that came with the proof. */
  readonly policy: string;
  /** Statements of the operator that a log continues under another name (`/log/epochs`), in their order. */
  readonly epochs?: readonly string[];
  /** SHA-256 of the platform; left out, that of this package. */
  readonly hash?: HashBytes;
  /** Ed25519 of the platform; left out, that of WebCrypto. */
  readonly verify?: VerifySignature;
}

/** What a verification answers, whatever was verified. */
export interface Report {
  readonly outcome: Outcome;
  /** The outcome in one line. */
  readonly sentence: string;
  /** The steps that were taken; the last one is not good when the outcome is a refusal. */
  readonly steps: readonly Step[];
  /** The blocks that were found in the tree before any step failed. */
  readonly blocks: readonly ProvenBlock[];
  /** Entries that the operator says are lost: of the kept checkpoint, or of the file. */
  readonly lost?: LostEntries;
  /** What to keep, when `kept` was given. */
  readonly kept?: Kept;
  /** With `rolled_back` and `split_view`: the two signed checkpoints. */
  readonly contradiction?: Contradiction;
}

export interface EvidenceReport extends Report {
  /** What the file is about; absent when the file is malformed. */
  readonly lot?: Evidence['lot'];
}

/** `compareWithKept`, for callers that keep checkpoints. */
export type CompareKept = typeof compareWithKept;

/** As `verifyEvidence`, for pages that keep no checkpoints and need not load what compares them. */
export async function judgeEvidence(
  given: BelievedAlone & { readonly file: string | Uint8Array },
): Promise<EvidenceReport> {
  return await judgeEvidenceWith(given, undefined);
}

/** @param compareKept undefined: nothing is kept and nothing compared; throws as `verifyEvidence` does */
export async function judgeEvidenceWith(
  given: Believed & { readonly file: string | Uint8Array },
  compareKept: CompareKept | undefined,
): Promise<EvidenceReport> {
  const believedIn = { policy: readPolicy(given.policy), verify: given.verify ?? verifyEd25519 };
  const hash = given.hash ?? sha256;
  const steps: Step[] = [];
  const proven: ProvenText[] = [];
  let evidence: Evidence | undefined;
  let at: Step['name'] = 'file';
  const take = (name: Step['name'], text: string): void => {
    steps.push({ name, isGood: true, text });
  };
  try {
    evidence = parseEvidence(given.file);
    const { head, lot, blocks } = evidence;
    take(
      'file',
      `The file is about lot ${lot.lotCode} of ${lot.brand} and holds ${blocks.length} blocks.`,
    );
    at = 'epochs';
    const followed = await followEpochs(
      [...new Set([...evidence.epochs, ...(given.epochs ?? [])])],
      believedIn,
    );
    const { trust, statements } = followed;
    steps.push(...followed.steps);
    at = 'log';
    const believed = await judgeHead(head, trust);
    steps.push(...believed.steps);
    at = 'blocks';
    for (const { index, canonical, inclusion } of blocks) {
      proven.push(judgeText({ index, canonical, proof: inclusion }, { head, hash }));
      if (proven.length % BLOCKS_PER_TURN === 0) await nextTurn();
    }
    take('blocks', blocksText(proven));
    const gone = findLostEntries(head, { statements, last: proven.at(-1)?.index ?? 0 });
    if (gone !== undefined) take('epochs', lostText(gone));
    at = 'chain';
    take('chain', judgeChain(evidence, proven));
    at = 'kept';
    const compared = await compare(evidence, { given, compareKept }, { trust, hash, statements });
    if (compared !== undefined) steps.push(compared.step);
    at = 'disclosures';
    const opened = judgeDisclosures(evidence.disclosures, { blocks: proven, hash: sha256Hex });
    if (opened > 0) take('disclosures', `${opened} private values open their commitments.`);
    const disclosed = judgeRecallDisclosures(proven, sha256Hex);
    if (disclosed > 0) {
      take(
        'disclosures',
        `${disclosed} confidential steps of recalls are disclosed as they were sealed.`,
      );
    }
    return buildReport(believed.outcome, {
      steps,
      proven,
      evidence,
      ...(compared === undefined ? {} : { kept: compared.kept }),
      lost: gone ?? compared?.lost,
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message: reason } = error;
    steps.push({ name: chooseStep(code, at), isGood: false, text: reason });
    const report = buildReport({ verdict: 'refused', code, reason }, { steps, proven, evidence });
    return error instanceof KeptRefusal
      ? { ...report, contradiction: error.contradiction }
      : report;
  }
}

/** Links between neighbours, the beginning of the chain, and the lot. */
function judgeChain(evidence: Evidence, proven: readonly ProvenText[]): string {
  let pairs = 0;
  let earlier: ProvenText | undefined;
  for (const later of proven) {
    if (earlier !== undefined && earlier.index + 1 === later.index) {
      judgeNeighbours(earlier, later);
      pairs += 1;
    }
    earlier = later;
  }
  const [first] = proven;
  const hasGenesis = first?.index === 0;
  if (hasGenesis && first.blockHash !== evidence.chainId) {
    throw new Refusal('malformed', 'The chain_id of the evidence file is not the hash of block 0.');
  }
  judgeLot(evidence.lot, proven);
  const beginning = hasGenesis
    ? `They begin with block 0 of the chain ${evidence.chainId}.`
    : 'Block 0 is not in the file, so the chain_id is not shown to be that of this log.';
  return `${pairs} of the blocks follow another one of the file and link to it. ${beginning}`;
}

function blocksText(proven: readonly ProvenText[]): string {
  const unjudged = proven.filter(({ contents }) => contents === 'not judged').length;
  const all = `Each of the ${proven.length} blocks hashes to an entry of this tree, at its own height.`;
  return unjudged === 0
    ? all
    : `${all} Contents not judged of ${unjudged}: they are of a later format than this verifier knows.`;
}

async function compare(
  { checkpoint: note, head }: Evidence,
  {
    given,
    compareKept,
  }: { readonly given: Believed; readonly compareKept: CompareKept | undefined },
  by: {
    readonly trust: Parameters<typeof judgeHead>[1];
    readonly hash: HashBytes;
    readonly statements: FollowedEpochs['statements'];
  },
): Promise<Awaited<ReturnType<typeof compareWithKept>> | undefined> {
  const { kept, readConsistency } = given;
  if (kept === undefined || compareKept === undefined) return undefined;
  return await compareKept(
    { note, head, isNewest: false },
    { kept, ...by, ...(readConsistency === undefined ? {} : { readConsistency }) },
  );
}

function buildReport(
  outcome: Outcome,
  found: {
    readonly steps: readonly Step[];
    readonly proven: readonly ProvenText[];
    readonly evidence: Evidence | undefined;
    readonly kept?: Kept;
    readonly lost?: LostEntries | undefined;
  },
): EvidenceReport {
  const { steps, proven, evidence, kept, lost } = found;
  return {
    outcome,
    sentence: sentenceOf(outcome),
    steps,
    blocks: proven.map(({ index, blockHash, contents }) => ({ index, blockHash, contents })),
    ...(evidence === undefined ? {} : { lot: evidence.lot }),
    ...(kept === undefined ? {} : { kept }),
    ...(lost === undefined ? {} : { lost }),
  };
}

/** A missing quorum is found while the head is judged, and belongs to the witnesses. */
function chooseStep(code: Refusal['code'], at: Step['name']): Step['name'] {
  return code === 'no_quorum' ? 'witnesses' : at;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
