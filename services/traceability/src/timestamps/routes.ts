// GET /log/<epoch>/timestamp/<size>: the time stamp on one checkpoint, what was stamped, and proofs to it
// (docs/trust.md).
import { parseCheckpoint } from '@lothub/chain/log';
import { Type } from '@lothub/kit/json-schema';
import { Refusal } from '../errors.ts';
import { fileHeader } from '../evidence/file-name.ts';
import { NOT_FOUND, PUBLIC_ERRORS, type App } from '../http.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LogTimestampRow } from '../ledger/tables/log.ts';
import { wholeNumber } from '../log/paths.ts';
import type { PublicLog } from '../log/public-log.ts';
import { findServedLog } from '../log/served-logs.ts';
import { EpochParams, IMMUTABLE, TEXT_TYPE } from '../log/log-http.ts';
import { findTimeStamp } from './stored.ts';

/** RFC 3161, section 3.2. */
const REPLY_TYPE = 'application/timestamp-reply';

const StampParams = Type.Object({
  ...EpochParams.properties,
  size: Type.String({ description: 'Blocks of the stamped checkpoint', examples: ['82'] }),
});

const TAGS = ['Log'];

export function timeStampRoutes(
  app: App,
  { log, reader }: { readonly log: PublicLog; readonly reader: LedgerReader },
): void {
  const getStamped = async (params: { epoch: string; size: string }): Promise<LogTimestampRow> => {
    const [epoch, size] = [wholeNumber(params.epoch), wholeNumber(params.size)];
    const found =
      epoch === undefined || size === undefined
        ? undefined
        : await findTimeStamp(reader.database, { epoch, size });
    if (found !== undefined) return found;
    throw new Refusal('not_found', 'No checkpoint of this size was time-stamped');
  };

  app.get(
    '/log/:epoch/timestamp/:size',
    {
      schema: {
        tags: TAGS,
        operationId: 'getLogTimestamp',
        summary: 'The time stamp on a checkpoint',
        description:
          'The reply of the time-stamping service (RFC 3161) as it came. What is stamped is the text at ' +
          '`checkpoint` below this path, byte for byte.',
        params: StampParams,
        response: {
          200: {
            description: 'A TimeStampResp',
            content: { [REPLY_TYPE]: { schema: Type.String() } },
          },
          ...NOT_FOUND,
          ...PUBLIC_ERRORS,
        },
      },
    },
    async ({ params }, reply) => {
      const { size, reply: stamp } = await getStamped(params);
      return await reply
        .type(REPLY_TYPE)
        .header('Cache-Control', IMMUTABLE)
        .header('Content-Disposition', fileHeader(`checkpoint-${size}.tsr`))
        .send(Buffer.from(stamp));
    },
  );

  app.get(
    '/log/:epoch/timestamp/:size/checkpoint',
    {
      schema: {
        tags: TAGS,
        operationId: 'getStampedLogCheckpoint',
        summary: 'The checkpoint that was time-stamped, byte for byte',
        params: StampParams,
        response: {
          200: { description: 'The text', content: { [TEXT_TYPE]: { schema: Type.String() } } },
          ...NOT_FOUND,
          ...PUBLIC_ERRORS,
        },
      },
    },
    async ({ params }, reply) => {
      const { note } = await getStamped(params);
      return await reply.type(TEXT_TYPE).header('Cache-Control', IMMUTABLE).send(note);
    },
  );

  app.get(
    '/log/:epoch/timestamp/:size/proof/:index',
    {
      schema: {
        tags: TAGS,
        operationId: 'getStampedLogProof',
        summary: 'The proof that a block is under a time-stamped checkpoint',
        params: Type.Object({
          ...StampParams.properties,
          index: Type.String({ description: 'Height of the block', examples: ['81'] }),
        }),
        response: {
          200: { description: 'The proof', content: { [TEXT_TYPE]: { schema: Type.String() } } },
          ...NOT_FOUND,
          ...PUBLIC_ERRORS,
        },
      },
    },
    async ({ params }, reply) => {
      const { size, note } = await getStamped(params);
      const index = wholeNumber(params.index);
      const served = await findServedLog({ log, database: reader.database }, params.epoch);
      // The log has ended: blocks that the next one does not share are gone.
      if (index === undefined || index >= size || size > (await served.size())) {
        throw new Refusal('not_found', 'This block is not under the stamped checkpoint');
      }
      const { root } = parseCheckpoint(note);
      const { text } = await log.proof(index, { size, root, note });
      return await reply.type(TEXT_TYPE).send(text);
    },
  );
}
