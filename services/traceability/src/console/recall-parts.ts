// Parts of pages about recalls: the severity of a case, its status, a link to it, quantities by unit.
import { said } from '@lothub/design/desk-parts';
import { icon, type IconName } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { CaseStatus, Severity } from '../terms.ts';
import { caseStatusWords, severityWords } from '../web/labels.ts';
import type { Reader } from '../web/words/reader.ts';
import { casePagePath } from './paths.ts';

/** The look of a state: its tone and its icon. */
interface Look {
  readonly tone: 'good' | 'bad' | 'warn' | 'info' | '';
  readonly icon: IconName;
}

const SEVERITY_LOOKS: Readonly<Record<Severity, Look>> = {
  class_i: { tone: 'bad', icon: 'critical' },
  class_ii: { tone: 'warn', icon: 'warning' },
  class_iii: { tone: 'info', icon: 'info' },
  market_withdrawal: { tone: '', icon: 'return' },
  unclassified: { tone: '', icon: 'unknown' },
};

const STATUS_LOOKS: Readonly<Record<CaseStatus, Look>> = {
  investigation: { tone: 'info', icon: 'search' },
  notification: { tone: 'bad', icon: 'mail' },
  containment: { tone: 'warn', icon: 'shield' },
  closed: { tone: 'good', icon: 'check' },
  cancelled: { tone: '', icon: 'close' },
};

/** Writes the severity of a case in a word or two; the whole sentence is the title. */
export function severityChip(severity: Severity, reader: Reader): Html {
  const short = reader.words.console.simulation.severities[severity];
  return chip(SEVERITY_LOOKS[severity], short, severityWords(severity, reader));
}

/** Writes the status of a case in a word or two; the whole sentence is the title. */
export function caseStatusChip(status: CaseStatus, reader: Reader): Html {
  const short = reader.words.console.simulation.statuses[status];
  return chip(STATUS_LOOKS[status], short, caseStatusWords(status, reader));
}

function chip({ tone, icon: name }: Look, words: string, title: string): Html {
  return html`<span class="chip ${tone}" title="${title}">${icon(name)}${words}</span>`;
}

/** Writes a link to a case, with its title if there is room. */
export function caseLink(
  brand: string,
  { caseNo, title }: { readonly caseNo: string; readonly title?: string },
): Html {
  const words = title === undefined ? caseNo : html`${caseNo} ${said(title)}`;
  return html`<a href="${casePagePath(brand, caseNo)}">${words}</a>`;
}

/** An amount as it is recorded; one number for each unit, never a sum across units. */
export interface Amount {
  /** Decimal text. */
  readonly quantity: string;
  readonly unit: string;
}

/** `12.5 kg`, with all digits that are recorded. */
export function amountText({ quantity, unit }: Amount, { formats }: Reader): Html {
  return html`<bdi class="amount">${formats.quantity(quantity, unit)}</bdi>`;
}

/** Writes amounts below each other, one for each unit; a dash if there are none. */
export function amountsText(amounts: readonly Amount[], reader: Reader): Html {
  if (amounts.length === 0) return html`–`;
  return html`${amounts.map(
    (one, index) => html`${index === 0 ? '' : html`<br />`}${amountText(one, reader)}`,
  )}`;
}
