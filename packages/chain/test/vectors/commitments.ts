/** Commitments with what opens them, and disclosures that do not open what they claim to. */
import { computeCommitment, type JsonObject } from '../../src/index.ts';
import { sha256 } from './chain-maker.ts';

export type CommitmentVector = {
  readonly name: string;
  readonly values: JsonObject;
  readonly salt: string;
  /** The text that is hashed; written out so that a reader can find where two programs differ. */
  readonly canonical: string;
  readonly commitment: string;
  readonly valid: boolean;
};

const VALUES: readonly (readonly [name: string, values: JsonObject])[] = [
  ['channel and customer', { channel: 'Restaurant Adler', customer_ref: 'C-1029' }],
  ['customer only', { customer_ref: 'C-1029' }],
  ['channel only', { channel: 'webshop' }],
  ['notes of a sale', { notes: 'Paid cash, calls back on "Monday".\n\u{1f35e}' }],
  ['who asked for a correction', { requested_by: 'J. Öz' }],
  ['corrected channel', { from: 'Restaurant Adler', to: 'webshop' }],
  ['corrected customer', { from: 'C-1029', to: 'C-1030' }],
  ['customer added by a correction', { to: 'C-1031' }],
  ['consignee', { consignee_ref: 'C-1029' }],
  ['corrected consignee', { from: 'C-1029', to: 'C-1030' }],
  ['who held lots', { by: 'J. Öz' }],
  ['why lots are held', { reason: 'Metal found.' }],
];

export const COMMITMENTS: readonly CommitmentVector[] = VALUES.map(([name, values]) =>
  opened(name, values),
);

const SAMPLE = opened('', { customer_ref: 'C-1029' });

const REFUSED: readonly CommitmentVector[] = [
  { ...SAMPLE, name: 'other value', ...hashed({ customer_ref: 'C-1028' }, SAMPLE.salt) },
  { ...SAMPLE, name: 'other salt', ...hashed(SAMPLE.values, sha256('another salt')) },
  {
    ...SAMPLE,
    name: 'absent is not an empty string',
    ...hashed({ ...SAMPLE.values, channel: '' }, SAMPLE.salt),
  },
].map((vector) => ({ ...vector, commitment: SAMPLE.commitment, valid: false }));

export function makeCommitments(): readonly CommitmentVector[] {
  return [...COMMITMENTS, ...REFUSED];
}

/** The commitment of the disclosure with this name. */
export function commitmentNamed(name: string): string {
  const found = COMMITMENTS.find((vector) => vector.name === name);
  if (found === undefined) throw new RangeError(`There is no commitment named "${name}".`);
  return found.commitment;
}

function opened(name: string, values: JsonObject): CommitmentVector {
  const salt = sha256(`salt of ${name}`);
  const { canonical } = hashed(values, salt);
  return { name, values, salt, canonical, commitment: computeCommitment({ values, salt }, sha256), valid: true };
}

/** Members written in order by hand: the vectors do not lean on the code they are to check. */
function hashed(
  values: JsonObject,
  salt: string,
): Pick<CommitmentVector, 'values' | 'salt' | 'canonical'> {
  const members = Object.entries({ ...values, salt })
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return { values, salt, canonical: `{${members.join(',')}}` };
}
