// The page of a simulation: its form, and what a recall would reach.
import { EMPTY_FORM, TICKED, choice, field, flag, said } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { html, type Html } from '@lothub/kit/html';
import { REASON_MAX } from '../../lots/lot-schema.ts';
import { CODE_MAX, TEXT_MAX } from '../../ledger/record/fields.ts';
import { RECALL_DIRECTIONS } from '../../terms.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { renderProblem } from '../parts.ts';
import { brandPath } from '../paths.ts';
import { askedPath } from './asked.ts';
import { resultSection } from './result.ts';
import type { ResultView } from './result-view.ts';
import type { Simulated } from './simulate.ts';
import { term } from '../help/terms.ts';

/** Suppliers that a refusal names at most, as of recall/trace/scope.ts. */
const SUPPLIERS_NAMED = 20;

export interface SimulationView {
  readonly brand: string;
  readonly simulated: Simulated;
  /** The values of the address. */
  readonly form: FormState;
  /** Undefined without a result. */
  readonly result: ResultView | undefined;
  readonly done: string | undefined;
}

export { REASON_MAX };

export function simulationPage(view: SimulationView, reader: Reader): Html {
  const { brand, simulated, form, result, done } = view;
  const words = reader.words.console.simulation;
  const crumbs = [
    { href: brandPath(brand, 'recalls'), label: reader.words.console.cases.title },
    ...(result === undefined ? [] : [{ href: brandPath(brand, 'simulation'), label: words.title }]),
  ];
  if (result !== undefined) {
    return headed({
      crumbs,
      heading: words.heading(html`<span class="code">${said(result.asked.lotCode)}</span>`),
      summary: lotSummary(result, reader),
      done,
      body: html`${resultSection(result, reader)} ${againSection(view, reader)}`,
    });
  }
  return headed({
    crumbs,
    heading: term('simulation', reader, words.title),
    summary: words.lead,
    body: html`${simulated.kind === 'choose' ? supplierChoice(brand, simulated, reader) : ''}
      <section class="card" aria-label="${words.title}">
        ${renderProblem(form, reader)} ${similarLots(brand, simulated, reader)}
        ${askForm(view, reader)}
      </section>`,
  });
}

function lotSummary({ simulation }: ResultView, reader: Reader): Html {
  const words = reader.words.console.simulation;
  const { kind, supplierName } = simulation.seed;
  if (kind === 'own') return html`${words.ownLot}`;
  return html`${words.ofSupplier(supplierName === null ? words.noSupplier : said(supplierName))}`;
}

function againSection(view: SimulationView, reader: Reader): Html {
  const { again } = reader.words.console.simulation;
  return html`<details class="fold print-none">
    <summary><h2>${again}</h2></summary>
    ${askForm(view, reader)}
  </details>`;
}

function askForm({ brand, form }: SimulationView, reader: Reader): Html {
  const words = reader.words.console.simulation;
  const isDisposedShown = form.values['disposed'] === TICKED;
  return html`<form method="get" action="${brandPath(brand, 'simulation')}">
    <div class="simulation-fields">
      ${field({
        name: 'lot_code',
        label: words.lot,
        form,
        hint: words.lotHint,
        required: true,
        maxLength: CODE_MAX,
      })}
      ${field({
        name: 'supplier_name',
        label: words.supplier,
        form,
        hint: words.supplierHint,
        maxLength: TEXT_MAX,
      })}
      ${choice({
        name: 'direction',
        label: words.direction,
        form,
        value: 'both',
        choices: DIRECTIONS.map((value) => ({ value, label: words.directions[value] })),
      })}
      ${field({
        name: 'as_of',
        label: words.asOf,
        form,
        type: 'datetime-local',
        hint: words.asOfHint,
        step: 'any',
      })}
    </div>
    <p>
      <label class="check">
        <input
          type="checkbox"
          name="disposed"
          value="${TICKED}"
          ${flag('checked', isDisposedShown)}
        />
        <span>${words.showDisposed}</span>
      </label>
    </p>
    <button type="submit">${words.simulate}</button>
  </form>`;
}

/** The widest first, because it is used most. */
const DIRECTIONS = RECALL_DIRECTIONS.toReversed();

function similarLots(brand: string, simulated: Simulated, reader: Reader): Html {
  if (simulated.kind !== 'refused' || simulated.similar.length === 0) return html``;
  const { similar } = reader.words.console.simulation;
  return html`<p>${similar}</p>
    <ul class="chips">
      ${simulated.similar.map(
        (lotCode) =>
          html`<li>
            <a class="chip" href="${askedPath(brand, { ...simulated.asked, lotCode })}"
              >${said(lotCode)}</a
            >
          </li>`,
      )}
    </ul>`;
}

function supplierChoice(
  brand: string,
  { asked, suppliers }: Extract<Simulated, { readonly kind: 'choose' }>,
  reader: Reader,
): Html {
  const words = reader.words.console.simulation;
  return html`<section class="card" aria-labelledby="choose-title">
    <h2 id="choose-title">${words.chooseTitle}</h2>
    <p>${words.chooseLead}</p>
    <ul class="simulation-choices">
      ${suppliers.map(
        (supplierName) =>
          html`<li>
            <a class="button quiet" href="${askedPath(brand, { ...asked, supplierName })}"
              >${said(supplierName)}</a
            >
          </li>`,
      )}
    </ul>
    ${
      suppliers.length < SUPPLIERS_NAMED
        ? ''
        : html`<p class="hint">${words.chooseCut(reader.formats.number(SUPPLIERS_NAMED))}</p>`
    }
  </section>`;
}

/** Makes the state of the form from the address. */
export function askedForm(values: FormState['values']): FormState {
  return { ...EMPTY_FORM, values };
}
