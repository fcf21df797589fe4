// The preview of a case that is about to be opened: what it does, what consumers read, which lots are held, who is to
// be notified. Nothing is written before the button on it is pressed.
import { message, said } from '@lothub/design/desk-parts';
import type { FormValues } from '@lothub/design/form-values';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '@lothub/languages';
import type { readPlannedNotice } from '../../../lots/notices/planned.ts';
import type { PlanChanges } from '../../../recall/case/plan/plan-changes.ts';
import type { PlannedCase } from '../../../recall/case/plan/plan-case.ts';
import { product } from '../../../web/fragments.ts';
import { noticeArticle } from '../../../web/notice.ts';
import { contact } from '../../../web/recall-pages.ts';
import { readerIn, type Reader } from '../../../web/words/reader.ts';
import { headed } from '../../frame.ts';
import { holdChip, lotLink, lotStatusChip } from '../../lots/lot-chips.ts';
import { figureRow, renderProblem } from '../../parts.ts';
import { factList } from '../../../web/fact-list.ts';
import { caseLink, severityChip } from '../../recall-parts.ts';
import { askedPath, type Asked } from '../asked.ts';
import { LISTED_MAX } from '../result-lists.ts';
import type { CaseFormRequest } from './case-form.ts';
import { contactNote, hiddenFields, openingCrumbs } from './form-page.ts';

/** What is known about changes since the preview that was seen. */
export type SeenChange =
  { readonly kind: 'listed'; readonly changes: PlanChanges } | { readonly kind: 'unlisted' };

export interface PreviewView {
  readonly brand: string;
  readonly asked: Asked;
  /** The typed values, to be sent again. */
  readonly typed: FormValues;
  readonly request: CaseFormRequest;
  readonly plan: PlannedCase;
  readonly notice: Awaited<ReturnType<typeof readPlannedNotice>>;
  /** Numbers of open cases about the lot. */
  readonly alreadyOpen: readonly string[];
  /** Marks of the content of this preview; they are sent with the opening. */
  readonly seen: FormValues;
  readonly change: SeenChange | undefined;
  readonly mayEditBrand: boolean;
  readonly problem: string | undefined;
}

export function previewPage(view: PreviewView, reader: Reader): Html {
  const { brand, asked, request, problem } = view;
  const { opening: words } = reader.words.console;
  return headed({
    crumbs: openingCrumbs(brand, asked, reader),
    heading: html`${words.previewTitle}: ${said(request.title)}`,
    summary: words.previewLead,
    body: html`${renderProblem({ values: {}, errors: {}, problem }, reader)}
    ${changeMessage(view, reader)} ${openCases(view, reader)} ${figures(view, reader)}
    ${decision(view, reader)} ${noticeSection(view, reader)} ${lotSection(view, reader)}
    ${recipientSection(view, reader)}`,
  });
}

function changeMessage({ brand, change }: PreviewView, reader: Reader): Html {
  const { opening: words } = reader.words.console;
  if (change === undefined) return html``;
  const isListed = change.kind === 'listed' && hasAny(change.changes);
  return html`<div class="notice bad" role="alert">
    <h2>${words.changedTitle}</h2>
    ${
      isListed
        ? html`<ul>
            ${changedLots(brand, change.changes, reader)}
            ${changedRecipients(change.changes, reader)}
          </ul>`
        : html`<p>${words.othersChanged}</p>`
    }
    <p>${words.lookAgain}</p>
  </div>`;
}

function hasAny(changes: PlanChanges): boolean {
  return Object.values(changes).some((list: readonly unknown[]) => list.length > 0);
}

/** Lots and recipients that a change names at most; their number is before them. */
const CHANGES_NAMED_MAX = 20;

function changedLots(brand: string, { lotsCome, lotsGone }: PlanChanges, reader: Reader): Html {
  const { opening: words } = reader.words.console;
  const line = (sentence: (count: string) => string, codes: readonly string[]) =>
    codes.length === 0
      ? ''
      : html`<li>
          ${sentence(reader.formats.number(codes.length))}
          ${codes.slice(0, CHANGES_NAMED_MAX).map((code) => html` ${lotLink(brand, code)}`)}
        </li>`;
  return html`${line(words.lotsCome, lotsCome)}${line(words.lotsGone, lotsGone)}`;
}

function changedRecipients({ recipientsCome, recipientsGone }: PlanChanges, reader: Reader): Html {
  const { opening: words } = reader.words.console;
  const line = (sentence: (count: string) => string, all: PlanChanges['recipientsCome']) =>
    all.length === 0
      ? ''
      : html`<li>
          ${sentence(reader.formats.number(all.length))}
          ${all
            .slice(0, CHANGES_NAMED_MAX)
            .map(({ recipient }, index) => html`${index === 0 ? ' ' : ', '}${said(recipient)}`)}
        </li>`;
  return html`${line(words.recipientsCome, recipientsCome)}${line(
    words.recipientsGone,
    recipientsGone,
  )}`;
}

function openCases({ brand, alreadyOpen }: PreviewView, reader: Reader): Html {
  const { opening: words } = reader.words.console;
  if (alreadyOpen.length === 0) return html``;
  const links = alreadyOpen.map(
    (caseNo, index) => html`${index === 0 ? '' : ', '}${caseLink(brand, { caseNo })}`,
  );
  return message('note', html`${words.alreadyOpen(html`${links}`)}`);
}

function countHeld({ plan }: PreviewView): number {
  return plan.impact.lots.filter(({ holdStatus }) => holdStatus === 'on_hold').length;
}

function figures(view: PreviewView, reader: Reader): Html {
  const { plan, request } = view;
  const { counts } = reader.words.console.opening;
  const held = countHeld(view);
  const lots = plan.impact.lots.length;
  const ofAudience = (wanted: string): number =>
    plan.concerned.filter(({ audience }) => audience === wanted).length;
  const all: readonly (readonly [string, number])[] = [
    [counts.lots, lots],
    [counts.held, held],
    [counts.holds, request.auto_hold === true ? lots - held : 0],
    [counts.customers, ofAudience('customer')],
    [counts.channels, ofAudience('channel')],
    [counts.suppliers, ofAudience('supplier')],
  ];
  return figureRow(
    reader.words.console.simulation.title,
    all.map(([label, count]) => ({ label, value: reader.formats.number(count) })),
  );
}

function decision(view: PreviewView, reader: Reader): Html {
  const { brand, typed, seen, request, plan, notice, mayEditBrand } = view;
  const { opening: words } = reader.words.console;
  const isConfidential = request.confidential === true;
  const holds = plan.impact.lots.length - countHeld(view);
  return html`<section class="card" aria-labelledby="decision-title">
    <h2 id="decision-title">${words.whatTitle} ${severityChip(notice.notice.severity, reader)}</h2>
    <p>${isConfidential ? words.opensConfidential : words.opensPublic}</p>
    <p>
      ${
        request.auto_hold === true
          ? `${words.holds(reader.formats.number(holds))} ${words.autoHoldHint}`
          : words.holdsNone
      }
    </p>
    ${contactNote({ brand, contact: notice.recallContact, mayEditBrand }, reader)}
    ${isConfidential ? chainTable(reader) : ''}
    <div class="row">
      <form method="post" action="${askedPath(brand, {}, '/case')}">
        ${hiddenFields({ ...typed, ...seen })}
        <button type="submit">${isConfidential ? words.openNowConfidential : words.openNow}</button>
      </form>
      <form method="post" action="${askedPath(brand, {}, '/edit')}">
        ${hiddenFields(typed)}
        <button class="quiet" type="submit">${words.change}</button>
      </form>
    </div>
  </section>`;
}

function chainTable(reader: Reader): Html {
  const { opening: words } = reader.words.console;
  const rows: readonly (readonly [string, string])[] = [
    [words.chainType, reader.words.labels.decisionTypes.recall],
    [words.chainCase, words.chainCaseHint],
    [words.chainAt, words.chainAtHint],
    [words.chainCommitment, words.chainCommitmentHint],
  ];
  return html`<h3>${words.chainShows}</h3>
    <p>${words.chainShowsLead}</p>
    ${factList(rows)}`;
}

/** Writes the notice in each language of the pages, that of the brand first. */
function noticeSection({ request, notice }: PreviewView, reader: Reader): Html {
  const { opening: words } = reader.words.console;
  const own = notice.notice.language?.split('-', 1)[0]?.toLowerCase();
  const first = LANGUAGES.find((one) => one === own) ?? reader.language;
  const languages = [first, ...LANGUAGES.filter((one) => one !== first)];
  return html`<section aria-labelledby="notice-title">
    <h2 id="notice-title">
      ${request.confidential === true ? words.noticeLater : words.noticeTitle}
    </h2>
    ${languages.map((language) => noticeIn(language, { notice, isOpen: language === first }))}
  </section>`;
}

function noticeIn(
  language: Language,
  preview: { readonly notice: PreviewView['notice']; readonly isOpen: boolean },
): Html {
  const consumer = readerIn(language);
  const { notice } = preview.notice;
  return html`<details class="fold" lang="${language}" ${preview.isOpen ? html`open` : ''}>
    <summary>${LANGUAGE_NAMES[language]}</summary>
    <div>
      ${noticeArticle(notice, consumer, () => '#lots-title')} ${contact(preview.notice, consumer)}
    </div>
  </details>`;
}

function lotSection(view: PreviewView, reader: Reader): Html {
  const { brand, plan, request, notice } = view;
  const { opening: words, simulation } = reader.words.console;
  const { formats } = reader;
  const names = new Map(notice.products.map((one) => [one.sku, one.names]));
  const { lots } = plan.impact;
  const shown = lots.slice(0, LISTED_MAX);
  const willHold = request.auto_hold === true ? words.willHold : words.staysFree;
  return html`<section class="card" aria-labelledby="lots-title">
    <h2 id="lots-title">${words.lotsTitle}</h2>
    ${rowsTable({
      caption: words.lotsTitle,
      head: [simulation.lot, simulation.product, simulation.state, words.hold],
      rows: shown.map((lot) => [
        lotLink(brand, lot.lotCode),
        product(lot.productSku, names.get(lot.productSku), reader),
        html`${lotStatusChip(lot.status, reader)} ${holdChip(lot.holdStatus, reader)}`,
        lot.holdStatus === 'on_hold' ? words.isHeld : willHold,
      ]),
    })}
    ${
      shown.length < lots.length
        ? html`<p class="hint">
            ${simulation.shownCount(formats.number(shown.length), formats.number(lots.length))}
            <a href="${askedPath(brand, view.asked, '/lots.csv')}" download>${simulation.csv}</a>
          </p>`
        : ''
    }
  </section>`;
}

function recipientSection(view: PreviewView, reader: Reader): Html {
  const { brand, plan, request } = view;
  const { opening: words, simulation } = reader.words.console;
  const { formats } = reader;
  const { concerned } = plan;
  // The few recipients that are no customers come last, and are always shown.
  const customers = concerned.filter(({ audience }) => audience === 'customer');
  const others = concerned.filter(({ audience }) => audience !== 'customer');
  const shown = [...customers.slice(0, LISTED_MAX), ...others.slice(0, LISTED_MAX)];
  return html`<section class="card" aria-labelledby="recipients-title">
    <h2 id="recipients-title">${words.recipientsTitle}</h2>
    <p class="hint">
      ${request.confidential === true ? words.recipientsLater : words.recipientsLead}
    </p>
    ${rowsTable({
      caption: words.recipientsTitle,
      head: [words.audience, words.recipient],
      rows: shown.map(({ audience, recipient }) => [
        words.audiences[audience],
        // Such an audience has only one recipient, which is the audience itself.
        audience === recipient ? '–' : said(recipient),
      ]),
    })}
    ${
      shown.length < concerned.length
        ? html`<p class="hint">
            ${simulation.shownCount(formats.number(shown.length), formats.number(concerned.length))}
            <a href="${askedPath(brand, view.asked, '/customers.csv')}" download
              >${simulation.csv}</a
            >
          </p>`
        : ''
    }
  </section>`;
}
