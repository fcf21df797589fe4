// POST /v1/corrections and /v1/corrections/batch (docs/interface/traceability.md#corrections).
import { compileAllButBody } from '@lothub/kit/http/schemas/compilers';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { FieldsRefusal } from '../errors.ts';
import { BATCH_BYTES_MAX, BATCH_CALL } from '../events/schema.ts';
import { ON_ERROR_DEFAULT } from '../terms.ts';
import { correctBatch, correctionsOfBatch } from './batch.ts';
import { RULE_BROKEN, TOO_LARGE, V1_ERRORS, V1_SECURITY, buildCaller, type App } from '../http.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { correctionSummary } from '../ledger/record/payload.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { MINIMAL_APPLIED, PreferHeader, prefersMinimal } from '../log/answers.ts';
import type { LogAnswers, LogMembers, LogProof } from '../log/answers.ts';
import { checkRequest } from './check-request.ts';
import { correctEvent } from './correct.ts';
import {
  BATCH_CORRECTIONS_MAX,
  CorrectionAnswerSchema,
  CorrectionBatchSchema,
  CorrectionSchema,
} from './schema.ts';
import type { CorrectionAnswer } from './schema.ts';

export interface CorrectionRouteDeps {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly logAnswers: LogAnswers;
}

export function correctionRoutes(app: App, deps: CorrectionRouteDeps): void {
  const { store, reader, state, logAnswers } = deps;
  batchRoute(app, deps);

  app.post(
    '/v1/corrections',
    {
      config: { keyNeeds: 'all' },
      // `checkRequest` finds wrong values along with wrong shapes.
      validatorCompiler: compileAllButBody,
      schema: {
        tags: ['Corrections'],
        operationId: 'correctEvent',
        summary: 'Say what was wrong in an earlier event',
        description:
          'Appends a `CORRECTION` block; the earlier event and its block stay as they are. ' +
          'Every `old_value` must be the value that counts now. `status` from `accepted` to ' +
          '`voided` says that the event did not happen. A retry with the same `external_id` and the same ' +
          'content answers 200 with `Idempotent-Replay: true`.',
        security: V1_SECURITY,
        headers: PreferHeader,
        body: CorrectionSchema,
        response: {
          200: CorrectionAnswerSchema,
          201: CorrectionAnswerSchema,
          ...RULE_BROKEN,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const checked = checkRequest(request.body);
      if (checked.kind === 'invalid') throw new FieldsRefusal(checked.errors);
      const isMinimal = prefersMinimal(request);
      const corrected = await correctEvent(checked.request, {
        wantsProofs: !isMinimal,
        tenantId: request.tenantId,
        caller: buildCaller(request, checked.request.requested_by),
        store,
        reader,
        newSalt,
      });
      if (isMinimal) void reply.headers(MINIMAL_APPLIED);
      const log = isMinimal ? {} : await logAnswers.ofBlock(corrected.block.height, corrected.log);
      const externalId = checked.request.external_id ?? null;
      const answer = correctionAnswer(corrected, { externalId, state, log });
      if (corrected.kind === 'appended') return await reply.code(201).send(answer);
      return await reply.code(200).header('Idempotent-Replay', 'true').send(answer);
    },
  );
}

function batchRoute(app: App, deps: CorrectionRouteDeps): void {
  const { store, reader, state, logAnswers } = deps;
  app.post(
    '/v1/corrections/batch',
    {
      config: { keyNeeds: 'all' },
      bodyLimit: BATCH_BYTES_MAX,
      // Correction by correction, as of events.
      validatorCompiler: compileAllButBody,
      schema: {
        tags: ['Corrections'],
        operationId: 'correctEvents',
        summary: 'Correct several events in one call',
        description:
          'All or nothing by default; `on_error=proceed` keeps the good ones. Of one event each is ' +
          'judged after those before it. At most ' +
          `${BATCH_CORRECTIONS_MAX} corrections and ${BATCH_BYTES_MAX} bytes. A duplicate is a success.`,
        ...BATCH_CALL,
        body: CorrectionBatchSchema,
      },
    },
    async (request, reply) => {
      const isMinimal = prefersMinimal(request);
      const answer = await correctBatch({
        tenantId: request.tenantId,
        callerFor: (requestedBy) => buildCaller(request, requestedBy),
        corrections: correctionsOfBatch(request.body),
        onError: request.query.on_error ?? ON_ERROR_DEFAULT,
        store,
        reader,
        state,
        newSalt,
        logAnswers: isMinimal ? undefined : logAnswers,
      });
      if (isMinimal) void reply.headers(MINIMAL_APPLIED);
      return await reply.code(answer.accepted > 0 ? 201 : 200).send(answer);
    },
  );
}

function correctionAnswer(
  corrected: Awaited<ReturnType<typeof correctEvent>>,
  {
    externalId,
    state,
    log,
  }: {
    readonly externalId: string | null;
    readonly state: ChainState;
    readonly log: LogMembers<LogProof>;
  },
): CorrectionAnswer {
  const { target, changes, warnings, block, tip } = corrected;
  return {
    id: block.height,
    ...(externalId === null ? {} : { external_id: externalId }),
    status: 'accepted',
    event_type: 'CORRECTION',
    corrects_event_id: target.height,
    corrects_block_height: target.height,
    corrects_block_hash: target.hash,
    changes: changes.map((change) => ({ ...change })),
    chain: {
      height: tip.height,
      tip_hash: tip.hash,
      chain_valid: state.valid,
      block_height: block.height,
      block_hash: block.hash,
      tx_count: changes.length,
      summary: correctionSummary({ changes, corrects_event_id: target.height }),
    },
    ...log,
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}
