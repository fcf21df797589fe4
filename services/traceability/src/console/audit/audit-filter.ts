// The filter of the audit in the address of its page. Of an address that was written by hand, it takes what
// can be understood.
import { Type } from '@lothub/kit/json-schema';
import { instantText } from '@lothub/kit/clock';
import { textOrNothing } from '@lothub/design/form-values';
import type { Static } from 'typebox';
import { AUDIT_ACTIONS, AUDIT_ENTITY_TYPES } from '../../ledger/audit.ts';
import type { AuditAction, AuditEntityType } from '../../ledger/audit.ts';
import type { AuditFilter } from '../../ledger/audit-reader.ts';
import { dayIn } from '../filters.ts';

const TEXT_MAX = 400;
const DAY_MS = 24 * 60 * 60 * 1_000;

const FilterText = Type.Optional(Type.String({ maxLength: TEXT_MAX }));

/** The filters of the interface, and those by person and by day. */
export const AuditPageQuery = Type.Object({
  actor: FilterText,
  action: FilterText,
  entity_type: FilterText,
  entity_id: FilterText,
  from: FilterText,
  to: FilterText,
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});

/** The filters of an address; what cannot be understood is left out. */
export interface AskedFilters {
  readonly actor: string | undefined;
  readonly action: AuditAction | undefined;
  readonly entity_type: AuditEntityType | undefined;
  readonly entity_id: string | undefined;
  /** Days in UTC, both of them included. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export function readFilters(query: Static<typeof AuditPageQuery>): AskedFilters {
  return {
    actor: textOrNothing(query.actor)?.trim(),
    action: AUDIT_ACTIONS.find((one) => one === query.action),
    entity_type: AUDIT_ENTITY_TYPES.find((one) => one === query.entity_type),
    entity_id: textOrNothing(query.entity_id)?.trim(),
    from: dayIn(query.from),
    to: dayIn(query.to),
  };
}

export function buildFilter(tenantId: string, asked: AskedFilters): AuditFilter {
  const { from, to } = asked;
  return {
    tenantId,
    actor: asked.actor,
    action: asked.action,
    entityType: asked.entity_type,
    entityId: asked.entity_id,
    since: from === undefined ? undefined : instantText(Date.parse(from)),
    until: to === undefined ? undefined : instantText(Date.parse(to) + DAY_MS),
  };
}
