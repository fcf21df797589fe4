/** Evidence files and proof files, good ones and changed ones, with what a verifier must answer. */
import { parseBlock, type JsonObject } from '../../src/index.ts';
import {
  LOG_KEY,
  ORIGIN,
  POLICY,
  POLICY_OF_NOBODY,
  TestLog,
  WITNESSES,
} from '../log/evidence-maker.ts';
import { formatVkey } from '../../src/log/index.ts';
import { testKey } from '../log/test-keys.ts';
import { epochNote, NEXT_KEY, NEXT_ORIGIN } from './log-epochs.ts';
import {
  at,
  makeBlock,
  makeChain,
  eventPayload,
  frame,
  genesis,
  plainChain,
  RECEIVED,
  recordedAt,
  type VectorBlock,
} from './chain-maker.ts';
import { makeCommitments } from './commitments.ts';
import type { EvidenceVector } from './evidence-vector.ts';
import { makeGoodChains } from './good-chains.ts';
import { makeWitnessedEvidence } from './witnessed-evidence.ts';

const WITNESSED = 'proved, witnessed 3 of 3 at 2026-01-03T00:28:20Z';
const TWO_WITNESSED = 'proved, witnessed 2 of 3 at 2026-01-03T00:28:20Z';
const OPERATOR_ONLY = "proved, operator's word only";

const CHAIN = plainChain(13);
const LOG = new TestLog(CHAIN);
const INDEXES = [0, 1, 2, 7, 12];

export function makeEvidence(): readonly EvidenceVector[] {
  return [
    ...good(),
    ...epochs(),
    ...wrongHeads(),
    ...wrongFiles(),
    ...wrongBlocks(),
    ...kept(),
    ...proofs(),
    ...makeWitnessedEvidence(),
  ];
}

function evidence(name: string, text: string, expect: string, policy = POLICY): EvidenceVector {
  return { name, policy, evidence: text, expect };
}

function good(): readonly EvidenceVector[] {
  const later = new TestLog(
    makeChain([genesis(), eventPayload(1), { v: 2, type: 'decision' }, eventPayload(3)]),
  );
  return [
    evidence('a lot with five blocks', LOG.evidenceText(INDEXES), WITNESSED),
    evidence('without block 0', LOG.evidenceText([3]), WITNESSED),
    evidence('the operator alone', LOG.evidenceText(INDEXES), OPERATOR_ONLY, POLICY_OF_NOBODY),
    evidence(
      'two of three witnesses',
      new TestLog(CHAIN, WITNESSES.slice(0, 2)).evidenceText(INDEXES),
      TWO_WITNESSED,
    ),
    {
      ...evidence('a block of a later format', later.evidenceText([0, 1, 2, 3]), WITNESSED),
      contents_not_judged: 1,
    },
    evidence(
      'private values that open their commitment',
      soldLog().evidenceText([0, 1, 3], { disclosures: [opening('channel and customer')] }),
      WITNESSED,
    ),
    evidence(
      'a consignee that opens its commitment',
      logOfChain('version 2').evidenceText([0, 1, 2], { disclosures: [opening('consignee')] }),
      WITNESSED,
    ),
  ];
}

/** A log that continued under another name; the reader has the key of the first one. */
function epochs(): readonly EvidenceVector[] {
  const next = new TestLog(CHAIN, WITNESSES, NEXT_KEY, NEXT_ORIGIN);
  const vector = (name: string, notes: readonly string[], expect: string): EvidenceVector =>
    evidence(name, next.evidenceText(INDEXES, { epochs: [...notes] }), expect);
  const forged = epochNote().replace('reason restore', 'reason renamed');
  return [
    vector('a log that went on under another name', [epochNote()], WITNESSED),
    vector('without the statement', [], 'refused: unknown_log'),
    vector('a statement by others', [epochNote({}, { old: testKey(0x70) })], 'refused: unknown_log'),
    vector(
      'a lost key that the reader has not from elsewhere',
      [epochNote({ reason: 'key_lost' }, { old: 'none' })],
      'refused: unknown_log',
    ),
    vector('a statement that was changed', [forged], 'refused: bad_signature'),
    vector('a checkpoint in the place of a statement', [next.checkpoint], 'refused: malformed'),
    evidence(
      'of the old log, with the statement that came later',
      LOG.evidenceText(INDEXES, { epochs: [epochNote()] }),
      WITNESSED,
    ),
  ];
}

/** Under a policy that the checkpoint does not fulfil. */
function wrongHeads(): readonly EvidenceVector[] {
  const stranger = new TestLog(CHAIN, WITNESSES, testKey(0x70));
  const forged = WITNESSES.map((witness) => ({ ...witness, key: testKey(0x71) }));
  const otherLog = `log ${formatVkey('other.example/log/1', LOG_KEY.publicKey)}\nquorum none\n`;
  return [
    evidence('one of three witnesses', new TestLog(CHAIN, WITNESSES.slice(2)).evidenceText(INDEXES), 'refused: no_quorum'),
    evidence('no witness', new TestLog(CHAIN, []).evidenceText(INDEXES), 'refused: no_quorum'),
    evidence('witnesses that the policy does not have', new TestLog(CHAIN, forged).evidenceText(INDEXES), 'refused: no_quorum'),
    evidence('signed with another key', stranger.evidenceText(INDEXES), 'refused: bad_signature'),
    evidence(
      'signature of another tree',
      LOG.evidenceText(INDEXES, { checkpoint: swapSignatures(new TestLog(plainChain(12))) }),
      'refused: bad_signature',
    ),
    evidence('another log', LOG.evidenceText(INDEXES), 'refused: unknown_log', otherLog),
  ];
}

function wrongFiles(): readonly EvidenceVector[] {
  const text = LOG.evidenceText(INDEXES);
  const malformed = (name: string, changed: string): EvidenceVector =>
    evidence(name, changed, 'refused: malformed');
  return [
    malformed('not JSON', text.slice(0, -1)),
    malformed('a line feed at the end', `${text}\n`),
    malformed('a space', text.replace('":"', '": "')),
    malformed('another format', LOG.evidenceText(INDEXES, { format: 'lothub-evidence/2' })),
    malformed('a member more', LOG.evidenceText(INDEXES, { note: 'x' })),
    malformed('a member less', LOG.evidenceText(INDEXES).replace('"epochs":[],', '')),
    malformed('a member twice', text.replace('"epochs":[],', '"epochs":[],"epochs":[],')),
    malformed('no blocks', LOG.evidenceText([])),
    malformed('blocks in another order', LOG.evidenceText([0, 2, 1])),
    malformed('a block twice', LOG.evidenceText([0, 1, 1])),
    malformed('a negative index', LOG.evidenceText(INDEXES, { blocks: [{ ...LOG.block(1), index: -1 }] })),
    malformed('an origin that is not the checkpoint\u2019s', LOG.evidenceText(INDEXES, { origin: 'other.example' })),
    malformed('another chain_id', LOG.evidenceText(INDEXES, { chain_id: 'a'.repeat(64) })),
    malformed('a chain_id that is no hash', LOG.evidenceText(INDEXES, { chain_id: 'A'.repeat(64) })),
    malformed('another lot', LOG.evidenceText(INDEXES, { lot: { brand: 'acme', lot_code: 'FLOUR-2' } })),
    malformed('another brand', LOG.evidenceText(INDEXES, { lot: { brand: 'other', lot_code: 'FLOUR-1' } })),
    malformed('64 hashes', LOG.evidenceText(INDEXES, { blocks: [{ ...LOG.block(1), inclusion: Array<string>(64).fill('') }] })),
    malformed('a hash that is not strict base64', LOG.evidenceText(INDEXES, { blocks: [{ ...LOG.block(1), inclusion: ['QR=='] }] })),
    malformed('17 signature lines', LOG.evidenceText(INDEXES, { checkpoint: `${LOG.checkpoint}${'\u2014 a AAAAAAA=\n'.repeat(13)}` })),
    malformed('an extension line', LOG.evidenceText(INDEXES, { checkpoint: LOG.checkpoint.replace('\n\n', '\nmore\n\n') })),
    malformed('an epoch that is no note', LOG.evidenceText(INDEXES, { epochs: ['x'] })),
    malformed(
      'private values that open nothing',
      soldLog().evidenceText([0, 1, 3], { disclosures: [opening('other value')] }),
    ),
    malformed(
      'a commitment that no block carries',
      LOG.evidenceText(INDEXES, { disclosures: [opening('customer only')] }),
    ),
  ];
}

function wrongBlocks(): readonly EvidenceVector[] {
  const withBlocks = (name: string, blocks: readonly object[], code: string): EvidenceVector =>
    evidence(
      name,
      LOG.evidenceText([], { blocks: blocks.map((block) => ({ ...block })) as JsonObject[] }),
      `refused: ${code}`,
    );
  const block = LOG.block(2);
  const judged = (name: string, chain: readonly VectorBlock[], indexes: readonly number[], code: string): EvidenceVector =>
    evidence(name, new TestLog(chain).evidenceText(indexes), `refused: ${code}`);
  const [first, second] = [at(CHAIN, 0), at(CHAIN, 1)];
  return [
    withBlocks('one character of a text changed', [{ ...block, canonical: block.canonical.replace('250.5', '250.6') }], 'not_in_tree'),
    withBlocks('a block at another index', [{ ...block, index: 3 }], 'other_height'),
    withBlocks('the proof of another block', [{ ...block, inclusion: LOG.block(3).inclusion }], 'not_in_tree'),
    withBlocks('a proof without its last hash', [{ ...block, inclusion: block.inclusion.slice(0, -1) }], 'not_in_tree'),
    withBlocks('a hash of 31 bytes', [{ ...block, inclusion: block.inclusion.with(0, 'A'.repeat(40) + 'AA==') }], 'not_in_tree'),
    withBlocks('an index beyond the tree', [{ ...block, index: 13, canonical: block.canonical.replace('"height":2', '"height":13') }], 'not_in_tree'),
    withBlocks('a text that is no block', [{ ...block, canonical: '{"height":2}' }], 'not_canonical'),
    judged('a sealed text that is not JSON', [first, makeBlock(1, frame(1, '{"v":}', first.block_hash))], [0, 1], 'not_canonical'),
    judged('a sealed text that is not canonical', [first, makeBlock(1, second.canonical.replace(',"payload"', ', "payload"'))], [0, 1], 'not_canonical'),
    judged('a sealed payload that is none', makeChain([genesis(), { v: 1, type: 'note' }]), [0, 1], 'not_canonical'),
    judged('two neighbours that do not link', [first, second, makeBlock(2, frame(2, readPayloadText(second), first.block_hash))], [0, 1, 2], 'not_canonical'),
    judged(
      'time goes back between neighbours',
      makeChain([genesis(), eventPayload(1), eventPayload(2, { changes: { recorded_at: recordedAt(0) } })]),
      [1, 2],
      'not_canonical',
    ),
  ];
}

function kept(): readonly EvidenceVector[] {
  const formatKept = (checkpoint: string): string =>
    JSON.stringify({ checkpoints: { [ORIGIN]: checkpoint }, format: 'lothub-kept/1' });
  const forked = new TestLog(
    makeChain([
      ...CHAIN.slice(0, 12).map((block) => parseBlock(block.canonical).payload),
      eventPayload(12, { event: { ...RECEIVED, external_id: 'another' } }),
    ]),
  );
  const larger = new TestLog(plainChain(20));
  return [
    { ...evidence('nothing kept yet', LOG.evidenceText(INDEXES), WITNESSED), kept: '{"checkpoints":{},"format":"lothub-kept/1"}' },
    { ...evidence('the same tree was kept', LOG.evidenceText(INDEXES), WITNESSED), kept: formatKept(LOG.checkpoint) },
    { ...evidence('a larger tree was kept', LOG.evidenceText(INDEXES), WITNESSED), kept: formatKept(larger.checkpoint) },
    { ...evidence('another tree of the same size was kept', LOG.evidenceText(INDEXES), 'refused: split_view'), kept: formatKept(forked.checkpoint) },
  ];
}

function proofs(): readonly EvidenceVector[] {
  const { block_hash: hash, canonical } = at(CHAIN, 5);
  const text = LOG.proofText(5);
  const proof = (name: string, file: string, expect: string, blockHash: string | undefined = hash): EvidenceVector => ({
    name: `proof file: ${name}`,
    policy: POLICY,
    proof: file,
    ...(blockHash === '' ? {} : { block_hash: blockHash }),
    expect,
  });
  return [
    proof('of a hash', text, WITNESSED),
    proof('with the text of the block', LOG.proofText(5, canonical), WITNESSED, ''),
    proof('without a text and a hash', text, 'refused: malformed', ''),
    proof('of another hash', text, 'refused: not_in_tree', at(CHAIN, 6).block_hash),
    proof('with another index', text.replace('index 5', 'index 4'), 'refused: not_in_tree'),
    proof('with the text of another block', LOG.proofText(5, at(CHAIN, 6).canonical), 'refused: other_height', ''),
    proof('with a hash too few', text.replace(/index 5\n[^\n]+\n/, 'index 5\n'), 'refused: not_in_tree'),
    proof('with carriage returns', text.replaceAll('\n', '\r\n'), 'refused: malformed'),
    proof('of one witness', new TestLog(CHAIN, WITNESSES.slice(0, 1)).proofText(5), 'refused: no_quorum'),
  ];
}

/** The chain with a sale, whose line commits to a channel and a customer. */
function soldLog(): TestLog {
  return logOfChain('several events');
}

function logOfChain(wanted: string): TestLog {
  const chain = makeGoodChains().find(({ name }) => name === wanted);
  if (chain === undefined) throw new Error(`The good chains have no "${wanted}" any more.`);
  return new TestLog(chain.blocks);
}

function opening(name: string): JsonObject {
  const found = makeCommitments().find((vector) => vector.name === name);
  if (found === undefined) throw new Error(`There is no commitment "${name}".`);
  const { values, salt, commitment } = found;
  return { values, salt, commitment };
}

/** The tree head of the log with the signature lines of another tree of it. */
function swapSignatures(other: TestLog): string {
  const [body] = LOG.checkpoint.split('\n\n');
  const [, lines] = other.checkpoint.split('\n\n');
  return `${body}\n\n${lines}`;
}

function readPayloadText(block: VectorBlock): string {
  return parseBlock(block.canonical).payloadText;
}
