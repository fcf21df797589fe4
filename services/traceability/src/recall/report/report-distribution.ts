// The sections of a report on where the goods are: who received them and who supplied them, how much
// is accounted for, who was notified and has answered.
import { html, type Html } from '@lothub/kit/html';
import { code } from '../../web/fragments.ts';
import { channelWords } from '../../web/labels.ts';
import type { Audience } from '../notification-status.ts';
import type { CaseReport, ReportCustomer, ReportNotification } from './case-report.ts';
import {
  ENGLISH,
  amount,
  amounts,
  count,
  formatTotal,
  grouped,
  listTable,
  minute,
  minuteOr,
  words,
  wordsOr,
} from './report-fragments.ts';
import type { Part } from './report-fragments.ts';
import type { ReconciliationRow } from './reconciliation.ts';

export function distributionSection(report: CaseReport): Part {
  const { caseNo } = report;
  const all = html`All of them: ${code(`GET /v1/recall/cases/${caseNo}`)} and the chain of each lot,
  ${code('GET /v1/lots/{lot_code}/chain')}.`;
  return [
    html`<p>As the recalling firm has recorded it. Customers are confidential.</p>`,
    listTable(report.customers, {
      caption: `Customers (${formatTotal(report.customers)}), one row for each unit`,
      columns: [
        { head: 'Customer', share: 24 },
        { head: 'Lots', share: 7, align: 'number' },
        { head: 'Quantity', share: 14, align: 'number' },
        { head: 'Channels', share: 21 },
        { head: 'First sold', share: 17 },
        { head: 'Last sold', share: 17 },
      ],
      row: (customer) => [
        renderCustomer(customer),
        count(customer.lots),
        amount(customer.amount),
        renderTexts(customer.channels),
        minute(customer.firstSoldAt),
        minute(customer.lastSoldAt),
      ],
      none: 'No sale of these lots names a customer.',
      rest: all,
    }),
    listTable(report.channels, {
      caption: `Channels (${formatTotal(report.channels)})`,
      columns: [
        { head: 'Channel, as recorded', share: 50 },
        { head: 'Kind', share: 50 },
      ],
      row: (channel) => [words(channel.channel), channelWords(channel.channelClass, ENGLISH)],
      none: 'No sale of these lots names a channel.',
      rest: all,
    }),
    listTable(report.shipments, {
      caption: `Shipments (${formatTotal(report.shipments)})`,
      columns: [
        { head: 'When', share: 17 },
        { head: 'From', share: 13 },
        { head: 'Reference', share: 16 },
        { head: 'Lot', share: 21 },
        { head: 'Product', share: 14 },
        { head: 'Quantity', share: 11, align: 'number' },
        { head: 'Block', share: 8, align: 'number' },
      ],
      row: (shipment) => [
        minute(shipment.occurredAt),
        words(shipment.location),
        words(shipment.reference),
        code(shipment.lotCode),
        code(shipment.productSku),
        amount(shipment),
        count(shipment.height),
      ],
      none: 'No shipment of these lots is recorded.',
      rest: all,
    }),
    listTable(report.suppliers, {
      caption: `Suppliers’ lots that came into covered lots (${formatTotal(report.suppliers)})`,
      columns: [
        { head: 'Supplier', share: 22 },
        { head: 'Origin', share: 18 },
        { head: 'Supplier’s lot', share: 20 },
        { head: 'Product', share: 15 },
        { head: 'Came into', share: 25 },
      ],
      row: (supplier) => [
        wordsOr(supplier.supplier_name, 'not recorded'),
        wordsOr(supplier.origin_facility, 'not recorded'),
        supplier.supplier_lot_code === null ? 'not recorded' : code(supplier.supplier_lot_code),
        code(supplier.productSku),
        html`${supplier.lotCodes.items.map(
          (lotCode, index) => html`${index === 0 ? null : ', '}${code(lotCode)}`,
        )}${
          supplier.lotCodes.total > supplier.lotCodes.items.length
            ? html` and ${count(supplier.lotCodes.total - supplier.lotCodes.items.length)} more`
            : null
        }`,
      ],
      none: 'No provenance of these lots is recorded.',
      rest: all,
    }),
  ];
}

function renderCustomer({ customerRef }: ReportCustomer): Html {
  return wordsOr(customerRef, 'erased');
}

function renderTexts(texts: readonly string[]): Html {
  if (texts.length === 0) return html`–`;
  return html`${texts.map((text, index) => html`${index === 0 ? null : ', '}${words(text)}`)}`;
}

export function reconciliationSection(report: CaseReport): Part {
  const isOver = report.reconciliation.items.some(({ overIssued }) => overIssued !== '0');
  return [
    listTable(report.reconciliation, {
      caption: 'What is accounted for, over all covered lots, for each product and unit',
      columns: [
        { head: 'Product, unit', share: 20 },
        { head: 'Supplied', share: 11, align: 'number' },
        { head: 'On hand', share: 10, align: 'number' },
        { head: 'Used', share: 9, align: 'number' },
        { head: 'Disposed', share: 10, align: 'number' },
        { head: 'Distributed', share: 13, align: 'number' },
        { head: 'of it answered', share: 12, align: 'number' },
        { head: 'Accounted for', share: 15, align: 'number' },
      ],
      row: (row) => [
        html`${code(row.productSku)}, ${words(row.unit)}`,
        grouped(row.supplied),
        grouped(row.onHand),
        grouped(row.used),
        grouped(row.disposed),
        grouped(row.distributed),
        grouped(row.answered),
        accountedFor(row),
      ],
      none: 'Nothing of these lots was moved.',
      rest: html`The lots of the others are in the table of lots.`,
    }),
    html`<div class="note keep">
      <p>
        Quantities of different products or units are never added to each other.
        <strong>Supplied</strong>: received − returned + produced + packed.
        <strong>On hand</strong>: what remains. <strong>Used</strong>: consumed or packed into other
        lots, which are covered in their own rows when the case goes downstream.
        <strong>Disposed</strong>: as recorded. <strong>Distributed</strong>: of each lot the larger
        of shipped and sold, because what is sold was shipped before. <strong>Answered</strong>:
        sold to customers whose notification is acknowledged or resolved.
      </p>
      <p>
        <strong>Accounted for</strong> = (supplied − distributed without an answer) ÷ supplied,
        rounded down. Supplied = on hand + used + disposed + distributed − over-issued.
      </p>
      ${
        isOver
          ? html`<p>
              <strong>Over-issued</strong>: more went out of some lots than came into them. What was
              recorded of them is incomplete, and so is their share.
            </p>`
          : null
      }
    </div>`,
  ];
}

function accountedFor({ percent, overIssued }: ReconciliationRow): Html {
  if (overIssued === '0') {
    return percent === null ? html`–` : html`<strong>${percent} %</strong>`;
  }
  const share = percent === null ? html`–` : html`at most <strong>${percent} %</strong>`;
  return html`${share}<br />over-issued ${grouped(overIssued)}`;
}

const AUDIENCE_WORDS: Readonly<Record<Audience, string>> = {
  customer: 'customer',
  channel: 'channel',
  supplier: 'supplier',
  internal_qa: 'quality assurance',
  regulator: 'authority',
  public: 'the public',
};

/** Audiences of which a case has one: the recipient says no more. */
const SINGLE: ReadonlySet<Audience> = new Set<Audience>(['internal_qa', 'regulator', 'public']);

export function notificationSection(report: CaseReport): Part {
  const { answers, caseNo } = report;
  const figures: readonly (readonly [string, number])[] = [
    ['to be notified', answers.notifications],
    ['have been notified', answers.notified],
    ['have answered', answers.responded],
    ['silent', answers.silent],
  ];
  return [
    html`<dl class="figures">
      ${figures.map(
        ([label, figure]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${count(figure)}</dd>
          </div>`,
      )}
    </dl>`,
    listTable(report.notifications, {
      caption: `Notifications (${formatTotal(report.notifications)})`,
      columns: [
        { head: 'To', share: 20 },
        { head: 'Lots', share: 7, align: 'number' },
        { head: 'Quantity', share: 10, align: 'number' },
        { head: 'State', share: 13 },
        { head: 'Sent', share: 16 },
        { head: 'Answered', share: 16 },
        { head: 'Answer', share: 18 },
      ],
      row: (notification) => [
        renderRecipient(notification),
        count(notification.lots),
        amounts(notification.amounts),
        notification.status,
        minuteOr(notification.sentAt, '–'),
        minuteOr(notification.answeredAt, '–'),
        wordsOr(notification.response, '–'),
      ],
      none: 'Nobody is to be notified.',
      rest: html`All of them: ${code(`GET /v1/recall/cases/${caseNo}/notifications`)}.`,
    }),
  ];
}

function renderRecipient({ audience, recipient }: ReportNotification): Html {
  if (SINGLE.has(audience)) return html`${AUDIENCE_WORDS[audience]}`;
  const who =
    audience === 'channel' && recipient !== null ? channelWords(recipient, ENGLISH) : recipient;
  return html`${AUDIENCE_WORDS[audience]}: ${wordsOr(who, 'erased')}`;
}
