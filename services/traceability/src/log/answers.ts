// Adds the log to the responses to writes: the proof of a block, or the head over many.
import type { FastifyRequest } from 'fastify';
import { escapedString, jsonText, type JsonText } from '@lothub/kit/http/schemas/json-text';
import { Type } from '@lothub/kit/json-schema';
import { readRequestHeader } from '../http.ts';
import type { Tip } from '../ledger/draft.ts';
import type { GroupLog, LogState } from '../ledger/log/signed-log.ts';
import type { PublicLog } from './public-log.ts';

/** Why an answer has no proof. */
const UNSIGNED_STATES = ['off', 'building', 'held'] as const;
type UnsignedState = (typeof UNSIGNED_STATES)[number];

interface Unsigned {
  readonly log: null;
  readonly log_state: UnsignedState;
}

/** The members of an answer that are about the log; none when its caller wants none. */
export type LogMembers<Log> =
  { readonly log: Log } | Unsigned | { readonly log?: never; readonly log_state?: never };

export interface LogProof {
  readonly origin: string;
  readonly index: number;
  readonly size: number;
  readonly witnessed: boolean;
  readonly proof: JsonText;
}

export interface LogHead {
  readonly origin: string;
  readonly size: number;
  readonly checkpoint: string;
}

export class LogAnswers {
  readonly #log: PublicLog;
  readonly #onError: (error: unknown) => void;

  /** @param options `onError` receives the reason why a stored block is returned without its proof */
  constructor(options: { readonly log: PublicLog; readonly onError: (error: unknown) => void }) {
    this.#log = options.log;
    this.#onError = options.onError;
  }

  /**
   * Never throws: the block is on disk, and its response must not deny that.
   * @param group the signatures of the block's group; undefined for a block that was stored before
   */
  async ofBlock(height: number, group: GroupLog | undefined): Promise<LogMembers<LogProof>> {
    const made = group?.proofs.find(({ index }) => index === height);
    return await this.#whileSigning(async (origin) => {
      if (group === undefined || made === undefined) return await this.#proofNow(origin, height);
      const { size } = group.checkpoint;
      // The response does not wait for witnesses: a block that was just committed has none yet.
      return { origin, index: height, size, witnessed: false, proof: made.text };
    }, group);
  }

  /**
   * Never throws, as `ofBlock`.
   * @param tip the newest block of the answer; `group` as of `ofBlock`
   */
  async ofTree(tip: Tip, group: GroupLog | undefined): Promise<LogMembers<LogHead>> {
    return await this.#whileSigning(async (origin) => {
      const size = tip.height + 1;
      const head = group?.checkpoint ?? (await this.#log.head({ size }));
      return { origin, size: head.size, checkpoint: head.note };
    }, group);
  }

  async #proofNow(origin: string, height: number): Promise<LogProof> {
    const { checkpoint, isWitnessed } = await this.#log.covering(height + 1);
    const { size, text } = await this.#log.proof(height, checkpoint);
    return { origin, index: height, size, witnessed: isWitnessed, proof: jsonText(text) };
  }

  async #whileSigning<Log>(
    make: (origin: string) => Promise<Log>,
    group: GroupLog | undefined,
  ): Promise<LogMembers<Log>> {
    const { identity, state } = this.#log;
    if (identity === undefined) return unsigned('off');
    if (group === undefined && state !== 'signing') return unsigned(state);
    try {
      return { log: await make(identity.origin) };
    } catch (error) {
      this.#onError(error);
      return unsigned(this.#log.state);
    }
  }
}

/** The log signs again by now: the proof was not available at that moment. */
function unsigned(state: LogState): Unsigned {
  return { log: null, log_state: state === 'signing' ? 'building' : state };
}

const MINIMAL = 'return=minimal';

/** Whether a caller leaves out values that it could read again (RFC 7240, section 4.2). */
export function prefersMinimal(request: FastifyRequest): boolean {
  const preferences = (readRequestHeader(request, 'prefer') ?? '').split(/[,;]/);
  return preferences.some((preference) => preference.trim().toLowerCase() === MINIMAL);
}

/** The headers of an answer that left it out. */
export const MINIMAL_APPLIED = { 'Preference-Applied': MINIMAL } as const;

/** OpenAPI: the preferences of a write. */
export const PreferHeader = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description: '`return=minimal` leaves `log` out of the answer',
      examples: [MINIMAL],
    }),
  ),
});

const logState = Type.Optional(
  Type.Enum([...UNSIGNED_STATES], {
    description:
      'Why `log` is null. `building`: not signed yet, the proof can be read later; `held`: the operator has ' +
      'to see to it; `off`: this hub keeps no log',
  }),
);

/** The members of the answer that has a proof. */
export const LOG_PROOF_MEMBERS = {
  log: Type.Optional(
    Type.Union([
      Type.Object(
        {
          origin: Type.String({ description: 'Name of the log' }),
          index: Type.Integer({ description: 'Of the entry; the height of the block' }),
          size: Type.Integer({ description: 'Blocks under the checkpoint' }),
          witnessed: Type.Boolean({
            description: 'Whether witnesses have cosigned it, as many as the hub asks for',
          }),
          proof: escapedString({
            description:
              'A whole proof file (C2SP tlog-proof): its entry is `chain.block_hash` as 32 bytes',
          }),
        },
        { title: 'LogProof', description: 'The block is in the public log: keep it' },
      ),
      Type.Null(),
    ]),
  ),
  log_state: logState,
};

/** The members of an answer about many blocks. */
export const LOG_HEAD_MEMBERS = {
  log: Type.Optional(
    Type.Union([
      Type.Object(
        {
          origin: Type.String({ description: 'Name of the log' }),
          size: Type.Integer({ description: 'Blocks under the checkpoint' }),
          checkpoint: Type.String({ description: 'A signed note (C2SP tlog-checkpoint)' }),
        },
        {
          title: 'LogHead',
          description:
            'A checkpoint over all of these blocks; read proofs at `/log/<epoch>/proof/<height>`',
        },
      ),
      Type.Null(),
    ]),
  ),
  log_state: logState,
};
