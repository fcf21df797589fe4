// Makes the report of a recall case as one HTML page that loads nothing: to print, file and give to
// an authority. It renders plain values; every text is escaped.
import { html, trustedHtml, type Html } from '@lothub/kit/html';
import { code } from '../../web/fragments.ts';
import {
  caseStatusWords,
  exactInstantWords,
  instantWords,
  severityWords,
} from '../../web/labels.ts';
import type { CaseReport } from './case-report.ts';
import { correctionSection, evidenceSection, signatureSection } from './report-evidence.ts';
import {
  distributionSection,
  notificationSection,
  reconciliationSection,
} from './report-distribution.ts';
import {
  ENGLISH,
  count,
  flattened,
  formatTotal,
  plural,
  section,
  time,
  words,
  wordsOr,
} from './report-fragments.ts';
import type { Part, Section } from './report-fragments.ts';
import {
  genealogySection,
  lotSection,
  methodSection,
  reachSentence,
  timelineSection,
} from './report-scope.ts';
import { stepSection } from './report-steps.ts';
import { reportStyle } from './report-style.ts';

/** Characters of the hub's name in the margin of a page; the page itself has all of it. */
const MARGIN_CHARS_MAX = 40;

export interface RenderedReport {
  /** The only style sheet of the page: the policy allows its exact text by its hash. */
  readonly style: string;
  /** The page, piece by piece; each takes about a millisecond to make. */
  readonly pieces: () => Generator<string>;
}

export function reportPage(report: CaseReport): RenderedReport {
  const style = reportStyle({
    topLeft: `Recall report ${report.caseNo}`,
    topRight: cutText(report.hub.name),
    bottomLeft:
      `Made ${instantWords(report.madeAt)}, ` + `complete through block ${report.chain.tip.height}`,
  });
  return {
    style,
    *pieces() {
      for (const piece of flattened(page(report, style))) yield piece.text;
    },
  };
}

function* page(report: CaseReport, style: string): Generator<Part> {
  const genealogy = genealogySection(report);
  const sections = numbered([
    { id: 'what', heading: 'What is recalled, and why', body: whatSection(report) },
    { id: 'timeline', heading: 'Timeline', body: timelineSection(report) },
    { id: 'steps', heading: 'Steps on the chain', body: stepSection(report) },
    { id: 'method', heading: 'How the lots were found', body: methodSection(report) },
    { id: 'lots', heading: 'Products, lots and quantities', body: lotSection(report) },
    { id: 'genealogy', heading: 'Genealogy', ...genealogy },
    { id: 'distribution', heading: 'Distribution list', body: distributionSection(report) },
    { id: 'reconciliation', heading: 'Reconciliation', body: reconciliationSection(report) },
    { id: 'notifications', heading: 'Notifications', body: notificationSection(report) },
    { id: 'corrections', heading: 'Corrections in scope', body: correctionSection(report) },
    { id: 'evidence', heading: 'Ledger evidence', body: evidenceSection(report) },
    { id: 'signatures', heading: 'Signatures', body: signatureSection(report) },
  ]);
  yield trustedHtml('<!doctype html>\n<html lang="en">');
  yield html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <title>Recall report ${report.caseNo}: ${report.title}</title>
    ${trustedHtml(`<style>${style}</style>`)}
  </head>`;
  yield trustedHtml('<body><main>');
  yield html`<header>${heading(report)}</header>
    ${summary(report)}
    <nav aria-labelledby="contents">
      <h2 id="contents">Contents</h2>
      <ul class="contents">
        ${sections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}
      </ul>
    </nav>`;
  for (const one of sections) yield section(one);
  yield trustedHtml('</main></body></html>\n');
}

function numbered(sections: readonly Section[]): readonly Section[] {
  return sections.map((one, index) => ({ ...one, heading: `${index + 1}. ${one.heading}` }));
}

function cutText(text: string): string {
  const characters = [...text];
  if (characters.length <= MARGIN_CHARS_MAX) return text;
  return `${characters.slice(0, MARGIN_CHARS_MAX - 1).join('')}…`;
}

function heading(report: CaseReport): Html {
  const { brand } = report;
  return html`<p class="kind">Recall report ${report.caseNo}</p>
    <h1>${words(report.title)}</h1>
    <p class="lead">${words(brand.name)} (${code(brand.id)}). ${stateSentence(report)}</p>
    <p class="class"><strong>${severityWords(report.severity, ENGLISH)}.</strong></p>
    ${
      report.chain.isValid
        ? null
        : html`<p class="warning">
            <strong>Not proven.</strong> What is stored does not agree with the chain. Until the
            operator of the hub has checked it, nothing in this report is proven.
          </p>`
    }
    ${
      report.isComplete
        ? null
        : html`<p class="warning">
            <strong>Not complete.</strong> There is more than a report can hold: some lots,
            shipments or customers are missing below. The endpoints of the case page through all of
            them.
          </p>`
    }`;
}

function stateSentence(report: CaseReport): Html {
  return html`State of the case:
    <strong>${report.status}</strong> (${caseStatusWords(report.status, ENGLISH)}), as of
    ${exactInstantWords(report.madeAt)}. All times are in UTC.`;
}

/** The figures that are requested first. */
function summary(report: CaseReport): Html {
  const { answers } = report;
  const figures: readonly (readonly [string, string])[] = [
    ['lots covered', formatTotal(report.lots)],
    ['of them on hold', count(report.lotsOnHold)],
    ['products', formatTotal(report.products)],
    ['shipments', formatTotal(report.shipments)],
    ['customers', count(report.customerCount)],
    ['suppliers’ lots', formatTotal(report.suppliers)],
    ['have been notified', `${count(answers.notified)} of ${count(answers.notifications)}`],
    ['have answered', count(answers.responded)],
  ];
  return html`<dl class="figures">
    ${figures.map(
      ([label, figure]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${figure}</dd>
        </div>`,
    )}
  </dl>`;
}

function whatSection(report: CaseReport): Html {
  const { brand, seed } = report;
  return html`<p>${words(report.reason)}</p>
    <dl class="facts">
      <dt>Class</dt>
      <dd>${severityWords(report.severity, ENGLISH)}</dd>
      <dt>Lot it was opened for</dt>
      <dd>${code(seed.lotCode)}${seed.kind === 'supplier' ? ', a supplier’s lot' : ''}</dd>
      <dt>Covers</dt>
      <dd>${reachSentence(report)}</dd>
      <dt>Opened</dt>
      <dd>${time(report.openedAt)} by ${words(report.openedBy)}</dd>
      <dt>Notification since</dt>
      <dd>${report.notifiedAt === null ? 'not reached' : time(report.notifiedAt)}</dd>
      <dt>Ended</dt>
      <dd>${report.endedAt === null ? 'open' : time(report.endedAt)}</dd>
      <dt>Lots are held</dt>
      <dd>
        ${report.autoHold ? 'yes, also lots that enter the case later' : 'not by this case'};
        ${plural(report.lotsOnHold, 'lot is', 'lots are')} on hold now
      </dd>
      <dt>Recalling firm</dt>
      <dd>${words(brand.name)}</dd>
      <dt>Contact for the recall</dt>
      <dd>${wordsOr(brand.recallContact, 'not given')}</dd>
      <dt>Website</dt>
      <dd>${wordsOr(brand.website, 'not given')}</dd>
    </dl>`;
}
