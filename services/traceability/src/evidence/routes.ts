// GET /public/verify/{lot_code}/evidence: the answer about a lot, as a file that can be verified without the hub
// (docs/trust.md).
import { Readable } from 'node:stream';
import { parseCheckpoint } from '@lothub/chain/log';
import { EVIDENCE_BLOCKS_MAX, EVIDENCE_BYTES_MAX, EVIDENCE_FORMAT } from '@lothub/verify';
import { Type } from '@lothub/kit/json-schema';
import { Refusal } from '../errors.ts';
import { BrandQuery, LotCodeParams, NOT_FOUND, PUBLIC_ERRORS, RULE_BROKEN } from '../http.ts';
import type { App } from '../http.ts';
import { readStatements } from '../ledger/log/epochs/epochs.ts';
import type { TextSize } from '../ledger/log/queries.ts';
import type { SignedCheckpoint } from '../ledger/log/signed-log.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { withFirst } from '../log/log-http.ts';
import { sizesOfBlocks } from '../log/sound-blocks.ts';
import type { PublicLog } from '../log/public-log.ts';
import { findLot, lotsOfCode, type LotRow } from '../lots/queries.ts';
import { noSuchLot } from '../lots/similar-codes.ts';
import { oldestTimeStamp } from '../timestamps/stored.ts';
import type { Surroundings } from '../verification/surroundings.ts';
import { writeEvidence } from './evidence-file.ts';
import { fileHeader } from './file-name.ts';
import { getLast, heightsOfEvidence } from './heights.ts';

/** The shape of an evidence file, as the API description has it. */
const EvidenceSchema = Type.Object(
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

/** Bytes of an entry of the file besides the text: twenty hashes, as in a tree of a million blocks. */
const PROOF_BYTES = 1_000;
/** Brands named when one must be chosen. */
const BRANDS_NAMED_MAX = 20;

export interface EvidenceDeps {
  readonly reader: LedgerReader;
  readonly surroundings: Surroundings;
  readonly log: PublicLog;
}

export function evidenceRoutes(app: App, deps: EvidenceDeps): void {
  const { reader, log } = deps;
  app.get(
    '/public/verify/:lot_code/evidence',
    {
      schema: {
        tags: ['Public'],
        operationId: 'getLotEvidence',
        summary: 'The evidence of a lot, as a file',
        description:
          'The blocks behind the steps and the quantities of the lot and all that correct them, each with its ' +
          'proof to one checkpoint: the newest with the cosignatures that the hub asks for, or the newest signed ' +
          'one when no such one has all of the blocks yet. Anybody can verify it with the public key of the log, without this hub. ' +
          'That no block is missing is not proven. An answer that breaks off is not complete.',
        params: LotCodeParams,
        querystring: Type.Object({
          brand: BrandQuery,
          timestamp: Type.Optional(
            Type.Boolean({
              description:
                'True: the proofs lead to the oldest time-stamped checkpoint that has all blocks of the file, also one of a ' +
                'log that has ended; `origin` says of which',
            }),
          ),
        }),
        response: {
          200: {
            description: 'Canonical JSON',
            content: { 'application/json': { schema: EvidenceSchema } },
          },
          ...RULE_BROKEN,
          ...NOT_FOUND,
          ...PUBLIC_ERRORS,
        },
      },
    },
    async ({ params, query }, reply) => {
      const { identity } = log;
      // Says that the log is off, or that nothing is signed, before anything is read.
      await log.head();
      if (identity === undefined) throw new Error('a log without a name has signed');
      const lot = await findOneLot(reader, { lotCode: params.lot_code, brand: query.brand });
      const { way } = await deps.surroundings.find(lot);
      const heights = await heightsOfEvidence(reader, {
        lotNo: lot.lotNo,
        codesAt: way.codesAt,
        blocksMax: EVIDENCE_BLOCKS_MAX,
      });
      const sizes = await sizesOfBlocks(reader, heights);
      refuseTooLarge(sizes);
      const size = getLast(heights) + 1;
      const { head, origin } =
        query.timestamp === true
          ? await getStamped(reader, size)
          : { head: (await log.covering(size)).checkpoint, origin: identity.origin };
      if (head.size < size) throw new Refusal('log_unavailable', NOT_SIGNED_YET);
      const parts = writeEvidence(deps, {
        lot: { brand: lot.tenantId, lotCode: lot.lotCode },
        sizes,
        head,
        origin,
        chainId: await reader.chainId(),
        epochs: (await readStatements(reader.database)).map(({ note }) => note),
      });
      // Made before anything is sent, so that what refuses the request is an answer of its own.
      const first = await parts.next();
      return await reply
        .type('application/json; charset=utf-8')
        .header('Content-Disposition', fileHeader(`${lot.lotCode}.lothub-evidence.json`))
        .send(Readable.from(withFirst(first, parts)));
    },
  );
}

const NOT_STAMPED_YET = 'No time-stamped checkpoint has all blocks of the lot';
const NOT_SIGNED_YET = 'The newest blocks of the lot are not signed yet: try again';

/** @throws Refusal `not_found` */
async function getStamped(
  { database }: LedgerReader,
  size: number,
): Promise<{ readonly head: SignedCheckpoint; readonly origin: string }> {
  const stamped = await oldestTimeStamp(database, size);
  if (stamped === undefined) throw new Refusal('not_found', NOT_STAMPED_YET);
  const { note, origin } = stamped;
  return { head: { size: stamped.size, note, root: parseCheckpoint(note).root }, origin };
}

/** @throws Refusal `not_found`, and `rule_broken` when several brands use the code and none was named */
async function findOneLot(
  { database }: LedgerReader,
  asked: { readonly lotCode: string; readonly brand: string | undefined },
): Promise<LotRow> {
  const lots =
    asked.brand === undefined
      ? await lotsOfCode(database, asked.lotCode, BRANDS_NAMED_MAX)
      : [await findLot(database, { lotCode: asked.lotCode, tenantId: asked.brand })];
  const [lot, ...others] = lots;
  if (lot === undefined) throw await noSuchLot(database, asked);
  if (others.length === 0) return lot;
  const brands = lots.flatMap((one) => (one === undefined ? [] : [one.tenantId])).join(', ');
  throw new Refusal(
    'rule_broken',
    `Several brands use this lot code: send brand, one of ${brands}`,
  );
}

/** @throws Refusal `rule_broken` */
function refuseTooLarge(sizes: readonly TextSize[]): void {
  const bytes = sizes.reduce((sum, one) => sum + one.bytes + PROOF_BYTES, 0);
  if (sizes.length <= EVIDENCE_BLOCKS_MAX && bytes <= EVIDENCE_BYTES_MAX) return;
  throw new Refusal(
    'rule_broken',
    `The evidence of this lot has more than ${EVIDENCE_BLOCKS_MAX} blocks or ${EVIDENCE_BYTES_MAX} bytes: ` +
      'read its blocks below /log/',
  );
}
