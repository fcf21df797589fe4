// An entry of the audit in words: what was done, to what, by which person or key. Names that have no word are shown
// as they are stored.
import { said } from '@lothub/design/desk-parts';
import { icon, type IconName } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { VIA_SESSION } from '../../ledger/audit.ts';
import type { AuditRow } from '../../ledger/audit-reader.ts';
import { classifyCaller, type Came } from '../../ledger/draft.ts';
import { code } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { brandPath, casePagePath, eventPagePath, lotPagePath } from '../paths.ts';
import { factList } from '../../web/fact-list.ts';

const CAME_ICONS: Readonly<Record<Came, IconName>> = {
  person: 'person',
  key: 'key',
  hub: 'settings',
};

/** @param details of the entry */
export function cameBy({ requestId }: Pick<AuditRow, 'requestId'>, details: Details): Came {
  return classifyCaller({ requestId, ...(details['via'] === VIA_SESSION.via ? VIA_SESSION : {}) });
}

export type Details = Readonly<Record<string, unknown>>;

export function parseDetails({ details }: Pick<AuditRow, 'details'>): Details {
  const parsed: unknown = JSON.parse(details);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

export function renderActor(row: AuditRow, details: Details, reader: Reader): Html {
  return nameActor({ actor: row.actor, came: cameBy(row, details) }, reader);
}

export function nameActor(
  { actor, came }: { readonly actor: string; readonly came: Came },
  { words }: Reader,
): Html {
  const label = words.console.audit.came[came];
  return html`<span class="came" title="${label}"
    >${icon(CAME_ICONS[came])}<span class="hidden">${label}: </span>${said(actor)}</span
  >`;
}

export function actionWords({ action }: Pick<AuditRow, 'action'>, { words }: Reader): string {
  return wordIn(words.console.audit.actions, action);
}

/** Writes what was changed, with a link to its page if it has one. */
export function renderEntity(brand: string, row: AuditRow, { words }: Reader): Html {
  const { entityType, entityId } = row;
  const type = wordIn(words.console.audit.entities, entityType);
  if (entityId === '') return html`${type}`;
  const path = pagePath(brand, row);
  const id = path === undefined ? code(entityId) : html`<a href="${path}">${code(entityId)}</a>`;
  return html`${type} ${id}`;
}

function pagePath(brand: string, { entityType, entityId }: AuditRow): string | undefined {
  const below = (tab: 'products' | 'places'): string =>
    `${brandPath(brand, tab)}/${encodeURIComponent(entityId)}`;
  switch (entityType) {
    case 'lot':
      return lotPagePath(brand, entityId);
    case 'event':
      return eventPagePath(brand, entityId);
    case 'case':
      return casePagePath(brand, entityId);
    case 'product':
      return below('products');
    case 'place':
      return below('places');
    case 'brand':
      return brandPath(brand, 'profile');
    case 'supplier':
      return brandPath(brand, 'suppliers');
    default:
      return undefined;
  }
}

/** Writes the details of an entry that its other columns do not show; null: there are none. */
export function detailFacts(details: Details, { words }: Reader): Html | null {
  const facts = Object.entries(details).filter(
    ([name, value]) => name !== 'via' && value !== null && value !== '',
  );
  if (facts.length === 0) return null;
  return factList(
    facts.map(([name, value]) => [
      wordIn(words.console.audit.details, name),
      said(typeof value === 'string' ? value : JSON.stringify(value)),
    ]),
  );
}

export function wordIn(words: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(words).find(([one]) => one === name)?.[1] ?? name;
}
