/** Chains with one fault each, and where and as what every verifier must find it. */
import {
  canonicalize,
  parseBlock,
  type ChainFaultCode,
  type JsonObject,
  type VerificationDepth,
} from '../../src/index.ts';
import { NESTING_MAX } from '../../src/canonical.ts';
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
  sha256,
  withBlock,
  withEditedText,
  withPayloadText,
  type VectorBlock,
} from './chain-maker.ts';
import { disclosedRecall } from './disclosed-recall.ts';

export type BrokenChain = {
  readonly name: string;
  readonly description: string;
  readonly previous?: { readonly height: number; readonly block_hash: string };
  readonly blocks: readonly VectorBlock[];
  readonly expect: {
    readonly valid: false;
    readonly first_bad_height: number;
    readonly code: ChainFaultCode;
    /** The least depth of verification that finds it. */
    readonly found_at: VerificationDepth;
  };
};

export function makeBrokenChains(): readonly BrokenChain[] {
  return [
    ...missingBlocks(),
    ...changedText(),
    ...wrongLinks(),
    ...wrongHeights(),
    ...notJson(),
    ...notCanonicalFrame(),
    ...notCanonicalPayload(),
    ...wrongGenesis(),
    ...wrongPayload(),
    ...wrongTime(),
    ...wrongDisclosures(),
  ];
}

const CHAIN = plainChain(5);
const FIRST = at(CHAIN, 0);

function missingBlocks(): readonly BrokenChain[] {
  const links = { code: 'height_gap', foundAt: 'links' } as const;
  return [
    broken('genesis removed', 'The first block has height 1.', { ...links, height: 0 }, CHAIN.slice(1)),
    broken('block removed', 'Block 2 is missing.', { ...links, height: 2 }, CHAIN.toSpliced(2, 1)),
    broken(
      'block repeated',
      'Block 2 comes twice.',
      { ...links, height: 3 },
      CHAIN.toSpliced(2, 0, at(CHAIN, 2)),
    ),
    broken(
      'blocks swapped',
      'Blocks 2 and 3 have changed places, each with its own height.',
      { ...links, height: 2 },
      CHAIN.with(2, at(CHAIN, 3)).with(3, at(CHAIN, 2)),
    ),
    broken(
      'stored height changed',
      'Block 2 is in its place and untouched, but for the height stored beside it.',
      { ...links, height: 2 },
      CHAIN.with(2, { ...at(CHAIN, 2), height: 7 }),
    ),
    {
      ...broken(
        'gap after a trusted block',
        'Verification starts after block 1, but block 3 comes next.',
        { ...links, height: 2 },
        CHAIN.slice(3),
      ),
      previous: { height: 1, block_hash: at(CHAIN, 1).block_hash },
    },
  ];
}

function changedText(): readonly BrokenChain[] {
  const block = at(CHAIN, 2);
  const changed = (name: string, description: string, to: Partial<VectorBlock>): BrokenChain =>
    broken(
      name,
      description,
      { code: 'hash_mismatch', foundAt: 'links', height: 2 },
      withBlock(CHAIN, 2, { ...block, ...to }),
    );
  return [
    changed('quantity changed', 'One digit of a quantity differs from what was sealed.', {
      canonical: block.canonical.replace('250.5', '350.5'),
    }),
    changed('bit flipped', 'The lowest bit of one letter is flipped.', {
      canonical: block.canonical.replace('FLOUR-1', 'FLOTR-1'),
    }),
    changed('prev_hash changed', 'The link itself was changed and the hash left as it was.', {
      canonical: block.canonical.replace(at(CHAIN, 1).block_hash, at(CHAIN, 0).block_hash),
    }),
    changed('text cut', 'The last character is missing.', {
      canonical: block.canonical.slice(0, -1),
    }),
    changed('text empty', 'Nothing is left of the text.', { canonical: '' }),
    changed('line feed appended', 'The text of an export line, its line feed included.', {
      canonical: `${block.canonical}\n`,
    }),
    changed('unicode normalised', 'One composed letter was replaced by its decomposed form.', {
      ...makeBlock(2, block.canonical.replace('DOCK-2', 'D\u00d6CK-2')),
      canonical: block.canonical.replace('DOCK-2', 'DO\u0308CK-2'),
    }),
    changed('block_hash changed', 'The text is as sealed, the stored hash is another one.', {
      block_hash: at(CHAIN, 1).block_hash,
    }),
    changed('block_hash in upper case', 'A hash is lower-case hex, nothing else.', {
      block_hash: block.block_hash.toUpperCase(),
    }),
    broken(
      'texts swapped',
      'Blocks 2 and 3 have changed their texts, not their heights and hashes.',
      { code: 'hash_mismatch', foundAt: 'links', height: 2 },
      CHAIN.with(2, { ...block, canonical: at(CHAIN, 3).canonical }).with(3, {
        ...at(CHAIN, 3),
        canonical: block.canonical,
      }),
    ),
  ];
}

function wrongLinks(): readonly BrokenChain[] {
  const code = { code: 'prev_hash_mismatch', foundAt: 'links' } as const;
  const forged = makeBlock(2, at(CHAIN, 2).canonical.replace('250.5', '1'));
  const other = makeChain([genesis({ nonce: sha256('another nonce') }), eventPayload(1)]);
  return [
    broken(
      'forged block',
      'Block 2 was changed and hashed anew. It links well itself, but block 3 does not link to it.',
      { ...code, height: 3 },
      withBlock(CHAIN, 2, forged),
    ),
    broken(
      'block of another chain',
      'Block 1 was sealed onto another genesis.',
      { ...code, height: 1 },
      [FIRST, at(other, 1)],
    ),
    broken(
      'link to the block before the last',
      'Block 2 names the hash of block 0.',
      { ...code, height: 2 },
      [
        ...CHAIN.slice(0, 2),
        makeBlock(2, frame(2, canonicalize(eventPayload(2)), FIRST.block_hash)),
      ],
    ),
    broken(
      'genesis with a past',
      'The previous hash of block 0 is not 64 zeros.',
      { ...code, height: 0 },
      [makeBlock(0, frame(0, canonicalize(genesis()), sha256('a past')))],
    ),
    {
      ...broken(
        'wrong trusted block',
        'The trusted hash before the first block is not the one it links to.',
        { ...code, height: 3 },
        CHAIN.slice(3),
      ),
      previous: { height: 2, block_hash: forged.block_hash },
    },
  ];
}

function wrongHeights(): readonly BrokenChain[] {
  const sealedAs = (name: string, description: string, height: number): BrokenChain =>
    broken(name, description, { code: 'height_mismatch', foundAt: 'links', height: 1 }, [
      FIRST,
      makeBlock(1, frame(height, canonicalize(eventPayload(1)), FIRST.block_hash)),
    ]);
  return [
    sealedAs('sealed with a greater height', 'Stored at height 1, but the text says 2.', 2),
    sealedAs('sealed with a longer height', 'Stored at height 1, but the text says 10.', 10),
    sealedAs('sealed with height 0', 'Stored at height 1, but the text says 0.', 0),
    sealedAs('sealed with an unsafe height', 'More than a double can count.', 2 ** 60),
  ];
}

function notJson(): readonly BrokenChain[] {
  const expected = { code: 'not_json', height: 1 } as const;
  const text = canonicalize(eventPayload(1));
  const links = (name: string, description: string, edit: (text: string) => string): BrokenChain =>
    broken(name, description, { ...expected, foundAt: 'links' }, withEditedText(edit));
  const contents = (name: string, description: string, payload: string): BrokenChain =>
    broken(name, description, { ...expected, foundAt: 'contents' }, withPayloadText(payload));
  return [
    links('plain text', 'A hash over something that is not JSON at all.', () => 'hello'),
    links('no text', 'A hash over nothing.', () => ''),
    links('byte order mark', 'A byte order mark before the text.', (it) => `\ufeff${it}`),
    links('leading zero', 'JSON has no numbers with a leading zero.', (it) =>
      it.replace('"height":1', '"height":01'),
    ),
    links('wrong last bracket', 'A block ends with a brace.', (it) => `${it.slice(0, -1)}]`),
    links('text goes on', 'A second object follows the block.', (it) => `${it}{}`),
    contents('trailing comma', 'JSON has no trailing commas.', text.replace('"v":1', '"v":1,')),
    contents(
      'raw line feed in a string',
      'JSON demands an escape.',
      text.replace('DOCK-2', 'DOCK\n2'),
    ),
    contents('not a number', 'JSON has no NaN.', text.replace('"v":1', '"v":NaN')),
    contents('missing value', 'A member without a value.', text.replace('"v":1', '"v":')),
    contents('unbalanced brackets', 'The payload closes once too often.', `${text}}`),
  ];
}

function notCanonicalFrame(): readonly BrokenChain[] {
  const expected = { code: 'not_canonical', height: 1 } as const;
  const links = (name: string, description: string, edit: (text: string) => string): BrokenChain =>
    broken(name, description, { ...expected, foundAt: 'links' }, withEditedText(edit));
  const contents = (
    name: string,
    description: string,
    edit: (text: string) => string,
  ): BrokenChain =>
    broken(name, description, { ...expected, foundAt: 'contents' }, withEditedText(edit));
  return [
    links('space after a colon', 'White space is not canonical.', (it) =>
      it.replace('"height":1', '"height": 1'),
    ),
    links('line feed at the end', 'Nothing follows the last brace.', (it) => `${it}\n`),
    links('height as a fraction', 'The number 1 is spelt 1.0.', (it) =>
      it.replace('"height":1', '"height":1.0'),
    ),
    links('height as a string', 'A height is a number.', (it) =>
      it.replace('"height":1', '"height":"1"'),
    ),
    links('members out of order', 'prev_hash comes before payload.', (it) => {
      const { height, payloadText, prevHash } = parseBlock(it);
      return `{"height":${height},"prev_hash":"${prevHash}","payload":${payloadText}}`;
    }),
    links('prev_hash in upper case', 'A hash is lower-case hex, nothing else.', (it) =>
      it.replace(FIRST.block_hash, FIRST.block_hash.toUpperCase()),
    ),
    links('prev_hash too short', 'A hash has 64 digits.', (it) =>
      it.replace(FIRST.block_hash, FIRST.block_hash.slice(1)),
    ),
    links('payload is an array', 'A payload is an object.', (it) =>
      it.replace(/"payload":\{.*\},"prev_hash"/s, '"payload":[],"prev_hash"'),
    ),
    links('member after prev_hash', 'A block has exactly three members.', (it) =>
      it.replace(/\}$/, ',"z":1}'),
    ),
    contents('member after payload', 'A block has exactly three members.', (it) =>
      it.replace(',"prev_hash"', ',"payload_2":{},"prev_hash"'),
    ),
    contents('payload given twice', 'Parsers disagree on which of two members counts.', (it) =>
      it.replace(',"prev_hash"', ',"payload":{},"prev_hash"'),
    ),
  ];
}

function notCanonicalPayload(): readonly BrokenChain[] {
  const text = canonicalize(eventPayload(1));
  const contents = (name: string, description: string, payload: string): BrokenChain =>
    broken(
      name,
      description,
      { code: 'not_canonical', foundAt: 'contents', height: 1 },
      withPayloadText(payload),
    );
  const withNotes = (notes: string): string =>
    text.replace('"occurred_at"', `"notes":${notes},"occurred_at"`);
  return [
    contents('space in the payload', 'White space is not canonical.', text.replace(',"v"', ', "v"')),
    contents(
      'quantity as a fraction',
      'No floating-point number is ever hashed.',
      text.replace('"250.5"', '250.5'),
    ),
    contents('integer as a fraction', 'The number 1 is spelt 1.0.', text.replace('"v":1', '"v":1.0')),
    contents('integer with an exponent', 'The number 1 is spelt 1e0.', text.replace('"v":1', '"v":1e0')),
    contents('unsafe integer', 'More than a double can count.', withNotes('9007199254740993')),
    contents('very long integer', 'A number of 5,000 digits.', withNotes('9'.repeat(5_000))),
    contents('negative zero', 'JCS writes it 0.', withNotes('-0')),
    contents(
      'duplicate key',
      'The same member twice, with the same value.',
      text.replace('"v":1', '"v":1,"v":1'),
    ),
    contents(
      'duplicate key, other value',
      'Parsers disagree on which of two members counts.',
      text.replace('"unit":"kg"', '"unit":"t","unit":"kg"'),
    ),
    contents(
      'keys out of order',
      'Members are sorted.',
      text.replace('"type":"event","v":1', '"v":1,"type":"event"'),
    ),
    contents(
      'keys by code points',
      'U+1F600 comes before U+FB33 by UTF-16 code units, after it by code points.',
      withNotes('{"\ufb33":1,"\u{1f600}":2}'),
    ),
    contents('needless escape', 'The letter D is spelt \\u0044.', text.replace('DOCK', '\\u0044OCK')),
    contents('escaped solidus', 'JCS does not escape it.', withNotes('"a\\/b"')),
    contents('escape in upper case', 'JCS writes \\u001f.', withNotes('"\\u001F"')),
    contents('long escape', 'JCS writes \\n.', withNotes('"\\u000a"')),
    contents('lone surrogate', 'It has no UTF-8 bytes.', withNotes('"\\ud83c"')),
    contents(
      'nested too deep',
      `More than ${NESTING_MAX} containers inside each other.`,
      withNotes('['.repeat(NESTING_MAX) + ']'.repeat(NESTING_MAX)),
    ),
  ];
}

function wrongGenesis(): readonly BrokenChain[] {
  const contents = (name: string, description: string, payload: JsonObject): BrokenChain =>
    broken(
      name,
      description,
      { code: 'genesis_invalid', foundAt: 'contents', height: 0 },
      makeChain([payload, eventPayload(1)]),
    );
  const { nonce: _nonce, ...withoutNonce } = genesis();
  return [
    contents('no genesis', 'Block 0 is an event.', eventPayload(0)),
    contents('genesis of version 0', 'Versions begin at 1.', genesis({ v: 0 })),
    contents('genesis without a nonce', 'Two hubs could have one chain_id.', withoutNonce),
    contents('short nonce', 'A nonce has 64 hex digits.', genesis({ nonce: 'abc' })),
    contents('unnamed hub', 'A hub has a name.', genesis({ hub: '' })),
    contents('genesis with more members', 'A genesis has exactly five.', genesis({ brand: 'acme' })),
    contents(
      'year 0',
      'Years begin at 0001.',
      genesis({ recorded_at: '0000-01-02T03:04:05.678Z' }),
    ),
    contents('genesis without a time', 'The time has another form.', genesis({ recorded_at: 'now' })),
  ];
}

function wrongPayload(): readonly BrokenChain[] {
  const contents = (name: string, description: string, payload: JsonObject): BrokenChain =>
    broken(
      name,
      description,
      { code: 'payload_invalid', foundAt: 'contents', height: 1 },
      makeChain([genesis(), payload]),
    );
  const changed = (changes: JsonObject): JsonObject => eventPayload(1, { changes });
  const at = (recorded_at: string): JsonObject => changed({ recorded_at });
  const { brand: _brand, ...withoutBrand } = eventPayload(1);
  const { v: _v, ...withoutVersion } = eventPayload(1);
  const decided = (changes: JsonObject): JsonObject => ({
    brand: 'acme',
    decision: { lots: ['FLOUR-1'], state: 'held' },
    recorded_at: recordedAt(1),
    type: 'hold',
    v: 2,
    ...changes,
  });
  const { brand: _owner, ...undecided } = decided({});
  return [
    contents('version 2 with a member too many', 'Version 2 adds members inside of an event, not beside it.', {
      ...eventPayload(1),
      signature: 'x',
      v: 2,
    }),
    contents('version 2 without a brand', 'A known type of version 2 is judged in full.', {
      event: RECEIVED,
      recorded_at: recordedAt(1),
      type: 'event',
      v: 2,
    }),
    contents('decision of version 1', 'Version 1 has no such type.', decided({ v: 1 })),
    contents('decision that is no object', 'What was decided is an object.', decided({ decision: [] })),
    contents('decision with a member too many', 'Exactly five members.', decided({ event: RECEIVED })),
    contents('decision without a time', 'Every block says when.', decided({ recorded_at: 'now' })),
    contents('decision without a brand', 'It is of a brand.', undecided),
    contents('audit with a brand', 'The audit is that of the hub.', {
      audit: {},
      brand: 'acme',
      recorded_at: recordedAt(1),
      type: 'audit',
      v: 2,
    }),
    contents('empty payload', 'Nothing is said.', {}),
    contents('version 0', 'Versions begin at 1.', changed({ v: 0 })),
    contents('version true', 'A version is a number.', changed({ v: true })),
    contents('version as a string', 'A version is a number.', changed({ v: '1' })),
    contents('no version', 'Every payload names its version.', withoutVersion),
    contents('unknown type', 'Only genesis, event and correction exist.', changed({ type: 'note' })),
    contents('second genesis', 'Only block 0 is a genesis.', genesis({ recorded_at: recordedAt(1) })),
    contents('no brand', 'Every event names whose it is.', withoutBrand),
    contents('malformed brand', 'A brand begins with a letter or digit.', changed({ brand: '-acme' })),
    contents('long brand', 'A brand has at most 64 characters.', changed({ brand: 'a'.repeat(65) })),
    contents('line feed after the brand', 'Not a character of a brand.', changed({ brand: 'acme\n' })),
    contents('event is null', 'What is absent is left out, not null.', changed({ event: null })),
    contents('event is an array', 'An event is an object.', changed({ event: [RECEIVED] })),
    contents('member besides the event', 'Exactly five members.', changed({ comment: 'x' })),
    contents('event under another type', 'The type is correction.', changed({ type: 'correction' })),
    contents('time without milliseconds', 'Exactly three digits.', at('2026-01-02T03:04:06Z')),
    contents('time with microseconds', 'Exactly three digits.', at('2026-01-02T03:04:06.678000Z')),
    contents('time with an offset', 'Times are in UTC.', at('2026-01-02T04:04:06.678+01:00')),
    contents('30 February', 'A day that does not exist.', at('2027-02-30T03:04:06.678Z')),
    contents('31 November', 'A day that does not exist.', at('2026-11-31T03:04:06.678Z')),
    contents('minute 60', 'Minutes end at 59.', at('2026-01-02T03:60:00.000Z')),
    contents('month 13', 'Months end at 12.', at('2026-13-02T03:04:06.678Z')),
    contents('29 February 2100', 'No leap year.', at('2100-02-29T03:04:06.678Z')),
    contents('hour 24', 'Hours end at 23.', at('2026-01-02T24:00:00.000Z')),
    contents('leap second', 'Seconds end at 59.', at('2026-12-31T23:59:60.000Z')),
    contents('line feed after the time', 'Nothing follows the Z.', at(`${recordedAt(1)}\n`)),
    contents('digits of another script', 'Digits are 0 to 9.', at('2026-01-0\u0662T03:04:06.678Z')),
  ];
}

function wrongTime(): readonly BrokenChain[] {
  const backwards = (name: string, description: string, recordedAtText: string): BrokenChain =>
    broken(
      name,
      description,
      { code: 'time_backwards', foundAt: 'contents', height: 2 },
      makeChain([
        genesis(),
        eventPayload(1),
        eventPayload(2, { changes: { recorded_at: recordedAtText } }),
        eventPayload(3),
      ]),
    );
  return [
    backwards('one millisecond back', 'The least step.', '2026-01-02T03:04:06.677Z'),
    backwards('years back', 'Before the genesis, too.', '1999-12-31T23:59:59.999Z'),
    broken(
      'back behind a block of a later version',
      'Where a later version keeps its time is unknown: the last time that is known counts.',
      { code: 'time_backwards', foundAt: 'contents', height: 3 },
      makeChain([
        genesis(),
        eventPayload(1),
        { v: 2 },
        eventPayload(3, { changes: { recorded_at: recordedAt(0) } }),
      ]),
    ),
  ];
}

function wrongDisclosures(): readonly BrokenChain[] {
  const disclosed = (
    name: string,
    description: string,
    [code, height]: readonly ['disclosure_mismatch' | 'disclosure_missing', number],
    change: (disclosures: readonly JsonObject[]) => readonly JsonObject[],
  ): BrokenChain =>
    broken(name, description, { code, foundAt: 'contents', height }, disclosedRecall(change));
  const withContents = (decision: JsonObject | undefined, changes: JsonObject): JsonObject => {
    const contents = decision?.['contents'] as JsonObject;
    return { ...decision, contents: { ...contents, ...changes } };
  };
  return [
    disclosed(
      'disclosure that does not open its block',
      'A disclosed part says another severity than was sealed in confidence.',
      ['disclosure_mismatch', 6],
      (all) => all.with(1, withContents(all[1], { severity: 'class_iii' })),
    ),
    disclosed(
      'disclosure with another salt',
      'The parts are right and the salt is not.',
      ['disclosure_mismatch', 7],
      (all) => all.with(2, { ...all[2], salt: sha256('another salt') }),
    ),
    disclosed(
      'disclosure without its last part',
      'The second part of the opening is left out.',
      ['disclosure_missing', 6],
      (all) => all.toSpliced(1, 1),
    ),
    disclosed(
      'confidential block that is not disclosed',
      'The case is public although its widening was not disclosed.',
      ['disclosure_missing', 7],
      (all) => all.slice(0, 2),
    ),
    disclosed(
      'disclosure of an event',
      'Block 3 is nothing that was sealed in confidence.',
      ['disclosure_mismatch', 8],
      (all) => [...all, { ...all[2], of: 3 }],
    ),
  ];
}

function broken(
  name: string,
  description: string,
  expected: {
    readonly height: number;
    readonly code: ChainFaultCode;
    readonly foundAt: VerificationDepth;
  },
  blocks: readonly VectorBlock[],
): BrokenChain {
  const { height, code, foundAt } = expected;
  return {
    name,
    description,
    blocks,
    expect: { valid: false, first_bad_height: height, code, found_at: foundAt },
  };
}
