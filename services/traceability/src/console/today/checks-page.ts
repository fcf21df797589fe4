// The lists of what the checks of the dashboard found wrong, with what to do about it; and of breaches of
// holds.
import { emptyNote, moreLink, said } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { AuditPage } from '../../ledger/audit-reader.ts';
import { code as codeText, readersTime, time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { pager } from '../filters.ts';
import { lotLink } from '../lots/lot-chips.ts';
import { brandPath, checkPagePath, eventPagePath } from '../paths.ts';
import { FOUND_PER_PAGE, HOLD_BREACHES } from './checks.ts';
import type { CheckView, FoundItem, ListedCheck } from './checks.ts';
import { moment } from '../parts.ts';

/** Writes the list of one check. While the first check runs it says so. */
export function checkPage(
  brand: string,
  { code, view }: { readonly code: ListedCheck; readonly view: CheckView | undefined },
  reader: Reader,
): Html {
  const { today } = reader.words.console;
  const { title, advice } = today.checks[code];
  const number = (value: number): string => reader.formats.number(value);
  return headed({
    crumbs: [{ href: brandPath(brand), label: today.title }],
    heading: title,
    summary: advice,
    body:
      view === undefined
        ? html`<p role="status">${today.checking}</p>`
        : html`<section class="card" aria-label="${title}">
            <p class="muted">
              ${today.list.looked(number(view.count), number(view.looked))}
              ${view.listed < view.count ? today.list.cut(number(view.listed)) : ''}
              ${today.list.at(time(view.checkedAt, reader))}
            </p>
            ${foundTable(view, { title, reader })}
            ${pager({
              path: checkPagePath(brand, code),
              query: {},
              offset: view.offset,
              limit: FOUND_PER_PAGE,
              shown: view.items.length,
              total: view.listed,
              isExact: true,
              reader,
            })}
          </section>`,
  });
}

function foundTable(
  { brand, items }: CheckView,
  { title, reader }: { readonly title: string; readonly reader: Reader },
): Html {
  const { list } = reader.words.console.today;
  if (items.length === 0) return emptyNote(list.none);
  const hasLots = items.some(({ lot }) => lot !== undefined);
  const hasEvents = items.some(({ event }) => event !== undefined);
  return rowsTable({
    caption: title,
    head: [
      ...(hasLots ? [list.lot, list.product] : []),
      ...(hasEvents ? [list.event, list.reference, list.occurred] : []),
    ],
    rows: items.map((item) => [
      ...(hasLots ? lotCells(brand, item) : []),
      ...(hasEvents ? eventCells(brand, item, reader) : []),
    ]),
  });
}

function lotCells(brand: string, { lot }: FoundItem): readonly HtmlValue[] {
  if (lot === undefined) return [null, null];
  return [lotLink(brand, lot.lotCode), codeText(lot.productSku)];
}

function eventCells(brand: string, { event }: FoundItem, reader: Reader): readonly HtmlValue[] {
  if (event === undefined) return [null, null, null];
  const { height, eventType, reference, occurredAt } = event;
  return [
    eventLink(brand, height, reader.words.labels.eventTypes[eventType]),
    said(reference),
    moment(occurredAt, reader),
  ];
}

function eventLink(brand: string, height: number, label: string): Html {
  return html`<a href="${eventPagePath(brand, String(height))}">${label} ${height}</a>`;
}

/** The list of the breaches of holds, newest first. */
export function breachesPage(brand: string, page: AuditPage, reader: Reader): Html {
  const { today, form } = reader.words.console;
  const { title, advice } = today.checks[HOLD_BREACHES];
  const { list } = today;
  const older = page.next === null ? undefined : new URLSearchParams({ before: String(page.next) });
  return headed({
    crumbs: [{ href: brandPath(brand), label: today.title }],
    heading: title,
    summary: advice,
    body: html`<section class="card" aria-label="${title}">
      ${
        page.entries.length === 0
          ? emptyNote(list.none)
          : rowsTable({
              caption: title,
              head: [list.when, list.lot, list.event, list.who],
              rows: page.entries.map(({ at, entityId, blockHeight, actor }) => [
                readersTime(at, reader),
                lotLink(brand, entityId),
                blockHeight === null ? null : eventLink(brand, blockHeight, list.event),
                said(actor),
              ]),
            })
      }
      ${moreLink(
        older === undefined
          ? undefined
          : `${checkPagePath(brand, HOLD_BREACHES)}?${older.toString()}`,
        form.more,
      )}
    </section>`,
  });
}
