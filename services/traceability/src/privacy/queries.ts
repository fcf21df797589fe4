// Finds what is kept of one customer of one tenant. Pages go by the place on the chain, each with a
// limit; rows of other tenants with the same reference are passed over by the caller.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { CONFIDENTIAL_PARTS } from '../ledger/record/decisions/confidential.ts';
import { CUSTOMER } from '../ledger/record/delivery.ts';
import sql from 'sql-template-tag';
import type { ChangePlace, LinePlace } from './plan-erasure.ts';

export interface CustomerLineRow extends LinePlace {
  readonly tenantNo: number;
  /** Corrections of the event. */
  readonly corrections: number;
}

/** Lines as they were sealed that name the customer, behind a place and not after a block. */
export async function linesOfCustomer(
  database: DatabaseReader,
  page: {
    readonly customerRef: string;
    readonly after: LinePlace;
    readonly through: number;
    readonly limit: number;
  },
): Promise<readonly CustomerLineRow[]> {
  return await database.all<CustomerLineRow>(sql`
    select p.height, p.line_no as "lineNo", e.tenant_no as "tenantNo",
      e.correction_count as corrections
    from private_lines p
    join events e on e.height = p.height
    where ${CUSTOMER} = ${page.customerRef}
      and (p.height, p.line_no) > (${page.after.height}, ${page.after.lineNo})
      and p.height <= ${page.through}
    order by p.height, p.line_no
    limit ${page.limit}`);
}

export interface CustomerChangeRow extends ChangePlace {
  readonly tenantNo: number;
  readonly correctsHeight: number;
}

/** The side of a change that names the customer. */
export type ChangeSide = 'from' | 'to';

/** Private changes that name the customer, behind a place and not after a block. */
export async function changesOfCustomer(
  database: DatabaseReader,
  page: {
    readonly customerRef: string;
    readonly side: ChangeSide;
    readonly after: ChangePlace;
    readonly through: number;
    readonly limit: number;
  },
): Promise<readonly CustomerChangeRow[]> {
  // In the words of the indexes, which hold no text that is longer.
  const named =
    page.side === 'from'
      ? sql`p.from_text = ${page.customerRef} and length(p.from_text) <= 200`
      : sql`p.to_text = ${page.customerRef} and length(p.to_text) <= 200`;
  return await database.all<CustomerChangeRow>(sql`
    select p.height, p.change_no as "changeNo", c.tenant_no as "tenantNo",
      c.corrects_height as "correctsHeight"
    from private_changes p
    join corrections c on c.height = p.height
    where ${named}
      and (p.height, p.change_no) > (${page.after.height}, ${page.after.changeNo})
      and p.height <= ${page.through}
    order by p.height, p.change_no
    limit ${page.limit}`);
}

/** The ones among some events whose notes quote a text. */
export async function notesQuoting(
  database: DatabaseReader,
  asked: { readonly text: string; readonly heights: readonly number[] },
): Promise<readonly number[]> {
  const rows = await database.all<{ readonly height: number }>(sql`
    select height
    from private_notes
    where height in (${inList(asked.heights)}) and replace(notes, ${asked.text}, '') <> notes`);
  return rows.map((row) => row.height);
}

/** A page of blocks of a tenant, above one and not above another. */
interface QuotePage {
  readonly tenantNo: number;
  readonly text: string;
  readonly above: number;
  readonly through: number;
  readonly limit: number;
}

export interface QuoteRow {
  /** Height of the event. */
  readonly height: number;
  /** Whether the text is in it; 0 for an event without private notes. */
  readonly quotes: 0 | 1;
}

/** Events of a tenant, with whether their private notes as sealed hold a text. */
export async function sealedQuotes(
  database: DatabaseReader,
  page: QuotePage,
): Promise<readonly QuoteRow[]> {
  return await database.all<QuoteRow>(sql`
    select e.height,
      exists (
        select 1 from private_notes n
        where n.height = e.height and replace(n.notes, ${page.text}, '') <> n.notes
      ) as quotes
    from (
      select height
      from events
      where tenant_no = ${page.tenantNo} and height > ${page.above} and height <= ${page.through}
      order by height
      limit ${page.limit}
    ) e
    order by e.height`);
}

export interface ChangeQuoteRow extends QuoteRow {
  readonly correctsHeight: number;
}

/** Corrections of a tenant, with whether a private change of them holds a text; of any field. */
export async function changeQuotes(
  database: DatabaseReader,
  page: QuotePage,
): Promise<readonly ChangeQuoteRow[]> {
  return await database.all<ChangeQuoteRow>(sql`
    select c.height, c.corrects_height as "correctsHeight",
      exists (
        select 1 from private_changes p
        where p.height = c.height
          and (
            replace(p.from_text, ${page.text}, '') <> p.from_text
            or replace(p.to_text, ${page.text}, '') <> p.to_text
          )
      ) as quotes
    from (
      select height, corrects_height
      from corrections
      where tenant_no = ${page.tenantNo} and height > ${page.above} and height <= ${page.through}
      order by height
      limit ${page.limit}
    ) c
    order by c.height`);
}

export interface CustomerNotificationRow {
  readonly id: number;
  readonly caseNo: string;
}

/** Notices of a tenant's cases that are addressed to a customer. */
export async function notificationsToCustomer(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number;
    readonly customerRef: string;
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly CustomerNotificationRow[]> {
  return await database.all<CustomerNotificationRow>(sql`
    select n.notification_id as id, c.case_no as "caseNo"
    from recall_notifications n
    join recall_cases c on c.case_id = n.case_id
    where n.audience = 'customer' and n.recipient = ${page.customerRef}
      and c.tenant_no = ${page.tenantNo} and n.notification_id > ${page.above}
    order by n.notification_id
    limit ${page.limit}`);
}

export interface BlockWithRecipients {
  readonly height: number;
  readonly canonical: string;
  /** What a confidential block committed to. */
  readonly parts: string | null;
}

/** Blocks of a case of a tenant that name recipients. */
export async function blocksWithRecipients(
  database: DatabaseReader,
  page: {
    readonly tenantId: string;
    readonly caseNo: string;
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly BlockWithRecipients[]> {
  return await database.all<BlockWithRecipients>(sql`
    select d.height, b.canonical, p.value as parts
    from decisions d
    join blocks b on b.height = d.height
    left join private_decisions p on p.height = d.height and p.name = ${CONFIDENTIAL_PARTS}
    where d.tenant_id = ${page.tenantId} and d.type = 'recall' and d.subject = ${page.caseNo}
      and d.height > ${page.above}
      and (b.canonical like '%"concerned":[%' or p.value like '%"concerned":[%')
    order by d.height
    limit ${page.limit}`);
}

/** Blocks that say what became of notifications to a customer of a tenant, and name it. */
export async function responsesToCustomer(
  database: DatabaseReader,
  page: {
    readonly tenantId: string;
    readonly customerRef: string;
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly { readonly height: number }[]> {
  return await database.all<{ readonly height: number }>(sql`
    select p.height
    from private_decisions p
    join decisions d on d.height = p.height
    join private_decisions a on a.height = p.height and a.name = 'audience' and a.value = 'customer'
    where p.name = 'recipient' and length(p.value) <= 200 and p.value = ${page.customerRef}
      and p.height > ${page.above} and d.type = 'response' and d.tenant_id = ${page.tenantId}
    order by p.height
    limit ${page.limit}`);
}

/** What opens a commitment of an event: that of a line, or of its notes. */
export type SealedOpening = { readonly salt: string } & (
  | {
      readonly lineNo: number;
      readonly customerRef: string | null;
      readonly channel: string | null;
      readonly consigneeRef: string | null;
    }
  | { readonly lineNo: null; readonly notes: string }
);

/** An event has at most a thousand lines. */
export async function sealedOpenings(
  database: DatabaseReader,
  height: number,
): Promise<readonly SealedOpening[]> {
  return await database.all<SealedOpening>(sql`
    select line_no as "lineNo", customer_ref as "customerRef", channel,
      consignee_ref as "consigneeRef", null as notes, salt
    from private_lines
    where height = ${height}
    union all
    select null, null, null, null, notes, salt
    from private_notes
    where height = ${height}`);
}

export interface ChangeOpening extends ChangePlace {
  readonly from: string | null;
  readonly to: string | null;
  readonly salt: string;
}

/** Reads the openings of private changes of some corrections. */
export async function changeOpenings(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly ChangeOpening[]> {
  return await database.all<ChangeOpening>(sql`
    select height, change_no as "changeNo", from_text as "from", to_text as "to", salt
    from private_changes
    where height in (${inList(heights)})`);
}
