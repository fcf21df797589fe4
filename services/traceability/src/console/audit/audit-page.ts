// The audit of a brand: who did what, newest first, filtered by the address.
import { emptyNote, moreLink, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { AUDIT_ACTIONS, AUDIT_ENTITY_TYPES } from '../../ledger/audit.ts';
import type { AuditPage, AuditRow } from '../../ledger/audit-reader.ts';
import { blockLink } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { addressWith, filterBar } from '../filters.ts';
import { headed } from '../frame.ts';
import { moment } from '../parts.ts';
import type { AskedFilters } from './audit-filter.ts';
import {
  actionWords,
  renderActor,
  detailFacts,
  parseDetails,
  renderEntity,
  wordIn,
} from './entry-words.ts';
import { term } from '../help/terms.ts';

const ACTOR_MAX = 400;
const ENTITY_ID_MAX = 200;

export interface AuditView {
  readonly brand: string;
  readonly name: string;
  /** Address of the page. */
  readonly path: string;
  readonly asked: AskedFilters;
  readonly page: AuditPage;
}

export function auditPage(view: AuditView, reader: Reader): Html {
  const { audit: words } = reader.words.console;
  const { path, asked } = view;
  return headed({
    heading: term('auditEntry', reader, words.title),
    summary: html`${said(view.name)} · ${words.lead}`,
    actions: html`<a class="button quiet" href="${addressWith(`${path}.csv`, { ...asked })}"
      >${icon('download')}${words.csv}</a
    >`,
    body: html`${filters(view, reader)} ${entriesSection(view, reader)}`,
  });
}

function filters({ path, asked }: AuditView, reader: Reader): Html {
  const { audit: words } = reader.words.console;
  return filterBar({
    action: path,
    reader,
    fields: [
      { name: 'actor', label: words.who, value: asked.actor, type: 'search', maxLength: ACTOR_MAX },
      {
        name: 'action',
        label: words.what,
        value: asked.action,
        choices: listChoices(AUDIT_ACTIONS, words.actions, reader),
      },
      {
        name: 'entity_type',
        label: words.kind,
        value: asked.entity_type,
        choices: listChoices(AUDIT_ENTITY_TYPES, words.entities, reader),
      },
      {
        name: 'entity_id',
        label: words.thing,
        value: asked.entity_id,
        maxLength: ENTITY_ID_MAX,
      },
      { name: 'from', label: words.from, value: asked.from, type: 'date' },
      { name: 'to', label: words.to, value: asked.to, type: 'date' },
    ],
  });
}

/** In the order of their words. */
function listChoices(
  names: readonly string[],
  words: Readonly<Record<string, string>>,
  { language }: Reader,
) {
  return names
    .map((name) => ({ value: name, label: wordIn(words, name) }))
    .sort((one, other) => one.label.localeCompare(other.label, language));
}

function entriesSection(view: AuditView, reader: Reader): Html {
  const { audit: words, form } = reader.words.console;
  const { page, path, asked } = view;
  const next = page.next === null ? undefined : addressWith(path, { ...asked, before: page.next });
  const isNarrowed = Object.values(asked).some((value) => value !== undefined);
  return html`<section class="card" aria-label="${words.title}">
    ${
      page.entries.length === 0
        ? emptyNote(page.next !== null ? words.noneYet : isNarrowed ? words.noneFound : words.none)
        : rowsTable({
            caption: words.title,
            head: [words.when, words.who, words.what, words.thing, words.block, words.more],
            rows: page.entries.map((row) => renderRow(row, view, reader)),
          })
    }
    ${moreLink(next, page.entries.length === 0 ? words.further : form.more)}
  </section>`;
}

function renderRow(row: AuditRow, { brand }: AuditView, reader: Reader) {
  const { audit: words } = reader.words.console;
  const details = parseDetails(row);
  const facts = detailFacts(details, reader);
  return [
    moment(row.at, reader),
    renderActor(row, details, reader),
    actionWords(row, reader),
    renderEntity(brand, row, reader),
    row.blockHeight === null ? null : blockLink(row.blockHeight, reader),
    facts === null
      ? null
      : html`<details class="edit">
          <summary>
            ${words.show}<span class="hidden"> ${words.entry(String(row.id))}</span>
          </summary>
          ${facts}
        </details>`,
  ];
}
