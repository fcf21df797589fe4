// The common parts of the routes of watching: their dependencies, and the fields that name the
// subject of a page.
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import type { Clock } from '@lothub/kit/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import { TENANT_ID_PATTERN } from '../../http.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import type { Notices } from '../../lots/notices/notices.ts';
import { readGtin } from '../../lots/profiles/gs1.ts';
import type { WatchLinks } from '../../watching/links.ts';
import type { Target } from '../../watching/target.ts';
import { findTarget } from '../../watching/targets.ts';
import { LOT_CODE_MAX } from '../fragments.ts';

type Gate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface WatchRouteDeps {
  readonly hubName: string;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
  readonly store: Pick<LedgerStore, 'change' | 'reader' | 'write'>;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly links: WatchLinks;
  readonly hasMail: boolean;
  /** Whether the hub notifies devices. */
  readonly hasPush: boolean;
  /** Counts the requests of a client, on pages that read the database. */
  readonly gate: Gate;
  /** Counts those that may lead to a mail, or keep something. */
  readonly changesGate: Gate;
  /** Reads the endpoint of a browser; undefined when the hub may send no requests to it. */
  readonly readEndpoint: (text: string) => URL | undefined;
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: TEXT_PATTERN });
const GTIN_MAX = 14;

/** The fields that name the subject of a page. */
export const TARGET_FIELDS = {
  brand: Type.String({ pattern: TENANT_ID_PATTERN }),
  lot_code: Type.Optional(text(LOT_CODE_MAX)),
  gtin: Type.Optional(text(GTIN_MAX)),
  what: Type.Optional(Type.Union([Type.Literal('lot'), Type.Literal('product')])),
};

export interface TargetFields {
  readonly brand: string;
  readonly lot_code?: string;
  readonly gtin?: string;
  readonly what?: 'lot' | 'product';
}

/** @throws Refusal `not_found` */
export async function readTarget(
  { store, publicUrl }: Pick<WatchRouteDeps, 'store' | 'publicUrl'>,
  fields: TargetFields,
): Promise<Target> {
  const gtin = fields.gtin === undefined ? undefined : readGtin(fields.gtin);
  if (typeof gtin === 'object') throw new Refusal('not_found', gtin.fault);
  const { brand, lot_code: lotCode, what = 'lot' } = fields;
  const asked = { brand, lotCode, gtin, what };
  return await findTarget({ database: store.reader, publicUrl }, asked);
}
