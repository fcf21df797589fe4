// The page of a recall case: first its progress and its next step, then what changed and why, what consumers
// read, and the evidence.
import { said, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { isHidden } from '../../ledger/decisions/hidden-cases.ts';
import { readWording } from '../../ledger/record/decisions/wording.ts';
import { parseSnapshot } from '../../recall/case-answers/detail.ts';
import { blockLink, time } from '../../web/fragments.ts';
import { recallPath } from '../../web/notice.ts';
import { caseStatusWords, severityWords } from '../../web/labels.ts';
import type { Reader } from '../../web/words/reader.ts';
import { addressWith } from '../filters.ts';
import { lotLink } from '../lots/lot-chips.ts';
import { figureRow } from '../parts.ts';
import { factList } from '../../web/fact-list.ts';
import { casePagePath } from '../paths.ts';
import { caseFrame, type ShownCase } from './case.ts';
import { effectivenessSection, figuresShown } from './figures.ts';
import type { CaseRead } from './read-case.ts';
import { stepsSection } from './steps-section.ts';
import { term } from '../help/terms.ts';

export interface CaseView extends ShownCase {
  readonly read: CaseRead;
  readonly form: FormState;
  readonly done: string | undefined;
}

export function casePage(view: CaseView, reader: Reader): Html {
  const { read, form, done } = view;
  return caseFrame(
    view,
    {
      page: undefined,
      done,
      body: html`${figureRow(reader.words.console.cases.figures.title, figuresShown(view, read, reader))}
        ${stepsSection(view, read, form, reader)} ${effectivenessSection(view, read, reader)}
        <div class="case-columns">
          ${changedSection(view, reader)} ${aboutSection(view, reader)}
          ${noticeSection(view, reader)} ${chainSection(view, reader)}
        </div>`,
    },
    reader,
  );
}

function changedSection({ brand, recallCase, read }: CaseView, reader: Reader): Html {
  const { changed: words } = reader.words.console.cases;
  const { formats } = reader;
  const { scope, byHand } = read;
  const path = casePagePath(brand, recallCase.caseNo, 'scope');
  const codes = (which: 'added' | 'left', shown: readonly string[], total: number): HtmlValue =>
    html`<a href="${addressWith(path, { which })}"><strong>${formats.number(total)}</strong></a>
      ${shown.map((lotCode) => html`${lotLink(brand, lotCode)} `)}
      ${total > shown.length ? words.and(formats.number(total - shown.length)) : ''}`;
  const isSame = scope.added === 0 && scope.left === 0;
  return html`<section class="card" aria-labelledby="changed-title">
    <h2 id="changed-title">${words.title}</h2>
    ${isSame ? html`<p>${words.none}</p>` : ''}
    ${factList([
      [words.atOpening, formats.number(parseSnapshot(recallCase).lots)],
      [words.now, html`<a href="${path}">${formats.number(scope.covered)}</a>`],
      ...(scope.added === 0
        ? []
        : [[words.added, codes('added', read.added, scope.added)] as const]),
      ...(scope.left === 0 ? [] : [[words.left, codes('left', read.left, scope.left)] as const]),
    ])}
    ${
      byHand.added + byHand.excluded === 0
        ? ''
        : html`<p class="muted">
            ${words.byHand(formats.number(byHand.added), formats.number(byHand.excluded))}
          </p>`
    }
  </section>`;
}

function aboutSection({ brand, recallCase }: CaseView, reader: Reader): Html {
  const { about: words, list } = reader.words.console.cases;
  const { reason, direction, autoHold, openedAt, openedBy, notifiedAt, endedAt } = recallCase;
  return html`<section class="card" aria-labelledby="about-title">
    <h2 id="about-title">${words.title}</h2>
    ${factList([
      [words.reason, html`<span class="case-text">${said(reason)}</span>`],
      [list.severity, severityWords(recallCase.severity, reader)],
      [list.status, caseStatusWords(recallCase.status, reader)],
      [words.seed, seed(brand, recallCase, reader)],
      [words.direction, words.directions[direction]],
      [words.holds, autoHold === 1 ? words.yes : words.no],
      [words.opened, words.openedBy(time(openedAt, reader), said(openedBy))],
      ...(notifiedAt === null ? [] : [[words.notified, time(notifiedAt, reader)] as const]),
      ...(endedAt === null ? [] : [[words.ended, time(endedAt, reader)] as const]),
      ...listLanguages(recallCase, reader),
    ])}
  </section>`;
}

function seed(brand: string, recallCase: CaseView['recallCase'], { words }: Reader): Html {
  const { about } = words.console.cases;
  const { seedLotCode, seedLotNo, seedSupplierName } = recallCase;
  if (seedLotNo !== null) return lotLink(brand, seedLotCode);
  const lot = said(seedLotCode);
  return seedSupplierName === null
    ? about.ofAnySupplier(lot)
    : about.ofSupplier(lot, said(seedSupplierName));
}

function listLanguages(
  { wording }: CaseView['recallCase'],
  { words, formats }: Reader,
): readonly (readonly [string, HtmlValue])[] {
  const { language, translations = {} } = readWording(wording);
  const tags = [...(language === undefined ? [] : [language]), ...Object.keys(translations)];
  if (tags.length === 0) return [];
  const names = [...new Set(tags)].map((tag) => formats.languageName(tag));
  return [[words.console.cases.about.languages, formats.list(names)]];
}

function noticeSection({ recallCase }: CaseView, reader: Reader): Html {
  const { notice } = reader.words.console.cases;
  return html`<section class="card" aria-labelledby="notice-title">
    <h2 id="notice-title">${term('notice', reader, notice.title)}</h2>
    ${
      isHidden(recallCase)
        ? html`<p>${notice.hidden}</p>`
        : html`${recallCase.endedAt === null ? '' : html`<p>${notice.ended}</p>`}
            <ul class="links">
              <li>${icon('link')}<a href="${recallPath(recallCase.caseNo)}">${notice.open}</a></li>
            </ul>`
    }
  </section>`;
}

function chainSection({ brand, recallCase, read }: CaseView, reader: Reader): Html {
  const { chain } = reader.words.console.cases;
  const { caseNo } = recallCase;
  const height = read.moves[0]?.blockHeight ?? null;
  const path = casePagePath(brand, caseNo);
  const search = `/explorer/search?${new URLSearchParams({ q: caseNo }).toString()}`;
  return html`<section class="card" aria-labelledby="chain-title">
    <h2 id="chain-title">${chain.title}</h2>
    <ul class="links">
      <li>${icon('print')}<a href="${path}/report">${chain.report}</a></li>
      <li>${icon('history')}<a href="${path}/timeline">${chain.steps}</a></li>
      <li>${icon('search')}<a href="${search}">${chain.search}</a></li>
      ${
        height === null
          ? ''
          : html`<li>${icon('block')}<span>${chain.block}: ${blockLink(height, reader)}</span></li>`
      }
      <li>${icon('download')}<a href="${path}/distribution.csv">${chain.distribution}</a></li>
    </ul>
  </section>`;
}
