// The lots of a case, page by page, with their state and what remains of them; and adding and excluding lots by hand.
import { emptyNote, field, textArea, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { CaseLotRow, ScopeCounts } from '../../recall/case/rows.ts';
import { CASE_REASON_MAX } from '../../recall/case/text-limits.ts';
import type { LotsByHand } from '../../recall/edit/schema.ts';
import { toLotState } from '../../lots/state.ts';
import type { LotItem } from '../../lots/record.ts';
import { blockLink } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { addressWith, filterBar } from '../filters.ts';
import { holdChip, lotLink, lotStatusChip } from '../lots/lot-chips.ts';
import { day, renderProblem } from '../parts.ts';
import { casePagePath } from '../paths.ts';
import { amountsText } from '../recall-parts.ts';
import { caseFrame, type ShownCase } from './case.ts';
import { SCOPE_PARTS, type ScopePart } from './queries.ts';
import { term } from '../help/terms.ts';

export interface ScopeLot extends CaseLotRow {
  readonly quantities: LotItem['quantities'];
}

export interface ScopeView extends ShownCase {
  readonly filter: { readonly which: ScopePart; readonly q: string | undefined };
  /** Undefined: the first page. */
  readonly after: string | undefined;
  readonly lots: readonly ScopeLot[];
  /** Code of the last lot of the page: the next page begins after it. */
  readonly next: string | undefined;
  readonly counts: ScopeCounts;
  /** The first of them. */
  readonly byHand: Readonly<Record<'added' | 'excluded', LotsByHand['lots']>>;
  readonly form: FormState;
  readonly done: string | undefined;
}

export function scopePage(view: ScopeView, reader: Reader): Html {
  const { recallCase, mayRecall, form, done } = view;
  const isOpen = recallCase.endedAt === null;
  return caseFrame(
    view,
    {
      page: 'scope',
      done,
      // A page without the form shows the problem here.
      problem: isOpen ? undefined : form.problem,
      body: html`${listSection(view, reader)}
      ${mayRecall && isOpen ? changeSection(view, reader) : ''} ${byHandSection(view, reader)}`,
    },
    reader,
  );
}

function listSection(view: ScopeView, reader: Reader): Html {
  const { brand, recallCase, filter, lots, next, after, counts } = view;
  const { scope: words, lots: title } = reader.words.console.cases;
  const { form } = reader.words.console;
  const path = casePagePath(brand, recallCase.caseNo, 'scope');
  const query = { which: filter.which === 'covered' ? undefined : filter.which, q: filter.q };
  return html`<section class="card" aria-labelledby="scope-title">
    <h2 id="scope-title">${term('scope', reader, title)}</h2>
    <p class="muted">
      ${words.lead(reader.formats.number(counts.covered))}
      <a href="${path}.csv">${icon('download')} ${words.csv}</a>
    </p>
    ${filterBar({
      action: path,
      fields: [
        { name: 'q', label: words.search, value: filter.q, type: 'search', maxLength: 200 },
        {
          name: 'which',
          label: words.which,
          value: query.which,
          choices: SCOPE_PARTS.filter((part) => part !== 'covered').map((value) => ({
            value,
            label: words.parts[value],
          })),
        },
      ],
      reader,
    })}
    ${
      lots.length === 0
        ? emptyNote(words.none)
        : rowsTable({
            caption: title,
            head: [
              words.lot,
              words.product,
              words.relation,
              { number: words.remaining },
              words.state,
              words.since,
            ],
            rows: lots.map((lot) => cells(lot, brand, reader)),
          })
    }
    ${
      after === undefined && next === undefined
        ? ''
        : html`<p class="row">
            ${
              after === undefined
                ? ''
                : html`<a href="${addressWith(path, query)}">${words.firstPage}</a>`
            }
            ${
              next === undefined
                ? ''
                : html`<a rel="next" href="${addressWith(path, { ...query, after: next })}"
                    >${form.more}</a
                  >`
            }
          </p>`
    }
  </section>`;
}

function cells(lot: ScopeLot, brand: string, reader: Reader): readonly HtmlValue[] {
  const { scope: words } = reader.words.console.cases;
  const { status, holdStatus } = toLotState(lot);
  const remaining = lot.quantities.map(({ remaining: left, unit }) => ({
    quantity: String(left),
    unit,
  }));
  return [
    lotLink(brand, lot.lotCode),
    html`<bdi>${lot.productSku}</bdi>`,
    html`<span class="short">${words.relations[lot.relation]}</span>${
        lot.distance === 0
          ? ''
          : html`<br /><small class="muted"
                >${words.distance(reader.formats.number(lot.distance), lot.distance === 1)}</small
              >`
      }`,
    amountsText(remaining, reader),
    html`<span class="chip-row"
      >${lotStatusChip(status, reader)} ${holdChip(holdStatus, reader)}</span
    >`,
    lot.leftAt === null
      ? day(lot.enteredAt, reader)
      : html`${day(lot.enteredAt, reader)}, ${words.leftAt(day(lot.leftAt, reader))}`,
  ];
}

function changeSection({ brand, recallCase, form }: ScopeView, reader: Reader): Html {
  const { scope: words } = reader.words.console.cases;
  return html`<section class="card" id="change" aria-labelledby="change-title">
    <h2 id="change-title">${words.changeTitle}</h2>
    <p class="muted">${words.changeLead}</p>
    ${renderProblem(form, reader)}
    <form method="post" action="${casePagePath(brand, recallCase.caseNo, 'scope')}">
      <div class="fields">
        ${(['add', 'exclude'] as const).map((name) =>
          textArea({ name, label: words[name], form, hint: words.codesHint, rows: 3 }),
        )}
      </div>
      ${field({
        name: 'reason',
        label: words.reason,
        form,
        hint: words.reasonHint,
        required: true,
        maxLength: CASE_REASON_MAX,
      })}
      <button type="submit">${words.save}</button>
    </form>
  </section>`;
}

function byHandSection({ brand, byHand }: ScopeView, reader: Reader): Html {
  const { scope: words } = reader.words.console.cases;
  const rows = [
    ...byHand.added.map((lot) => [words.addedByHand, lot] as const),
    ...byHand.excluded.map((lot) => [words.excludedByHand, lot] as const),
  ];
  if (rows.length === 0) return html``;
  return html`<section class="card" aria-labelledby="by-hand-title">
    <h2 id="by-hand-title">${words.byHandTitle}</h2>
    ${rowsTable({
      caption: words.byHandTitle,
      head: [words.lot, words.product, words.state, words.since],
      rows: rows.map(([label, lot]) => [
        lotLink(brand, lot.lot_code),
        html`<bdi>${lot.product_sku}</bdi>`,
        label,
        html`${day(lot.since, reader)} ${blockLink(lot.block_height, reader)}`,
      ]),
    })}
  </section>`;
}
