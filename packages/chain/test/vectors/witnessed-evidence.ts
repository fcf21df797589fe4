/** Evidence files whose checkpoints witnesses have cosigned, under policies of the reader's own. */
import { cosignatureBody, cosignatureLine, formatVkey, signatureLine, utf8 } from '../../src/log/index.ts';
import { LOG_KEY, ORIGIN, TestLog } from '../log/evidence-maker.ts';
import { testKey, witnessVkey, type TestWitness } from '../log/test-keys.ts';
import { plainChain } from './chain-maker.ts';
import type { EvidenceVector } from './evidence-vector.ts';

/** 2026-03-02T07:15:00Z. */
const SEEN_AT = 1_772_435_700;
const HOUR = 3_600;

const CHAIN = plainChain(3);
const ALDER = witness('alder', 0x80, SEEN_AT);
const BIRCH = witness('birch', 0x90, SEEN_AT + HOUR);
const CEDAR = witness('cedar', 0xa0, SEEN_AT - HOUR);
const DOGWOOD = witness('dogwood', 0xb0, SEEN_AT + 2 * HOUR);
/** Of the name that ALDER's key has, with a key of its own. */
const NAMESAKE = { ...ALDER, key: testKey(0xc0) };

const WITNESS_LINES = [ALDER, BIRCH, CEDAR, DOGWOOD].map(
  (one) => `witness ${one.name.split('.')[0]} ${witnessVkey(one)}`,
);

function witness(name: string, seed: number, time: number): TestWitness {
  return { name: `${name}.example/witness`, key: testKey(seed), time };
}

function policy(...quorum: readonly string[]): string {
  const log = `log ${formatVkey(ORIGIN, LOG_KEY.publicKey)}`;
  return [log, ...WITNESS_LINES, ...quorum, ''].join('\n');
}

const TWO_OF_THREE = policy('group outside 2 alder birch cedar', 'quorum outside');
const ONE_OF_EACH = policy(
  'group north any alder birch',
  'group south all cedar dogwood',
  'group both all north south',
  'quorum both',
);

export function makeWitnessedEvidence(): readonly EvidenceVector[] {
  const vector = (
    name: string,
    witnesses: readonly TestWitness[],
    [by, expect]: readonly [policy: string, expect: string],
  ): EvidenceVector => ({
    name: `witnesses: ${name}`,
    policy: by,
    evidence: new TestLog(CHAIN, witnesses).evidenceText([1]),
    expect,
  });
  const late = { ...ALDER, time: SEEN_AT + 5 * HOUR };
  const forger = { ...BIRCH, key: testKey(0xd0) };
  const unnamed = { ...BIRCH, name: 'other.example/witness' };
  return [
    vector('clocks an hour apart, the second oldest counts', [ALDER, BIRCH, CEDAR], [
      TWO_OF_THREE,
      'proved, witnessed 3 of 3 at 2026-03-02T07:15:00Z',
    ]),
    vector('one whose clock is ahead makes the time later, never earlier', [ALDER, BIRCH], [
      TWO_OF_THREE,
      'proved, witnessed 2 of 3 at 2026-03-02T08:15:00Z',
    ]),
    vector('groups of groups', [BIRCH, CEDAR, DOGWOOD], [
      ONE_OF_EACH,
      'proved, witnessed 3 of 4 at 2026-03-02T09:15:00Z',
    ]),
    vector('groups of groups, one of them missed', [ALDER, BIRCH, CEDAR], [
      ONE_OF_EACH,
      'refused: no_quorum',
    ]),
    vector('the one that the quorum names, and another', [ALDER, CEDAR], [
      policy('quorum alder'),
      'proved, witnessed 1 of 1 at 2026-03-02T07:15:00Z',
    ]),
    vector('all but the one that the quorum names', [BIRCH, CEDAR, DOGWOOD], [
      policy('quorum alder'),
      'refused: no_quorum',
    ]),
    vector('outside of the quorum', [DOGWOOD], [
      policy('group outside any alder birch cedar', 'quorum outside'),
      'refused: no_quorum',
    ]),
    vector('one that cosigned twice counts once', [ALDER, late], [
      TWO_OF_THREE,
      'refused: no_quorum',
    ]),
    vector('of two times of one the older counts', [late, ALDER], [
      policy('quorum alder'),
      'proved, witnessed 1 of 1 at 2026-03-02T07:15:00Z',
    ]),
    vector('two of one name count as two', [ALDER, NAMESAKE], [
      policy(`witness namesake ${witnessVkey(NAMESAKE)}`, 'group one all alder namesake', 'quorum one'),
      'proved, witnessed 2 of 2 at 2026-03-02T07:15:00Z',
    ]),
    vector('a key that the policy does not have, under a name that it has', [ALDER, forger], [
      TWO_OF_THREE,
      'refused: no_quorum',
    ]),
    vector('a name that the policy does not have, with a key that it has', [ALDER, unnamed], [
      TWO_OF_THREE,
      'refused: no_quorum',
    ]),
    withLine('a wrong cosignature', signLine(BIRCH, { signedTime: SEEN_AT }), 'refused: bad_signature'),
    withLine('a cosignature without a time', shortLine(), 'refused: bad_signature'),
    withLine('a time above the whole numbers', signLine({ ...BIRCH, time: 2 ** 53 }), 'refused: bad_signature'),
    withLine(
      'a time above all dates',
      signLine({ ...BIRCH, time: Number.MAX_SAFE_INTEGER }),
      'proved, witnessed 2 of 3 at 9999-12-31T23:59:59Z',
    ),
  ];
}

/** ALDER's cosignature, and a line of another making. */
function withLine(name: string, line: string, expect: string): EvidenceVector {
  const log = new TestLog(CHAIN, [ALDER]);
  const evidence = log.evidenceText([1], { checkpoint: log.checkpoint + line });
  return { name: `witnesses: ${name}`, policy: TWO_OF_THREE, evidence, expect };
}

/** A cosignature of a time, over `signedTime` when that is given. */
function signLine(
  { name, key, time }: TestWitness,
  { signedTime = time }: { readonly signedTime?: number } = {},
): string {
  const body = `${new TestLog(CHAIN, []).checkpoint.split('\n\n')[0]}\n`;
  const signature = key.sign(utf8(cosignatureBody(signedTime, body)));
  return cosignatureLine({ name, publicKey: key.publicKey, time, signature });
}

function shortLine(): string {
  const [, keyId] = witnessVkey(BIRCH).split('+');
  if (keyId === undefined) throw new Error('A verifier key has three parts.');
  return signatureLine({ name: BIRCH.name, keyId, signature: new Uint8Array(64) });
}
