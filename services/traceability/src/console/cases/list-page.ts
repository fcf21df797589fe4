// The recall cases of a brand: those that are open first, with what each waits for.
import { emptyNote, moreLink, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { isHidden } from '../../ledger/decisions/hidden-cases.ts';
import type { RecallCase } from '../../recall/case/rows.ts';
import { CASE_STATUSES, SEVERITIES, type Severity } from '../../terms.ts';
import type { Reader } from '../../web/words/reader.ts';
import { addressWith, countWords, filterBar, type AddressQuery } from '../filters.ts';
import { headed } from '../frame.ts';
import { lotLink } from '../lots/lot-chips.ts';
import { day } from '../parts.ts';
import { brandPath, casePagePath, inboundPath, simulationPath } from '../paths.ts';
import { caseStatusChip, severityChip } from '../recall-parts.ts';
import { confidentialChip } from './case.ts';
import { COUNTED_MAX, type CaseCounts } from './queries.ts';

/** Values of the filter by status: two groups, and the statuses of a case. */
export const STATES = ['open', 'ended', ...CASE_STATUSES] as const;
export type State = (typeof STATES)[number];

export interface ListedCase extends CaseCounts {
  readonly recallCase: RecallCase;
}

/** Cases under one heading. */
export interface CaseGroup {
  readonly state: State | undefined;
  readonly cases: readonly ListedCase[];
  /** Number of the last case of the page: the next page begins after it. */
  readonly next: string | undefined;
}

export interface ListView {
  readonly brand: string;
  readonly name: string;
  readonly mayRecall: boolean;
  readonly filter: {
    readonly status: State | undefined;
    readonly severity: Severity | undefined;
    readonly seed_lot_code: string | undefined;
  };
  readonly isNarrowed: boolean;
  readonly groups: readonly CaseGroup[];
}

export function listPage(view: ListView, reader: Reader): Html {
  const { brand, name, mayRecall, groups, isNarrowed } = view;
  const { cases: words } = reader.words.console;
  const isEmpty = !isNarrowed && groups.every(({ cases }) => cases.length === 0);
  return headed({
    heading: words.title,
    summary: html`${said(name)} · ${words.lead}`,
    actions: html`<a class="button quiet" href="${inboundPath(brand)}"
        >${icon('truck')}${words.list.inbound}</a
      >
      <a class="button quiet" href="${brandPath(brand, 'drills')}"
        >${icon('clock')}${words.list.drills}</a
      >
      ${
        mayRecall
          ? html`<a class="button" href="${simulationPath(brand)}"
              >${icon('search')}${words.list.simulate}</a
            >`
          : ''
      }`,
    body: isEmpty
      ? html`<section class="card">
          ${emptyNote(html`${words.list.none} ${words.list.noneAdvice}`)}
        </section>`
      : html`${filters(view, reader)} ${groups.map((group) => section(group, view, reader))}`,
  });
}

function filters({ brand, filter }: ListView, reader: Reader): Html {
  const { cases, simulation } = reader.words.console;
  const stateWords: Readonly<Record<State, string>> = {
    ...simulation.statuses,
    open: cases.list.isOpen,
    ended: cases.list.hasEnded,
  };
  return filterBar({
    action: brandPath(brand, 'recalls'),
    fields: [
      {
        name: 'status',
        label: cases.list.status,
        value: filter.status,
        choices: STATES.map((value) => ({ value, label: stateWords[value] })),
      },
      {
        name: 'severity',
        label: cases.list.severity,
        value: filter.severity,
        choices: SEVERITIES.map((value) => ({ value, label: simulation.severities[value] })),
      },
      {
        name: 'seed_lot_code',
        label: cases.list.seed,
        value: filter.seed_lot_code,
        maxLength: 200,
      },
    ],
    reader,
  });
}

function section(group: CaseGroup, view: ListView, reader: Reader): Html {
  const { brand, filter } = view;
  const { list } = reader.words.console.cases;
  const { form } = reader.words.console;
  const { state, cases, next } = group;
  const heading =
    view.isNarrowed || state === undefined ? list.all : state === 'open' ? list.open : list.ended;
  if (cases.length === 0 && state === 'ended' && !view.isNarrowed) return html``;
  const id = `cases-${state ?? 'all'}`;
  const query: AddressQuery = { ...filter, status: filter.status ?? state, before: next };
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${
      cases.length === 0
        ? emptyNote(view.isNarrowed ? list.noneFound : list.none)
        : rowsTable({
            caption: heading,
            head: [
              list.case,
              list.status,
              list.severity,
              list.seed,
              { number: list.lots },
              { number: list.unanswered },
              list.opened,
            ],
            rows: cases.map((one) => cells(one, brand, reader)),
          })
    }
    ${moreLink(
      next === undefined ? undefined : addressWith(brandPath(brand, 'recalls'), query),
      form.more,
    )}
  </section>`;
}

function cells(
  { recallCase, lots, unanswered }: ListedCase,
  brand: string,
  reader: Reader,
): readonly HtmlValue[] {
  const { caseNo, title, status, severity, seedLotCode, seedLotNo, openedAt } = recallCase;
  const path = casePagePath(brand, caseNo);
  return [
    html`<a class="case-name" href="${path}"
        ><strong>${said(title)}</strong> <small class="muted">${caseNo}</small></a
      >${isHidden(recallCase) ? html` ${confidentialChip(reader)}` : ''}`,
    caseStatusChip(status, reader),
    severityChip(severity, reader),
    seedLotNo === null ? said(seedLotCode) : lotLink(brand, seedLotCode),
    counted(lots, reader),
    unanswered === 0
      ? html`<span class="muted">0</span>`
      : html`<a href="${path}/notifications">${counted(unanswered, reader)}</a>`,
    day(openedAt, reader),
  ];
}

function counted(count: number, reader: Reader): Html {
  const isExact = count <= COUNTED_MAX;
  return html`${countWords({ total: isExact ? count : COUNTED_MAX, isExact }, reader)}`;
}
