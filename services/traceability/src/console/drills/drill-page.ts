// A drill with its certificate, to be printed on A4 or Letter: who traced what, when, how fast, what was found, and
// the block that says so.
import { message, said } from '@lothub/design/desk-parts';
import { wideTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { PARTS } from '../../ledger/record/event-types.ts';
import type { Drill, DrillResult } from '../../recall/drill/schema.ts';
import { blockLink, blockPath, brandName, hash, time } from '../../web/fragments.ts';
import type { NameInLanguages } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { lotLink } from '../lots/lot-chips.ts';
import { brandPath } from '../paths.ts';
import { askedPath } from '../simulation/asked.ts';
import { secondsText } from './drills-page.ts';
import { figureRow } from '../parts.ts';
import { factList, type Fact } from '../../web/fact-list.ts';
import { term } from '../help/terms.ts';

export interface DrillView {
  readonly brand: string;
  readonly drill: Drill;
  readonly name: NameInLanguages;
  readonly hubName: string;
  /** Of the hub, without a slash at the end. */
  readonly publicUrl: string;
  readonly maySimulate: boolean;
  readonly done: string | undefined;
}

export function drillPage(view: DrillView, reader: Reader): Html {
  const { brand, drill, done } = view;
  const { drills: words, cases } = reader.words.console;
  return headed({
    crumbs: [
      { href: brandPath(brand, 'recalls'), label: cases.title },
      { href: brandPath(brand, 'drills'), label: words.title },
    ],
    heading: words.heading(String(drill.id)),
    summary: html`<span class="print-none">${words.printAdvice}</span>`,
    done,
    body: certificate(view, reader),
  });
}

function certificate(view: DrillView, reader: Reader): Html {
  const { drill, name, hubName } = view;
  const { drills: words } = reader.words.console;
  const { result } = drill;
  return html`<article class="card certificate" aria-labelledby="certificate-title">
    <h2 id="certificate-title">${words.certificate}</h2>
    <p class="lead">${words.ofBrand(brandName(name, reader), said(hubName))}</p>
    ${factList(whatWasDone(view, reader))}
    <h3>${words.foundTitle}</h3>
    ${figures(result, reader)} ${result.truncated ? message('bad', words.cut) : ''}
    <h3>${words.balanceTitle}</h3>
    ${balance(result, reader)}
    ${
      drill.block_height === null
        ? ''
        : html`<p>
            ${words.check(html`<code>${view.publicUrl}${blockPath(drill.block_height)}</code>`)}
          </p>`
    }
    <div class="signatures">${words.signatures.map((label) => html`<p>${label}</p>`)}</div>
  </article>`;
}

function whatWasDone({ brand, drill, maySimulate }: DrillView, reader: Reader): readonly Fact[] {
  const { drills: words, simulation } = reader.words.console;
  const isOwn = drill.result.seed === 'own';
  const lot = isOwn
    ? lotLink(brand, drill.lot_code)
    : html`<span class="code">${said(drill.lot_code)}</span>`;
  const again = maySimulate
    ? html`<a class="print-none" href="${askedPath(brand, { lotCode: drill.lot_code })}"
        >${simulation.simulate}</a
      >`
    : '';
  const sealed =
    drill.block_height === null || drill.block_hash === null
      ? words.notSealed
      : html`${blockLink(drill.block_height, reader)} ${hash(drill.block_hash)}`;
  return [
    [words.lot, html`${lot} (${isOwn ? words.ownLot : words.supplierLot}) ${again}`],
    [words.startedAt, time(drill.drilled_at, reader)],
    [words.by, said(drill.drilled_by)],
    [words.tracedIn, html`<strong>${secondsText(drill, reader)}</strong>`],
    [words.knownAt, html`${blockLink(drill.chain.height, reader)} ${hash(drill.chain.tip_hash)}`],
    [words.sealedIn, sealed],
  ];
}

function figures(result: DrillResult, { words, formats }: Reader): Html {
  const { drills } = words.console;
  const all: readonly (readonly [string, number])[] = [
    [drills.lots, result.lots],
    [drills.upstream, result.upstream],
    [drills.downstream, result.downstream],
    [drills.products, result.products],
    [drills.events, result.events],
    [drills.shipments, result.shipments],
    [drills.customers, result.customers],
    [drills.suppliers, result.suppliers],
  ];
  return figureRow(
    drills.title,
    all.map(([label, count]) => ({ label, value: formats.number(count) })),
  );
}

function balance(result: DrillResult, reader: Reader): Html {
  const { drills: words } = reader.words.console;
  const { formats } = reader;
  if (result.balance.length === 0) return html`<p>${words.noBalance}</p>`;
  // Columns that are empty in every row are left out: they would only take room.
  const parts = PARTS.filter((part) => result.balance.some((one) => one[part] !== 0));
  return html`<p class="hint">${words.balanceLead}</p>
    ${wideTable(
      words.balanceTitle,
      [
        words.product,
        ...parts.map((part) => words.parts[part]),
        words.remaining,
        term('massBalanceOfDrill', reader, words.accounted),
      ],
      result.balance.map(
        (one) =>
          html`<tr>
            <td>${said(one.product_sku)}</td>
            ${[...parts.map((part) => one[part]), one.remaining].map(
              (amount) => html`<td class="number">${formats.quantity(amount, one.unit)}</td>`,
            )}
            <td class="number">
              ${
                one.accounted_percent === null
                  ? words.nothingCame
                  : words.percent(formats.number(one.accounted_percent))
              }
            </td>
          </tr>`,
      ),
    )}
    ${result.balance_truncated ? html`<p>${words.balanceCut}</p>` : ''}`;
}
