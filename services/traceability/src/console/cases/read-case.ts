// Reads what the page of a case shows from stored rows. The stored scope follows each event within a second,
// so nothing is traced again; amounts are those that were read last.
import { askTogether } from '@lothub/kit/database';
import { movesOfCase, countScope } from '../../recall/case/rows.ts';
import type { MoveRow, RecallCase, ScopeCounts } from '../../recall/case/rows.ts';
import { pageOfLotsByHand } from '../../recall/edit/answers.ts';
import { readEffectiveness, sumFigures } from '../../recall/outbox/effectiveness.ts';
import type { Effectiveness } from '../../recall/outbox/effectiveness.ts';
import type { KeptReach } from '../../recall/outbox/kept-reach.ts';
import { countNotifications, type NotificationCount } from '../../recall/outbox/notifications.ts';
import type { ConsoleDeps } from '../deps.ts';
import { searchScope } from './queries.ts';

/** Codes shown of the lots that came in or left since the opening. */
export const CODES_SHOWN_MAX = 10;

/** What is still out, and how many of those concerned were notified and have answered. */
export interface CaseStanding {
  readonly scope: ScopeCounts;
  readonly counts: readonly NotificationCount[];
  readonly figures: ReturnType<typeof sumFigures>;
  /** Undefined while the amounts of a large case are added up for the first time. */
  readonly amounts:
    { readonly asOf: string; readonly quantities: Effectiveness['quantities'] } | undefined;
}

export interface CaseRead extends CaseStanding {
  readonly moves: readonly MoveRow[];
  /** Codes of the first of them. */
  readonly added: readonly string[];
  readonly left: readonly string[];
  /** How many. */
  readonly byHand: Readonly<Record<'added' | 'excluded', number>>;
}

export async function readCase(
  deps: Pick<ConsoleDeps, 'database'>,
  kept: KeptReach,
  { brand, recallCase }: { readonly brand: string; readonly recallCase: RecallCase },
): Promise<CaseRead> {
  const { database } = deps;
  const { caseId } = recallCase;
  const byHandOf = { tenantId: brand, recallCase, after: undefined, limit: 1 };
  const reading = kept.of(caseId);
  // The code below that awaits it gets the error.
  reading.catch(() => undefined);
  const first = { caseId, text: undefined, above: 0, limit: CODES_SHOWN_MAX };
  const [scope, counts, moves, added, left] = await askTogether(database, (one) =>
    Promise.all([
      countScope(one, recallCase),
      countNotifications(one, caseId),
      movesOfCase(one, caseId),
      searchScope(one, { ...first, part: 'added' }),
      searchScope(one, { ...first, part: 'left' }),
    ]),
  );
  const byHand = async (said: 'added' | 'excluded'): Promise<number> =>
    (await pageOfLotsByHand(database, { ...byHandOf, said })).total;
  const found = await reading;
  const quantities =
    found === undefined
      ? undefined
      : (await readEffectiveness(database, { caseId, reach: found.reach })).quantities;
  return {
    ...{ scope, counts, moves, figures: sumFigures(counts) },
    byHand: { added: await byHand('added'), excluded: await byHand('excluded') },
    amounts:
      found === undefined || quantities === undefined
        ? undefined
        : { asOf: found.asOf, quantities },
    added: added.map(({ lotCode }) => lotCode),
    left: left.map(({ lotCode }) => lotCode),
  };
}
