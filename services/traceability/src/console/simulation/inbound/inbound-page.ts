// Recalls of suppliers that reach the brand: what is recalled, under which code the brand received it, which
// own lots it reaches, and what can be done.
import { emptyNote, field, flag, moreLink, said, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { REASON_MAX } from '../../../lots/lot-schema.ts';
import type { InboundList, InboundRecall } from '../../../recall/inbound/schema.ts';
import { brandName, code, time } from '../../../web/fragments.ts';
import { adviceWords, noticeTitle, recallPath } from '../../../web/notice.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { addressWith } from '../../filters.ts';
import { headed } from '../../frame.ts';
import { holdChip, lotLink, lotStatusChip } from '../../lots/lot-chips.ts';
import { renderProblem } from '../../parts.ts';
import { brandPath, inboundPath } from '../../paths.ts';
import { caseLink, caseStatusChip, severityChip } from '../../recall-parts.ts';
import { askedPath } from '../asked.ts';
import { term } from '../../help/terms.ts';

export const INBOUND_STATES = ['open', 'all'] as const;
export type InboundState = (typeof INBOUND_STATES)[number];

export interface InboundView {
  readonly brand: string;
  readonly list: InboundList;
  readonly state: InboundState;
  readonly mayHold: boolean;
  readonly maySimulate: boolean;
  readonly mayLink: boolean;
  /** State of the form of a refused hold, and its recall. */
  readonly form: FormState;
  readonly formOf: string | undefined;
  readonly done: string | undefined;
}

export function inboundPage(view: InboundView, reader: Reader): Html {
  const { brand, list, state, done, mayLink } = view;
  const { inbound: words, cases, form } = reader.words.console;
  const path = inboundPath(brand);
  const more =
    list.next === null
      ? undefined
      : addressWith(path, { state: stateInAddress(state), before: list.next });
  return headed({
    crumbs: [{ href: brandPath(brand, 'recalls'), label: cases.title }],
    heading: term('inboundRecall', reader, words.title),
    summary: words.lead,
    done,
    problem: view.form.problem,
    body: html`<ul class="chips" aria-label="${words.show}">
        ${INBOUND_STATES.map(
          (one) =>
            html`<li>
              <a
                class="chip"
                href="${addressWith(path, { state: stateInAddress(one) })}"
                ${flag('aria-current="page"', one === state)}
                >${words.states[one]}</a
              >
            </li>`,
        )}
      </ul>
      ${
        list.recalls.length === 0 && list.next === null
          ? html`<section class="card">
              ${emptyNote(words.none)}
              <p class="hint">${words.noneHint}</p>
              ${
                mayLink
                  ? html`<p>
                      <a class="button quiet" href="${brandPath(brand, 'suppliers')}"
                        >${words.toSuppliers}</a
                      >
                    </p>`
                  : ''
              }
            </section>`
          : list.recalls.map((recall) => recallCard(recall, view, reader))
      }
      ${moreLink(more, list.recalls.length === 0 ? form.more : words.older)}`,
  });
}

function stateInAddress(state: InboundState): string | undefined {
  return state === 'open' ? undefined : state;
}

function recallCard(recall: InboundRecall, view: InboundView, reader: Reader): Html {
  const { notice, ended_at: endedAt, own_cases: ownCases } = recall;
  const { inbound: words } = reader.words.console;
  const id = notice.case_no;
  return html`<section class="card" id="${id}" aria-labelledby="${id}-title">
    <div class="list-heading">
      <h2 id="${id}-title">${noticeTitle(notice, reader)}</h2>
      <a class="button quiet small" href="${recallPath(notice.case_no)}"
        >${words.notice}<span class="hidden"> ${notice.case_no}</span></a
      >
    </div>
    <p>
      ${words.of(html`<strong>${brandName(notice.brand, reader)}</strong>`)}
      ${severityChip(notice.severity, reader)} ${caseStatusChip(notice.status, reader)}
      <span class="muted"
        >${
          endedAt === null
            ? words.since(time(notice.opened_at, reader))
            : words.ended(time(endedAt, reader))
        }</span
      >
    </p>
    ${endedAt === null ? html`<p>${adviceWords(notice, reader)}</p>` : ''}
    ${
      ownCases.length === 0
        ? ''
        : html`<p>
            ${words.ownCases(
              html`${ownCases.map(
                (caseNo, index) =>
                  html`${index === 0 ? '' : ', '}${caseLink(view.brand, { caseNo })}`,
              )}`,
            )}
          </p>`
    }
    ${view.mayHold && recall.own_lots.total > 0 ? holdPart(recall, view, reader) : ''}
    ${receivedTable(recall, view, reader)} ${lotTable(recall, view, reader)}
  </section>`;
}

function receivedTable(
  { received, received_total: total, notice }: InboundRecall,
  { brand, maySimulate }: InboundView,
  reader: Reader,
): Html {
  const { inbound: words, simulation } = reader.words.console;
  const { formats } = reader;
  return html`<h3>${words.receivedTitle}</h3>
    ${rowsTable({
      caption: `${words.receivedTitle}: ${notice.case_no}`,
      head: [words.code, words.supplier, ...(maySimulate ? [words.simulate] : [])],
      rows: received.map(({ lot_code: lotCode, supplier_name: supplierName, field: name }) => [
        html`<span class="code">${said(lotCode)}</span>`,
        said(supplierName),
        ...(maySimulate
          ? [
              html`<a
                href="${askedPath(brand, {
                  lotCode,
                  // With another field the code is that of an own lot.
                  supplierName: name === 'supplier_lot_code' ? supplierName : undefined,
                })}"
                >${words.simulate}<span class="hidden"> ${lotCode}</span></a
              >`,
            ]
          : []),
      ]),
    })}
    ${
      received.length < total
        ? html`<p class="hint">
            ${simulation.shownCount(formats.number(received.length), formats.number(total))}
          </p>`
        : ''
    }`;
}

function lotTable(
  { own_lots: ownLots, notice }: InboundRecall,
  { brand }: InboundView,
  reader: Reader,
): Html {
  const { inbound: words, simulation } = reader.words.console;
  const { formats } = reader;
  const { lots, total, total_is_exact: isExact = true } = ownLots;
  const count = formats.number(total);
  return html`<h3>
      ${words.lotsTitle}
      <small class="muted">${isExact ? count : words.atLeast(count)}</small>
    </h3>
    ${
      lots.length === 0
        ? emptyNote(words.noLots)
        : rowsTable({
            caption: `${words.lotsTitle}: ${notice.case_no}`,
            head: [
              simulation.lot,
              simulation.product,
              { number: simulation.distance },
              simulation.state,
            ],
            rows: lots.map((lot) => [
              lotLink(brand, lot.lot_code),
              code(lot.product_sku),
              formats.number(lot.distance),
              html`${lotStatusChip(lot.status, reader)} ${holdChip(lot.hold_status, reader)}`,
            ]),
          })
    }
    ${
      lots.length < total ? html`<p class="hint">${formats.number(lots.length)} / ${count}</p>` : ''
    }`;
}

function holdPart(
  { notice, own_lots: ownLots }: InboundRecall,
  { brand, form, formOf }: InboundView,
  reader: Reader,
): Html {
  const { inbound: words } = reader.words.console;
  const caseNo = notice.case_no;
  const isThis = formOf === caseNo;
  const shown = isThis
    ? { ...form, problem: undefined }
    : { values: {}, errors: {}, problem: undefined };
  return html`<details class="edit" ${flag('open', isThis)}>
    <summary>${words.hold}<span class="hidden"> ${caseNo}</span></summary>
    ${renderProblem(shown, reader)}
    <p>${words.holdAdvice(reader.formats.number(ownLots.total))}</p>
    <form method="post" action="${inboundPath(brand)}/${caseNo}/hold">
      ${field({
        name: 'reason',
        label: words.holdReason,
        form: shown,
        // The recall is the reason of the hold by default.
        value: `${caseNo}: ${notice.title}`.slice(0, REASON_MAX),
        required: true,
        maxLength: REASON_MAX,
        scope: caseNo,
      })}
      <button type="submit">${icon('hold')}${words.holdNow}</button>
    </form>
  </details>`;
}
