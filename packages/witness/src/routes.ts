/**
 * The paths of a witness, under whatever app serves it: `/witness/add-checkpoint` and what monitors read
 * (c2sp.org/tlog-witness), and `/witness/about`. Refusals are one sentence of plain text.
 */
import { isUtf8 } from 'node:buffer';
import { DatabaseError } from '@lothub/kit/database';
import { readClientAddress, toClientNetwork } from '@lothub/kit/http/client-address';
import { isFastifyError } from '@lothub/kit/http/http-failures';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyInstance, FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import { BODY_BYTES_MAX, parseAddCheckpoint } from './add-checkpoint.ts';
import { WITNESS_PATH } from './policy-lines.ts';
import type { Witness, WitnessAnswer } from './witness.ts';

export interface WitnessRouteOptions {
  readonly witness: Witness;
  /** Where others reach `/witness`, without a slash at the end. */
  readonly prefix: string;
  /** Before everything else, such as a limit of requests for each address. */
  readonly gate?: onRequestAsyncHookHandler | undefined;
}

const TEXT_TYPE = 'text/plain; charset=utf-8';
/** The type of an answer that holds nothing but the size of a tree. */
const SIZE_TYPE = 'text/x.tlog.size';
const ORIGIN_HASH = '^[0-9a-f]{64}$';
/** When it is worth asking again after the disk or the database refused. */
const RETRY_AFTER_SECONDS = 5;

/** As the hub calls what it serves of its own log. */
const TAGS = ['Log'];
const sentence = (description: string) => ({
  description,
  content: { 'text/plain': { schema: Type.String() } },
});

/** Why a request is refused, with its status. */
type Refused = Exclude<WitnessAnswer['kind'], 'cosigned' | 'size_differs'>;
const REFUSALS: Readonly<Record<Refused, { readonly status: number; readonly detail: string }>> = {
  unknown_log: {
    status: 404,
    detail: 'This witness does not know the log: ask its operator to add the key to the list.',
  },
  unsigned: {
    status: 403,
    detail:
      'No key that this witness knows of the log signed the checkpoint, or one signed wrongly.',
  },
  too_often: { status: 429, detail: 'The log asks more than twice as often as the list says.' },
  old_too_large: { status: 400, detail: 'The old size is larger than the size of the checkpoint.' },
  inconsistent: {
    status: 422,
    detail: 'The proof does not show that the tree is grown from the one that was cosigned last.',
  },
};

const ADD_SCHEMA = {
  tags: TAGS,
  operationId: 'addWitnessCheckpoint',
  summary: 'Asks for the cosignature under a checkpoint (C2SP tlog-witness)',
  description:
    `The body is text of at most ${BODY_BYTES_MAX} bytes: \`old SIZE\`, up to 63 hashes of the consistency ` +
    'proof, an empty line, and the checkpoint.',
  response: {
    200: sentence('The line of the cosignature'),
    400: sentence('The request is malformed, or the old size is larger than the tree'),
    403: sentence('No known key of the log signed the checkpoint'),
    404: sentence('The log is not known'),
    409: {
      description: 'Another tree was cosigned last: its size, and a line feed',
      content: { [SIZE_TYPE]: { schema: Type.String() } },
    },
    413: sentence('The body is too large'),
    422: sentence('The tree is not shown to be grown from the one that was cosigned last'),
    429: sentence('The log asks too often; `Retry-After` says when to come back'),
  },
};

const CHECKPOINT_SCHEMA = {
  tags: TAGS,
  operationId: 'getWitnessedCheckpoint',
  summary: 'The checkpoint of a log that was cosigned last',
  params: Type.Object({
    origin_hash: Type.String({
      pattern: ORIGIN_HASH,
      description: 'SHA-256 of the origin in lower-case hex',
    }),
  }),
  response: {
    200: sentence('The checkpoint with the signatures of its log and the cosignature'),
    404: sentence('Nothing was cosigned of a log with this hash'),
  },
};

const ABOUT_SCHEMA = {
  tags: TAGS,
  operationId: 'getWitness',
  summary: 'The key and the address of this witness, and the logs that it knows',
  response: {
    200: Type.Object({
      name: Type.String(),
      vkey: Type.String({ description: 'For the line `witness` of a policy' }),
      prefix: Type.String({ description: 'For the same line: where it is asked' }),
      logs: Type.Array(
        Type.Object({
          origin: Type.String(),
          vkey: Type.String(),
          qpd: Type.Integer({ description: 'Requests a day that the list states' }),
        }),
      ),
    }),
  },
};

/** Registers the routes, with their own bodies and errors: give it a scope of its own. */
export function witnessRoutes(app: FastifyInstance, options: WitnessRouteOptions): void {
  const { witness, prefix, gate } = options;
  app.removeAllContentTypeParsers();
  // Whatever a client calls it, it is this text or no request.
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    (_request, body, done) => {
      done(null, Buffer.isBuffer(body) && isUtf8(body) ? body.toString('utf8') : '');
    },
  );
  app.setErrorHandler((error, request, reply) => sendFailure(error, { request, reply }));
  if (gate !== undefined) app.addHook('onRequest', gate);
  // After what the gate refuses, and also for monitors in a browser.
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-store');
    done();
  });

  app.post(
    `${WITNESS_PATH}/add-checkpoint`,
    { schema: ADD_SCHEMA, bodyLimit: BODY_BYTES_MAX },
    async (request, reply) => {
      const { body } = request;
      const parsed = parseAddCheckpoint(typeof body === 'string' ? body : '');
      if (parsed.kind === 'malformed') return await sendText(reply, 400, parsed.detail);
      const client = toClientNetwork(readClientAddress(request));
      return await sendAnswer(reply, await witness.addCheckpoint(parsed.request, client));
    },
  );

  app.get<{ Params: { origin_hash: string } }>(
    `${WITNESS_PATH}/:origin_hash/checkpoint`,
    { schema: CHECKPOINT_SCHEMA },
    async ({ params }, reply) => {
      const checkpoint = await witness.findCheckpoint(params.origin_hash);
      if (checkpoint === undefined) {
        return await sendText(reply, 404, 'This witness has cosigned nothing of such a log.');
      }
      return await reply.type(TEXT_TYPE).send(checkpoint);
    },
  );

  app.get(`${WITNESS_PATH}/about`, { schema: ABOUT_SCHEMA }, async (_request, reply) => {
    const { name, vkey } = witness.key;
    return await reply.send({ name, vkey, prefix, logs: await witness.listLogs() });
  });
}

function sendAnswer(reply: FastifyReply, answer: WitnessAnswer): FastifyReply {
  if (answer.kind === 'cosigned') return reply.type(TEXT_TYPE).send(answer.line);
  if (answer.kind === 'size_differs') {
    // As bytes: to a text the media type would get a charset.
    return reply
      .code(409)
      .type(SIZE_TYPE)
      .send(Buffer.from(`${answer.size}\n`));
  }
  if (answer.kind === 'too_often') void reply.header('Retry-After', answer.retrySeconds);
  const { status, detail } = REFUSALS[answer.kind];
  return sendText(reply, status, detail);
}

function sendText(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply.code(status).type(TEXT_TYPE).send(`${detail}\n`);
}

function sendFailure(
  error: unknown,
  {
    request,
    reply,
  }: { readonly request: { readonly log: FailureLog }; readonly reply: FastifyReply },
): FastifyReply {
  if (error instanceof DatabaseError) {
    request.log.error({ err: error }, 'answering a request to the witness failed');
    void reply.header('Retry-After', RETRY_AFTER_SECONDS);
    return sendText(
      reply,
      503,
      'The state of the witness cannot be written; nothing was cosigned.',
    );
  }
  if (isFastifyError(error) && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return sendText(reply, 413, `The body is larger than ${BODY_BYTES_MAX} bytes.`);
  }
  throw error;
}

interface FailureLog {
  error(facts: object, text: string): void;
}
