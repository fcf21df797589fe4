// What the contracts of both engines ask of what is kept beside the chain: imports with their mappings, and webhooks with
// what is looked at for them. Guards are asked, too: a change is made where one of them finds its row.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import sql from 'sql-template-tag';
import {
  findWebhook,
  readWebhooks,
  whileKept,
  whileSet,
  whileWebhooksBelow,
} from '@lothub/delivery/webhook/webhook-queries';
import { whileEnded } from '@lothub/delivery/outbox/delivery-queries';
import { DELIVERY_STATUSES } from '@lothub/delivery/outbox/status';
import { WITH_ERRORS } from '../../src/csv-import/kept/import-filter.ts';
import * as imports from '../../src/csv-import/kept/imports.ts';
import * as mappings from '../../src/csv-import/kept/mappings.ts';
import { IMPORT_STATES } from '../../src/ledger/tables/imports.ts';
import { WEBHOOK_EVENTS } from '../../src/ledger/webhooks/event-types.ts';
import * as lookQueries from '../../src/webhooks/look-queries.ts';
import { LOOKS } from '../../src/webhooks/look-queries.ts';
import { OUTBOX } from '../../src/webhooks/outbox.ts';
import { deliveryFacts } from '../../src/webhooks/queries.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly tenantIds: readonly string[];
  readonly heights: readonly number[];
}

const LIMITS = [1, 50];
/** Before and after whatever the ledger has of imports; for the last, all that runs is silent. */
const MOMENTS_MS = [0, Date.parse('2026-03-04T00:00:00Z'), Date.parse('2999-01-01T00:00:00Z')];
const IMPORT_IDS = ['imp_1', 'imp_2', 'nothing'];
const STATES = [undefined, WITH_ERRORS, ...IMPORT_STATES] as const;
const SINCE = [undefined, '2026-03-04T00:00:00.000Z', '9999'];

async function idsIn(database: DatabaseReader, query: Sql): Promise<readonly string[]> {
  return (await database.all<{ readonly id: string }>(query)).map(({ id }) => id);
}

const webhookIds = (database: DatabaseReader): Promise<readonly string[]> =>
  idsIn(database, sql`select id from webhooks order by id limit 100`);
const deliveryIds = (database: DatabaseReader): Promise<readonly string[]> =>
  idsIn(database, sql`select id from webhook_deliveries order by id limit 100`);

/** Asks for each webhook, and for one that is not there. */
function ofWebhooks(
  ask: (database: DatabaseReader, webhookId: string) => Promise<unknown>,
): Question {
  return async ({ database }) => {
    const answers: unknown[] = [];
    for (const id of [...(await webhookIds(database)), 'nothing'])
      answers.push((await ask(database, id)) ?? 'none');
    return answers;
  };
}

export function offChainContracts(given: () => Given) {
  const tenants = (): readonly string[] => [...given().tenantIds, 'nobody', "o'"];
  return [
    {
      file: 'csv-import/kept/imports.ts',
      subjects: {
        findImport: imports.findImport,
        listImports: imports.listImports,
        countImportsWithErrors: imports.countImportsWithErrors,
      },
      questions: {
        *findImport(): Iterable<Question> {
          for (const tenantId of tenants())
            for (const importId of IMPORT_IDS)
              for (const nowMs of MOMENTS_MS)
                yield async ({ database }) =>
                  (await imports.findImport(database, { tenantId, importId, nowMs })) ?? 'none';
        },
        *listImports(): Iterable<Question> {
          for (const tenantId of ['acme', 'nobody'])
            for (const state of STATES)
              for (const since of SINCE)
                for (const before of [null, 'imp_2'])
                  for (const nowMs of MOMENTS_MS)
                    yield ({ database }) =>
                      imports.listImports(database, {
                        ...{ tenantId, before, nowMs, limit: 5 },
                        filter: { state, since },
                      });
        },
        *countImportsWithErrors(): Iterable<Question> {
          for (const tenantId of tenants())
            for (const since of ['', '9999'])
              for (const nowMs of MOMENTS_MS)
                for (const limit of LIMITS)
                  yield ({ database }) =>
                    imports.countImportsWithErrors(database, { tenantId, since, nowMs, limit });
        },
      },
    },
    {
      file: 'csv-import/kept/mappings.ts',
      subjects: { findMapping: mappings.findMapping },
      questions: {
        *findMapping(): Iterable<Question> {
          for (const tenantId of tenants())
            for (const headers of [['Charge', 'Menge'], ['Menge', 'Charge'], ['Charge'], []])
              yield async ({ database }) =>
                (await mappings.findMapping(database, { tenantId, headers })) ?? 'none';
        },
      },
    },
    {
      file: 'webhooks/queries.ts',
      subjects: {
        ...{ readWebhooks, findWebhook, deliveryFacts },
        ...{ whileWebhooksBelow, whileSet, whileKept, whileEnded },
      },
      questions: {
        *readWebhooks(): Iterable<Question> {
          for (const groupId of tenants())
            for (const limit of LIMITS)
              yield ({ database }) => readWebhooks(OUTBOX, database, { groupId, limit });
        },
        *findWebhook(): Iterable<Question> {
          for (const groupId of tenants())
            yield ofWebhooks((database, webhookId) =>
              findWebhook(OUTBOX, database, { groupId, webhookId }),
            );
        },
        *deliveryFacts(): Iterable<Question> {
          yield async ({ database }) => {
            const ids = [...(await deliveryIds(database)), 'nothing'];
            return [...(await deliveryFacts(database, ids))];
          };
          yield async ({ database }) => [...(await deliveryFacts(database, []))];
        },
        *whileWebhooksBelow(): Iterable<Question> {
          for (const groupId of tenants())
            for (const webhooksMax of [0, 1, 2])
              yield ({ database }) =>
                database.all(whileWebhooksBelow(OUTBOX, { groupId, webhooksMax }));
        },
        *whileSet(): Iterable<Question> {
          for (const change of [{}, { name: 'other' }, { status: 'paused' as const }])
            yield ofWebhooks(async (database, webhookId) => {
              const [groupId = ''] = tenants();
              const [webhook] = await readWebhooks(OUTBOX, database, { groupId, limit: 1 });
              if (webhook === undefined) return 'none';
              const settings = { ...webhook, ...change };
              return await database.all(whileSet(OUTBOX, webhookId, settings));
            });
        },
        *whileKept(): Iterable<Question> {
          yield ofWebhooks((database, webhookId) => database.all(whileKept(OUTBOX, webhookId)));
        },
        *whileEnded(): Iterable<Question> {
          for (const status of DELIVERY_STATUSES)
            yield ofWebhooks(async (database, receiverId) => {
              const answers: unknown[] = [];
              for (const deliveryId of [...(await deliveryIds(database)), 'nothing']) {
                const delivery = { receiverId, deliveryId, status };
                answers.push(await database.all(whileEnded(OUTBOX, delivery)));
              }
              return answers;
            });
        },
      },
    },
    {
      file: 'webhooks/look-queries.ts',
      subjects: {
        findPosition: lookQueries.findPosition,
        whileAt: lookQueries.whileAt,
        breachesAbove: lookQueries.breachesAbove,
        lotsOfBreach: lookQueries.lotsOfBreach,
        alarmsAbove: lookQueries.alarmsAbove,
        brandsToNotify: lookQueries.brandsToNotify,
        isReported: lookQueries.isReported,
        whileNotReported: lookQueries.whileNotReported,
      },
      questions: {
        *findPosition(): Iterable<Question> {
          for (const look of LOOKS)
            for (const type of WEBHOOK_EVENTS)
              yield async ({ database }) =>
                (await lookQueries.findPosition(database, look, type)) ?? 'none';
        },
        *whileAt(): Iterable<Question> {
          for (const look of LOOKS)
            for (const position of [0, ...given().heights])
              yield ({ database }) => database.all(lookQueries.whileAt(look, position));
        },
        *breachesAbove(): Iterable<Question> {
          for (const height of [0, 40, 1_000_000])
            for (const limit of LIMITS)
              yield ({ database }) => lookQueries.breachesAbove(database, { height, limit });
        },
        *lotsOfBreach(): Iterable<Question> {
          for (const height of given().heights)
            for (const limit of LIMITS)
              yield ({ database }) => lookQueries.lotsOfBreach(database, { height, limit });
        },
        *alarmsAbove(): Iterable<Question> {
          for (const id of [0, 1, 1_000_000])
            for (const limit of LIMITS)
              yield ({ database }) => lookQueries.alarmsAbove(database, { id, limit });
        },
        *brandsToNotify(): Iterable<Question> {
          for (const type of WEBHOOK_EVENTS)
            for (const after of ['', ...tenants()])
              yield ({ database }) =>
                lookQueries.brandsToNotify(database, { type, after, limit: 50 });
        },
        *isReported(): Iterable<Question> {
          for (const name of [...LOOKS, 'nothing'])
            yield async ({ database }) =>
              `reported: ${await lookQueries.isReported(database, name)}`;
        },
        *whileNotReported(): Iterable<Question> {
          for (const name of [...LOOKS, 'nothing'])
            yield ({ database }) => database.all(lookQueries.whileNotReported(name));
        },
      },
    },
  ];
}
