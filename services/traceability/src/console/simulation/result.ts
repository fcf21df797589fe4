// The result of a simulation: first the figures, then the actions, then the lists.
import { field, message } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { REASON_MAX } from '../../lots/lot-schema.ts';
import { HELD_LOTS_MAX } from '../../holds/schema.ts';
import { blockLink, time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { figureRow, renderProblem } from '../parts.ts';
import { askedPath, askedValues, fieldMoment } from './asked.ts';
import {
  customerList,
  lotList,
  placeList,
  quantityList,
  supplierList,
  suspectList,
} from './result-lists.ts';
import type { ResultView } from './result-view.ts';

export function resultSection(view: ResultView, reader: Reader): Html {
  return html`${figures(view, reader)} ${remarks(view, reader)} ${actions(view, reader)}
  ${quantityList(view, reader)} ${lotList(view, reader)} ${customerList(view, reader)}
  ${placeList(view, reader)} ${supplierList(view, reader)} ${suspectList(view, reader)}`;
}

function figures({ simulation, places }: ResultView, reader: Reader): Html {
  const { counts } = reader.words.console.simulation;
  const { impact } = simulation;
  const customers = new Set(impact.customers.map(({ customerRef }) => customerRef));
  customers.delete(null);
  const held = impact.lots.filter(({ holdStatus }) => holdStatus === 'on_hold').length;
  const all: readonly (readonly [label: string, count: number, list: string])[] = [
    [counts.lots, impact.lots.length, 'lots'],
    [counts.onHold, held, 'lots'],
    [counts.products, simulation.affectedProducts.length, 'quantities'],
    [counts.customers, customers.size, 'customers'],
    [counts.shipments, impact.shipmentsTotal, 'places'],
    [counts.places, places.length, 'places'],
    [counts.suppliers, impact.suppliers.length, 'suppliers'],
  ];
  return figureRow(
    reader.words.console.simulation.title,
    all.map(([label, count, list]) => ({
      label,
      value: reader.formats.number(count),
      href: `#${list}`,
    })),
  );
}

function remarks({ brand, asked, simulation, recordedAt }: ResultView, reader: Reader): Html {
  const words = reader.words.console.simulation;
  const { chain, excludedDisposed, truncated } = simulation;
  const block = blockLink(chain.height, reader);
  const isNow = asked.asOf === undefined;
  // A page about the current state changes later. This link has the moment, so that it always shows this
  // result.
  const pinned = askedPath(brand, { ...asked, asOf: fieldMoment(recordedAt) });
  return html`<p class="muted">
      ${isNow ? words.knownNow(block) : words.knownThen(time(recordedAt, reader), block)}
      ${
        isNow
          ? html`<a href="${pinned}">${words.sameResult}</a>`
          : html`<a href="${askedPath(brand, { ...asked, asOf: undefined })}">${words.asOfNow}</a>`
      }
    </p>
    ${truncated ? message('bad', words.cutShort) : ''}
    ${
      excludedDisposed === 0
        ? ''
        : html`<p class="muted">
            ${words.disposedLeftOut(reader.formats.number(excludedDisposed))}
            <a href="${askedPath(brand, { ...asked, disposed: 'shown' })}">${words.showThem}</a>
          </p>`
    }`;
}

/** Actions use the current state, so a result of the past offers none. */
function actions(view: ResultView, reader: Reader): Html {
  const { brand, asked, mayHold, mayOpen, holdForm } = view;
  const words = reader.words.console.simulation;
  if (asked.asOf !== undefined) return message('note', words.pastNote);
  if (!mayHold && !mayOpen) return html``;
  return html`<section class="card print-none" aria-label="${words.open}">
    ${renderProblem(holdForm, reader)}
    ${
      mayOpen
        ? html`<p>
            <a class="button" href="${askedPath(brand, asked, '/open')}"
              >${icon('warning')}${words.open}</a
            >
            <span class="hint">${words.openConfidential}</span>
          </p>`
        : ''
    }
    ${mayHold ? holdPart(view, reader) : ''}
  </section>`;
}

function holdPart({ brand, asked, simulation, holdForm }: ResultView, reader: Reader): Html {
  const words = reader.words.console.simulation;
  const lots = simulation.impact.lots.length;
  const isTyped = Object.keys(holdForm.values).length > 0;
  if (lots > HELD_LOTS_MAX) return html`<p class="hint">${words.tooMany}</p>`;
  return html`<details class="edit" ${isTyped ? html`open` : ''}>
    <summary>${words.hold}</summary>
    <p>${words.holdAdvice(reader.formats.number(lots))}</p>
    <form method="post" action="${askedPath(brand, {}, '/hold')}">
      ${Object.entries(askedValues(asked)).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      ${field({
        name: 'reason',
        label: words.holdReason,
        form: holdForm,
        hint: words.holdReasonHint,
        required: true,
        maxLength: REASON_MAX,
        scope: 'hold',
      })}
      <button type="submit">${icon('hold')}${words.holdNow}</button>
    </form>
  </details>`;
}
