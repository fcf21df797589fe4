// The shape of an evidence file, as the API description has it.
import { EVIDENCE_BLOCKS_MAX, EVIDENCE_FORMAT } from '@lothub/verify';
import { Type } from '@lothub/kit/json-schema';

export const EvidenceSchema = Type.Object(
  {
    blocks: Type.Array(
      Type.Object({
        canonical: Type.String({ description: 'The text of the block; its SHA-256 is the entry' }),
        inclusion: Type.Array(Type.String(), {
          description: 'Hashes in base64, from the leaf to the root of the checkpoint',
        }),
        index: Type.Integer({ description: 'Of the entry; the height of the block' }),
      }),
      { maxItems: EVIDENCE_BLOCKS_MAX },
    ),
    chain_id: Type.String({ description: 'Hash of block 0' }),
    checkpoint: Type.String({ description: 'A signed note (C2SP tlog-checkpoint)' }),
    disclosures: Type.Array(Type.Object({}), { description: 'Empty' }),
    epochs: Type.Array(Type.String()),
    format: Type.Literal(EVIDENCE_FORMAT),
    lot: Type.Object({ brand: Type.String(), lot_code: Type.String() }),
    origin: Type.String({ description: 'Name of the log' }),
  },
  { title: 'Evidence' },
);
