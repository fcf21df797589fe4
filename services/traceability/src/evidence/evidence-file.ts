// The evidence file of a lot (`lothub-evidence/1`, docs/chain-format.md): written as it is read, because it
// may have 64 MiB. It is the canonical JSON of what it says, so its members come in the order of their names.
import { canonicalize, jsonString } from '@lothub/chain';
import { EVIDENCE_BYTES_MAX, EVIDENCE_FORMAT } from '@lothub/verify';
import { present } from '@lothub/kit/present';
import type { TextSize } from '../ledger/log/queries.ts';
import type { SignedCheckpoint } from '../ledger/log/signed-log.ts';
import { newEdge } from '../ledger/log/tree-reader.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { readSoundBlocks } from '../log/sound-blocks.ts';
import type { PublicLog } from '../log/public-log.ts';

export interface EvidenceOf {
  readonly lot: { readonly brand: string; readonly lotCode: string };
  /** Sizes of the blocks, ascending by height. */
  readonly sizes: readonly TextSize[];
  /** Covers all of them. */
  readonly head: SignedCheckpoint;
  readonly origin: string;
  readonly chainId: string;
  /** Statements that the log continued under another name. */
  readonly epochs: readonly string[];
}

/**
 * The file in parts.
 * @throws Refusal `log_unavailable` when what is stored differs from what was signed
 * @throws EvidenceTooLarge in the middle of a file whose escaped texts have more bytes than was reckoned
 */
export async function* writeEvidence(
  { reader, log }: { readonly reader: LedgerReader; readonly log: PublicLog },
  evidence: EvidenceOf,
): AsyncGenerator<string> {
  const { lot, head, origin, chainId } = evidence;
  const edge = newEdge();
  let bytes = 0;
  let before = '{"blocks":[';
  for await (const blocks of readSoundBlocks(reader, evidence.sizes)) {
    const texts = new Map(blocks.map(({ height, canonical }) => [height, canonical]));
    const parts: string[] = [];
    for await (const { height, hashes } of log.inclusions(blocks, { head, edge })) {
      const canonical = jsonString(present(texts.get(height), `block ${height}`));
      const inclusion = hashes.map((hash) => `"${hash}"`).join(',');
      parts.push(
        `${before}{"canonical":${canonical},"inclusion":[${inclusion}],"index":${height}}`,
      );
      before = ',';
    }
    const part = parts.join('');
    bytes += Buffer.byteLength(part);
    if (bytes > EVIDENCE_BYTES_MAX) throw new EvidenceTooLarge(bytes);
    yield part;
  }
  const rest = canonicalize({
    chain_id: chainId,
    checkpoint: head.note,
    disclosures: [],
    epochs: evidence.epochs,
    format: EVIDENCE_FORMAT,
    lot: { brand: lot.brand, lot_code: lot.lotCode },
    origin,
  });
  // The list of blocks comes first, as their name does among the members.
  yield `],${rest.slice(1)}`;
}

/** More than a verifier reads. */
export class EvidenceTooLarge extends Error {
  constructor(bytes: number) {
    super(`an evidence file would have more than ${bytes} bytes, and a verifier reads no more`);
    this.name = 'EvidenceTooLarge';
  }
}
