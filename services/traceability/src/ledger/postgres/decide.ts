// Seals decisions on PostgreSQL, in the transaction of the change they belong to, on a connection
// of the serving thread. This process's writer treats them like blocks of another process.
import { systemClock } from '@lothub/kit/clock';
import type { PostgresTransaction } from '@lothub/kit/postgres/connection';
import { Sql } from 'sql-template-tag';
import { Appender } from '../append/appender.ts';
import { readTrusted } from '../append/trusted-time.ts';
import type { ClockTrust } from '../clock-trust.ts';
import { withHeights, type DecidedChange, type DecidedOutcome } from '../decisions/draft.ts';
import type { Tip } from '../draft.ts';
import { PostgresGroupRows } from './group-rows.ts';
import { takeHead, type TakenHead } from './take-head.ts';

/** Reads the head behind a lock on it. */
export function takeHeadToDecide(transaction: PostgresTransaction): Promise<TakenHead> {
  return takeHead(transaction, { known: undefined, attempted: undefined, signedSize: undefined });
}

/** One change; a transaction that lost against another one is made again. */
export class DecisionSealing {
  readonly #change: Pick<DecidedChange, 'decisions' | 'statements'>;
  readonly #clockTrust: ClockTrust;
  #blocks: readonly Tip[] = [];
  /** Statements that write blocks and their rows, before those of the change. */
  #own = 0;

  constructor(change: Pick<DecidedChange, 'decisions' | 'statements'>, clockTrust: ClockTrust) {
    this.#change = change;
    this.#clockTrust = clockTrust;
  }

  /** @throws DatabaseError `clock_untrusted` */
  statementsBehind({ head, databaseMs }: TakenHead): readonly Sql[] {
    const { decisions, statements } = this.#change;
    const rows = new PostgresGroupRows();
    const appender = new Appender({ rows });
    appender.begin(head, readTrusted(systemClock, { trust: this.#clockTrust, head, databaseMs }));
    const blocks = appender.decide(decisions);
    appender.end();
    const own = rows.statements();
    this.#blocks = blocks;
    this.#own = own.length;
    return [
      ...own,
      ...statements.map(({ strings, values }) => namingBlocks(strings, values, blocks)),
    ];
  }

  /** @param rows that each statement answered, in order */
  toOutcome(rows: readonly (readonly unknown[])[]): DecidedOutcome {
    return { kind: 'done', rows: rows.slice(this.#own), blocks: this.#blocks };
  }
}

function namingBlocks(
  strings: readonly string[],
  values: readonly unknown[],
  blocks: readonly Tip[],
): Sql {
  return new Sql(strings, withHeights(values, blocks));
}
