// Sealing what was decided before on PostgreSQL: behind the lock on the head, so that of several processes
// that begin at the same time one seals a batch and the others wait.
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import { allInOrder } from '@lothub/kit/postgres/transaction';
import type { ClockTrust } from '../../clock-trust.ts';
import type { SealingLedger, SealingTransaction } from '../../decisions/existing/seal-existing.ts';
import { DecisionSealing, takeHeadToDecide } from '../decide.ts';

/** Time limit for the wait until another process has finished its batch, and for planning one. */
const LONG_MS = 600_000;

export class PostgresSealing implements SealingLedger {
  readonly reader: PostgresConnection;
  readonly #clockTrust: ClockTrust;

  constructor(connection: PostgresConnection, clockTrust: ClockTrust) {
    this.reader = connection;
    this.#clockTrust = clockTrust;
  }

  inTransaction<Result>(work: (open: SealingTransaction) => Promise<Result>): Promise<Result> {
    return this.reader.transaction(async (transaction) => {
      await transaction.execute(
        `set local lock_timeout = ${LONG_MS}; set local statement_timeout = ${LONG_MS}`,
      );
      const taken = await takeHeadToDecide(transaction);
      return await work({
        all: transaction.all,
        first: transaction.first,
        seal: async (batch) => {
          const sealing = new DecisionSealing(batch, this.#clockTrust);
          await allInOrder(transaction, sealing.statementsBehind(taken));
        },
      });
    });
  }
}
