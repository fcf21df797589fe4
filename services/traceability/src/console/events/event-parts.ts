// Short texts about an event: its state, the value of a field, the change of a field.
import { said } from '@lothub/design/desk-parts';
import { icon, type IconName } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { DIRECTIONS } from '../../ledger/record/event-types.ts';
import { findFacts, findFieldPath } from '../../ledger/record/field-path.ts';
import type { EventStatus } from '../../terms.ts';
import { fieldWords, statedStatusWords } from '../../web/labels.ts';
import { time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';

type Value = string | number | null;

const OF_STATUS: Readonly<
  Record<Exclude<EventStatus, 'accepted'>, { readonly icon: IconName; readonly kind: string }>
> = {
  corrected: { icon: 'history', kind: 'info' },
  voided: { icon: 'close', kind: 'bad' },
};

/** Nothing for an event that counts as it was recorded. */
export function eventStatusChip(status: EventStatus, { words }: Reader): Html {
  if (status === 'accepted') return html``;
  const { icon: name, kind } = OF_STATUS[status];
  return html`<span class="chip ${kind}"
    >${icon(name)}${words.console.events.statuses[status]}</span
  >`;
}

/** @param field as the chain spells it: `lines[0].quantity` */
export function changeLine(
  change: { readonly field: string; readonly old_value: Value; readonly new_value: Value },
  reader: Reader,
): Html {
  const { field, old_value: before, new_value: after } = change;
  return html`${fieldWords(field, reader)}:
    <del>${fieldValue(field, before, reader)}</del> ${icon('next')}
    <ins>${fieldValue(field, after, reader)}</ins>`;
}

/** Writes a value in the format of the reader. */
export function fieldValue(field: string, value: Value, reader: Reader): Html {
  const { events: words } = reader.words.console;
  if (value === null) return html`<span class="muted">${words.noValue}</span>`;
  const path = findFieldPath(field);
  if (path?.field === 'status') return html`${statedStatusWords(String(value), reader)}`;
  const facts = path === undefined ? undefined : findFacts(path);
  if (facts?.kind === 'decimal') return html`${reader.formats.quantity(value, '').trim()}`;
  if (facts?.kind === 'instant') return time(String(value), reader);
  if (path?.field === 'direction') {
    const direction = DIRECTIONS.find((one) => one === value);
    if (direction !== undefined) return html`${words.directions[direction]}`;
  }
  return said(String(value));
}
