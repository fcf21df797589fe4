// Serves /log/<epoch>/*: the public log in the layout of C2SP tlog-tiles, for monitors, witnesses
// and verifiers (docs/trust.md).
import { Readable } from 'node:stream';
import { entryBundle, epochListText, hashesOfTile, type Tile } from '@lothub/chain/log';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import { Refusal } from '../errors.ts';
import { NOT_FOUND, PUBLIC_ERRORS, type App } from '../http.ts';
import type { publicGate } from '../keys/authentication.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { linesWithoutLogs, type HubPolicy } from '../witnessing/hub-policy.ts';
import { readTexts } from './block-texts.ts';
import { EpochParams, IMMUTABLE, TEXT_TYPE, withFirst } from './log-http.ts';
import { findTile, toBlockRange, wholeNumber } from './paths.ts';
import { LOG_IS_OFF, type PublicLog } from './public-log.ts';
import { readStatements } from '../ledger/log/epochs/epochs.ts';
import { findServedLog, type ServedLog, type ServedLogs } from './served-logs.ts';

export interface LogRouteDeps {
  readonly log: PublicLog;
  readonly reader: LedgerReader;
  readonly gate: ReturnType<typeof publicGate>;
}

const BYTES_TYPE = 'application/octet-stream';
const LINES_TYPE = 'application/x-ndjson';

const ASKED_AGAIN = 'no-cache';
const NOT_KEPT = 'no-store';

const answers = (type: string, description: string) => ({
  200: { description, content: { [type]: { schema: Type.String() } } },
  ...NOT_FOUND,
  ...PUBLIC_ERRORS,
});

const TAGS = ['Log'];
const INDEX_PATH = 'N in groups of three digits, all but the last with an `x`: `x001/x234/067`. ';
const PARTS =
  'With `.p/<W>` its first W (1 to 255) as far as the newest checkpoint has them. Any other spelling is 404.';

export function logRoutes(app: App, deps: LogRouteDeps): void {
  const { log, reader } = deps;
  const logs = { log, database: reader.database };
  // The hook comes before the gate, so that a page of another origin can also read a refusal.
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('Access-Control-Allow-Origin', '*');
    done();
  });
  app.addHook('onRequest', deps.gate);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('Cache-Control')) void reply.header('Cache-Control', NOT_KEPT);
    done();
  });

  app.get(
    '/log/epochs',
    {
      schema: {
        tags: TAGS,
        operationId: 'listLogEpochs',
        summary: 'Statements of the operator that the log goes on under another name',
        description:
          'Signed notes (docs/chain-format.md, "Epochs"), each behind a line `=== <number>`; empty while ' +
          'there is one log.',
        response: answers(TEXT_TYPE, 'The statements'),
      },
    },
    async (_request, reply) => {
      if (log.identity === undefined) throw new Refusal('not_found', LOG_IS_OFF);
      const text = epochListText(await readStatements(reader.database));
      return await reply.type(TEXT_TYPE).header('Cache-Control', ASKED_AGAIN).send(text);
    },
  );

  const texts = [
    {
      path: 'checkpoint',
      operationId: 'getLogCheckpoint',
      summary: 'The newest checkpoint that satisfies the hub’s own policy',
      buildText: (served: ServedLog) => served.checkpoint(),
    },
    {
      path: 'checkpoint/latest',
      operationId: 'getLatestLogCheckpoint',
      summary: 'The newest checkpoint, signed by the hub alone',
      buildText: (served: ServedLog) => served.latest(),
    },
    {
      path: 'vkeys',
      operationId: 'getLogKeys',
      summary: 'The public keys of the log, one a line, the current one first',
      buildText: ({ identity }: ServedLog) => identity.vkeys.map((vkey) => `${vkey}\n`).join(''),
    },
    {
      path: 'policy',
      operationId: 'getLogPolicy',
      summary: 'A policy (C2SP tlog-policy) to begin with; a hint, and nothing to trust',
      buildText: ({ identity }: ServedLog) => policyText(identity.vkeys, log.policy),
    },
  ] as const;
  for (const { path, buildText, ...described } of texts) {
    app.get(
      `/log/:epoch/${path}`,
      {
        schema: {
          tags: TAGS,
          ...described,
          params: EpochParams,
          response: answers(TEXT_TYPE, 'The text'),
        },
      },
      async ({ params }, reply) => {
        const text = await buildText(await findServedLog(logs, params.epoch));
        return await reply.type(TEXT_TYPE).header('Cache-Control', ASKED_AGAIN).send(text);
      },
    );
  }

  app.get(
    '/log/:epoch/proof/:index',
    {
      schema: {
        tags: TAGS,
        operationId: 'getLogProof',
        summary: 'The proof that a block is in the log',
        description:
          'A proof file (C2SP tlog-proof) to the newest checkpoint that satisfies the hub’s own policy, or to ' +
          'the newest signed one when that is the first to hold the block. The block’s `block_hash` as 32 ' +
          'bytes is the entry.',
        params: Type.Object({
          ...EpochParams.properties,
          index: Type.String({ description: 'Height of the block', examples: ['81'] }),
        }),
        querystring: Type.Object({
          size: Type.Optional(
            Type.String({
              description: 'Blocks that the tree must have at least',
              examples: ['82'],
            }),
          ),
        }),
        response: answers(TEXT_TYPE, 'The proof file'),
      },
    },
    async ({ params, query }, reply) => {
      const served = await findServedLog(logs, params.epoch);
      const index = wholeNumber(params.index);
      const sizeMin = query.size === undefined ? 0 : wholeNumber(query.size);
      if (index === undefined || sizeMin === undefined) throw noSuchPath();
      const wanted = Math.max(index + 1, sizeMin);
      const checkpoint = await served.covering(wanted);
      if (checkpoint.size < wanted) {
        throw new Refusal('not_found', `The log has ${checkpoint.size} blocks, not ${wanted}`);
      }
      const { text } = await log.proof(index, checkpoint);
      return await reply.type(TEXT_TYPE).send(text);
    },
  );

  const rest = { params: Type.Object({ ...EpochParams.properties, '*': Type.String() }) };
  app.get(
    '/log/:epoch/tile/entries/*',
    {
      schema: {
        tags: TAGS,
        operationId: 'getLogEntries',
        summary: 'A bundle of entries: the hashes of 256 blocks',
        description: `C2SP tlog-tiles. ${INDEX_PATH}${PARTS}`,
        ...rest,
        response: answers(BYTES_TYPE, 'Each of 34 bytes: 0x00 0x20 and the hash'),
      },
    },
    async (request, reply) => {
      const { tile } = await findResource(logs, request);
      const entries = hashesOfTile(await log.tree.entries(toBlockRange(tile)));
      const content = Buffer.from(entryBundle(entries));
      return await sendForever(reply, { log, type: BYTES_TYPE, content });
    },
  );
  app.get(
    '/log/:epoch/tile/:level/*',
    {
      schema: {
        tags: TAGS,
        operationId: 'getLogTile',
        summary: 'A tile: 256 hashes of one level of the tree',
        description: `C2SP tlog-tiles. Levels 0 to 7. ${INDEX_PATH}${PARTS}`,
        params: Type.Object({
          ...EpochParams.properties,
          level: Type.String({ examples: ['0'] }),
          '*': Type.String(),
        }),
        response: answers(BYTES_TYPE, 'Hashes of 32 bytes'),
      },
    },
    async (request, reply) => {
      const { tile } = await findResource(logs, request);
      if (tile.level === 'entries') throw noSuchPath();
      const { level, index, width } = tile;
      // The tree of this log also has the parts that it shares with ended logs.
      const bytes = await log.tile({ level, index, width }, await log.head());
      return await sendForever(reply, {
        log,
        type: BYTES_TYPE,
        content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      });
    },
  );
  app.get(
    '/log/:epoch/blocks/*',
    {
      schema: {
        tags: TAGS,
        operationId: 'getLogBlocks',
        summary: 'The canonical texts of the blocks of a bundle, one a line',
        description:
          'The hash of each is the entry at its place. `{"withheld":INDEX}` stands for a text that must not ' +
          `be published any more. ${INDEX_PATH}${PARTS} An answer that breaks off is not complete.`,
        ...rest,
        response: answers(LINES_TYPE, 'One text a line'),
      },
    },
    async (request, reply) => {
      const { tile } = await findResource(logs, request);
      const texts = readTexts(reader, toBlockRange(tile));
      // Read before anything is sent, so that what refuses the request is an answer of its own.
      const first = await texts.next();
      const content = Readable.from(withFirst(first, texts));
      return await sendForever(reply, { log, type: LINES_TYPE, content });
    },
  );
}

/** @throws Refusal `not_found` when the path is no strict one, or the log is not so large */
async function findResource(
  logs: ServedLogs,
  request: FastifyRequest,
): Promise<{ readonly tile: Tile }> {
  const { epoch } = request.params as { readonly epoch: string };
  const served = await findServedLog(logs, epoch);
  const tile = findTile(pathBelow(epoch, request.url), await served.size());
  if (tile === undefined) throw noSuchPath();
  return { tile };
}

/** Returns the path as it was sent: another spelling is another path. */
function pathBelow(epoch: string, url: string): string {
  const [path = ''] = url.split('?', 1);
  const prefix = `/log/${epoch}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : '';
}

function noSuchPath(): Refusal {
  return new Refusal('not_found', 'The log has nothing at this path');
}

/**
 * Sends a response that may be cached for ever. While the log is held, it may not be cached,
 * because the stored values may differ from the signed ones.
 */
function sendForever(
  reply: FastifyReply,
  {
    log,
    type,
    content,
  }: { readonly log: PublicLog; readonly type: string; readonly content: Buffer | Readable },
): FastifyReply {
  const cache = log.state === 'signing' ? IMMUTABLE : NOT_KEPT;
  return reply.type(type).header('Cache-Control', cache).send(content);
}

function policyText(vkeys: readonly string[], policy: HubPolicy | undefined): string {
  const lines = [
    '# What the operator suggests. Take the key from somewhere else, and add witnesses that you trust.',
    ...vkeys.map((vkey) => `log ${vkey}`),
    ...(policy === undefined ? ['quorum none'] : linesWithoutLogs(policy.text)),
  ];
  return `${lines.join('\n')}\n`;
}
