// What routes of watching share: what they are given, and what the part of a page says that it is about.
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import type { Clock } from '@lothub/kit/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import { TENANT_ID_PATTERN } from '../../http.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import type { Notices } from '../../lots/notices/notices.ts';
import { readGtin } from '../../lots/told/gs1.ts';
import type { WatchLinks } from '../../watching/links.ts';
import type { Target } from '../../watching/target.ts';
import { findTarget } from '../../watching/targets.ts';
import { LOT_CODE_MAX } from '../fragments.ts';

type Gate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface WatchRouteDeps {
  readonly hubName: string;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly store: Pick<LedgerStore, 'change' | 'reader' | 'write'>;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly links: WatchLinks;
  readonly hasMail: boolean;
  /** Whether devices are notified. */
  readonly hasPush: boolean;
  /** Counts the requests of a client, on pages that read the database. */
  readonly gate: Gate;
  /** Counts those that may lead to a mail, or keep something. */
  readonly changesGate: Gate;
  /** Whether an endpoint of a browser may be asked; as it is asked. */
  readonly readEndpoint: (text: string) => URL | undefined;
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: TEXT_PATTERN });
const GTIN_MAX = 14;

/** What the part of a page says that it is about. */
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
