// The events of a lot, newest first, each with its corrections and their blocks.
import { emptyNote, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { findPart, isAdding, type Direction } from '../../ledger/record/event-types.ts';
import type { RecordedEvent } from '../../lots/chain/recorded-event.ts';
import type { LotRecord } from '../../lots/record.ts';
import type { PlaceProfiles } from '../../lots/profiles/read-profiles.ts';
import { blockLink, place } from '../../web/fragments.ts';
import { eventWords } from '../../web/labels.ts';
import type { Reader } from '../../web/words/reader.ts';
import { changeLine, eventStatusChip } from '../events/event-parts.ts';
import { addressWith } from '../filters.ts';
import { eventPagePath, lotPagePath } from '../paths.ts';
import { moment } from '../parts.ts';

/** Lines of one event in a row. */
const LINES_SHOWN_MAX = 5;

export interface LotEventsView {
  readonly brand: string;
  readonly record: LotRecord;
  readonly events: readonly RecordedEvent[];
  readonly nextEvent: number | null;
  readonly places: PlaceProfiles;
}

export function lotEvents(view: LotEventsView, reader: Reader): Html {
  const { brand, record, events, nextEvent } = view;
  const { lot: words, filters } = reader.words.console;
  const path = lotPagePath(brand, record.lot_code);
  return html`<section class="card" id="events" aria-labelledby="events-title">
    <h2 id="events-title">${words.events}</h2>
    ${
      events.length === 0
        ? emptyNote(words.noEvents)
        : rowsTable({
            caption: words.events,
            head: [words.what, { number: words.quantity }, words.where, words.block],
            rows: events.map((event) => [
              whatHappened(event, view, reader),
              renderQuantities(event, record.lot_code, reader),
              renderWhere(event, view, reader),
              blockLink(event.block.height, reader),
            ]),
          })
    }
    ${
      nextEvent === null
        ? ''
        : html`<nav class="pager" aria-label="${words.events}">
            <a rel="next" href="${addressWith(path, { before: nextEvent })}#events"
              >${words.older} ${icon('next')}</a
            >
            <a href="${path}#events">${filters.first}</a>
          </nav>`
    }
  </section>`;
}

function whatHappened(event: RecordedEvent, { brand }: LotEventsView, reader: Reader): Html {
  const { block, status } = event;
  const { event_type: type } = block.payload.event;
  const { lot: words } = reader.words.console;
  return html`<a href="${eventPagePath(brand, String(block.height))}"
      >${eventWords(type, reader)}</a
    >
    ${eventStatusChip(status, reader)}
    <br /><small class="muted">${moment(event.effective.event.occurred_at, reader)}</small> ${event
      .correctionViews()
      .map(
        (correction) =>
          html`<div class="correction">
            <small
              >${words.correctedIn(blockLink(correction.block_height, reader))}
              ${correction.changes.map((change) => html`<br />${changeLine(change, reader)}`)}
              <br /><span class="muted">${said(correction.reason)}</span></small
            >
          </div>`,
      )}`;
}

/**
 * Writes the quantities of an event for this lot, with their sign in the balance; without a sign if it
 * changed no quantity.
 */
function renderQuantities(event: RecordedEvent, lotCode: string, reader: Reader): Html {
  const lines = event.effective.event.lines.filter((line) => line.lot_code === lotCode);
  const amounts = lines.map(({ direction, quantity, unit }) =>
    `${findSign(event, direction)} ${reader.formats.quantity(quantity, unit)}`.trimStart(),
  );
  // A transfer takes from one place and brings to another: this is one amount.
  const shown = isMoved(event) ? [...new Set(amounts)] : amounts;
  const more = shown.length - LINES_SHOWN_MAX;
  return html`${shown
    .slice(0, LINES_SHOWN_MAX)
    .map(
      (amount) =>
        html`<span class="quantity ${event.effective.voided ? 'gone' : ''}">${amount}</span>`,
    )}${more > 0 ? html`<small>${reader.words.console.lots.more(more)}</small>` : ''}`;
}

/** Returns whether the event neither adds to a lot nor takes from it. */
function isMoved(event: RecordedEvent): boolean {
  return (['in', 'out'] as const).every((direction) => findSign(event, direction) === '');
}

function findSign({ block }: RecordedEvent, direction: Direction): '+' | '−' | '' {
  const part = findPart(block.payload.event.event_type, direction);
  if (part === null) return '';
  return isAdding(part) ? '+' : '−';
}

function renderWhere(event: RecordedEvent, { places }: LotEventsView, reader: Reader): Html {
  const { location, reference } = event.effective.event;
  return html`${place(location, places.get(location), reader)} <br /><small class="muted"
      >${said(reference)}</small
    >`;
}
