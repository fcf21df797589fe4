// POST /v1/corrections (interface document, sections 2 and 4; service page, section 6).
import { compileAllButBody } from '@lothub/kit/http/schemas/compilers';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { FieldsRefusal } from '../errors.ts';
import { RULE_BROKEN, TOO_LARGE, V1_ERRORS, V1_SECURITY, callerOf } from '../http.ts';
import type { App } from '../http.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { correctionSummary } from '../ledger/record/payload.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { MINIMAL_APPLIED, PreferHeader, prefersMinimal } from '../log/answers.ts';
import type { LogAnswers, LogMembers, LogProof } from '../log/answers.ts';
import { checkRequest } from './check-request.ts';
import { correctEvent } from './correct.ts';
import type { Corrected } from './correct.ts';
import { CorrectionAnswerSchema, CorrectionSchema } from './schema.ts';
import type { CorrectionAnswer } from './schema.ts';

export interface CorrectionRouteDeps {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly logAnswers: LogAnswers;
}

export function correctionRoutes(app: App, deps: CorrectionRouteDeps): void {
  const { store, reader, state, logAnswers } = deps;

  app.post(
    '/v1/corrections',
    {
      // `checkRequest` finds wrong values along with wrong shapes.
      validatorCompiler: compileAllButBody,
      schema: {
        tags: ['Corrections'],
        operationId: 'correctEvent',
        summary: 'Say what was wrong in an earlier event',
        description:
          'Appends a `CORRECTION` block; the earlier event and its block stay as they are. ' +
          'Every `old_value` must be the value that counts now. `status` from `accepted` to ' +
          '`voided` says that the event did not happen.',
        security: V1_SECURITY,
        headers: PreferHeader,
        body: CorrectionSchema,
        response: {
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
      const corrected = await correctEvent(checked.request, {
        tenantId: request.tenantId,
        caller: callerOf(request, checked.request.requested_by),
        store,
        reader,
        newSalt,
      });
      const isMinimal = prefersMinimal(request);
      if (isMinimal) void reply.headers(MINIMAL_APPLIED);
      const log = isMinimal ? {} : await logAnswers.ofBlock(corrected.block.height, corrected.log);
      return await reply.code(201).send(correctionAnswer(corrected, { state, log }));
    },
  );
}

function correctionAnswer(
  corrected: Corrected,
  { state, log }: { readonly state: ChainState; readonly log: LogMembers<LogProof> },
): CorrectionAnswer {
  const { target, plan, block, tip } = corrected;
  return {
    id: block.height,
    status: 'accepted',
    event_type: 'CORRECTION',
    corrects_event_id: target.height,
    corrects_block_height: target.height,
    corrects_block_hash: target.hash,
    changes: plan.changes.map((change) => ({ ...change })),
    chain: {
      height: tip.height,
      tip_hash: tip.hash,
      chain_valid: state.valid,
      block_height: block.height,
      block_hash: block.hash,
      tx_count: plan.changes.length,
      summary: correctionSummary({ changes: plan.changes, corrects_event_id: target.height }),
    },
    ...log,
    ...(plan.warnings.length === 0 ? {} : { warnings: [...plan.warnings] }),
  };
}
