// The recall case of a page, and the parts that all pages of a case share: the heading and the tabs.
import { said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { present } from '@lothub/kit/present';
import { CaseNoParams } from '../../http.ts';
import { isHidden } from '../../ledger/decisions/hidden-cases.ts';
import { getCase } from '../../recall/case/move-case.ts';
import type { RecallCase } from '../../recall/case/rows.ts';
import type { Reader } from '../../web/words/reader.ts';
import { mayIn } from '../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { headed } from '../frame.ts';
import { param } from '../params.ts';
import { tabs } from '../parts.ts';
import { brandPath, casePagePath, type CasePage } from '../paths.ts';
import { caseStatusChip, severityChip } from '../recall-parts.ts';
import type { To } from '../send.ts';

export const CASES_ROUTE = `${BRAND_ROUTE}/recalls`;
export const CASE_ROUTE = `${CASES_ROUTE}/:case_no`;
export const CASE_PARAMS = { ...BRAND_PARAM, ...CaseNoParams.properties };

/** What every page of a case shows. */
export interface ShownCase {
  readonly brand: string;
  readonly recallCase: RecallCase;
  /** Whether the reader may change the case. */
  readonly mayRecall: boolean;
}

/**
 * The case in the address, as it is now.
 * @throws Refusal `not_found`, also for a case of another brand
 */
export async function readShownCase(
  { database }: Pick<ConsoleDeps, 'database'>,
  to: To,
): Promise<ShownCase> {
  const brand = getBrand(to);
  return {
    brand,
    recallCase: await getCase(database, { tenantId: brand, caseNo: getCaseNo(to) }),
    mayRecall: mayIn(to.request, brand, 'recall'),
  };
}

export function getCaseNo(to: To): string {
  return present(param(to, 'case_no'), 'the number of a case');
}

export interface CasePageOptions {
  /** Undefined: the page of the case itself. */
  readonly page: CasePage | undefined;
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
  readonly body: Html;
}

export function caseFrame(shownCase: ShownCase, options: CasePageOptions, reader: Reader): Html {
  const { brand, recallCase } = shownCase;
  const { caseNo, status, severity, title } = recallCase;
  const { cases: words } = reader.words.console;
  return headed({
    crumbs: [
      { href: brandPath(brand, 'recalls'), label: words.title },
      ...(options.page === undefined
        ? []
        : [{ href: casePagePath(brand, caseNo), label: html`${caseNo}` }]),
    ],
    heading: said(title),
    summary: html`<span class="case-states"
      >${caseNo} ${caseStatusChip(status, reader)} ${severityChip(severity, reader)}
      ${isHidden(recallCase) ? confidentialChip(reader) : ''}</span
    >`,
    actions: html`<a class="button quiet" href="${casePagePath(brand, caseNo, 'report')}"
      >${icon('print')}${words.report}</a
    >`,
    done: options.done,
    problem: options.problem,
    body: html`${caseTabs(shownCase, options.page, reader)} ${options.body}`,
  });
}

export function confidentialChip({ words }: Reader): Html {
  return html`<span class="chip">${icon('key')}${words.console.cases.list.confidential}</span>`;
}

function caseTabs(
  { brand, recallCase, mayRecall }: ShownCase,
  current: CasePage | undefined,
  { words }: Reader,
): Html {
  const { cases } = words.console;
  const isEditable = mayRecall && recallCase.endedAt === null;
  const pages: readonly (readonly [CasePage | undefined, string])[] = [
    [undefined, cases.overview],
    ['scope', cases.lots],
    ['notifications', cases.answers.title],
    ['timeline', cases.timeline],
    ...(isEditable || current === 'edit' ? [['edit', cases.edit] as const] : []),
  ];
  return tabs(
    cases.pages,
    pages.map(([page, label]) => ({
      href: casePagePath(brand, recallCase.caseNo, page),
      label,
      isCurrent: page === current,
    })),
  );
}
