// Draws the balance of a lot: a bar of what was received or made, above a bar of where it went and what remains, and
// beside them the table that says the same. A number in each piece of a bar is that of its row, so that no colour is
// needed.
import { said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type Big from 'big.js';
import type { Reader } from '../../web/words/reader.ts';
import type { BalanceRow, BalanceSheet } from './balance.ts';

/** Percent of the width of the drawing. A narrower piece has no room for the number of its row. */
const NUMBERED_PERCENT_MIN = 6;
/** Pixels from the top: of each bar, and how high one is. */
const BAR_TOPS = { in: 2, out: 40 } as const;
const BAR_HEIGHT = 30;
const NUMBER_DOWN = 20;

interface Piece {
  /** Row of the table, from 1; undefined: none. */
  readonly number: number | undefined;
  readonly kind: 'in' | 'out' | 'rest' | 'missing';
  readonly amount: Big;
}

/** @param heading names the product if a lot has several */
export function balanceFigure(sheet: BalanceSheet, heading: HtmlValue, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  const { cameIn, wentOut, totalIn, totalOut, remaining } = sheet;
  const isShort = remaining.lt(0);
  const ins = cameIn.map((row, index): Piece => ({
    ...{ number: index + 1, kind: 'in', amount: row.amount },
  }));
  const outs = wentOut.map((row, index): Piece => ({
    ...{ number: cameIn.length + index + 1, kind: 'out', amount: row.amount },
  }));
  const last = cameIn.length + wentOut.length + 1;
  const rest: readonly Piece[] = remaining.eq(0)
    ? []
    : [{ number: last, kind: isShort ? 'missing' : 'rest', amount: remaining.abs() }];
  const whole = totalOut.gt(totalIn) ? totalOut : totalIn;
  const amount = (value: Big): string => reader.formats.quantity(value.toFixed(), sheet.unit);
  const summary = words.balanceSummary(amount(totalIn), amount(totalOut), amount(remaining));
  return html`<div class="balance">
    ${heading}
    ${
      whole.eq(0)
        ? ''
        : html`<svg class="balance-bars" role="img" aria-label="${summary}">
            ${bar(isShort ? [...ins, ...rest] : ins, 'in', whole)}
            ${bar(isShort ? outs : [...outs, ...rest], 'out', whole)}
          </svg>`
    }
    ${balanceTable(sheet, amount, reader)}
  </div>`;
}

function bar(pieces: readonly Piece[], side: keyof typeof BAR_TOPS, whole: Big): readonly Html[] {
  const top = BAR_TOPS[side];
  let before = whole.minus(whole);
  return pieces.map(({ number, kind, amount }) => {
    const [x, width] = [toPercent(before, whole), toPercent(amount, whole)];
    before = before.plus(amount);
    const label =
      width < NUMBERED_PERCENT_MIN || number === undefined
        ? ''
        : html`<text
            x="${percentText(x + width / 2)}"
            y="${top + NUMBER_DOWN}"
            text-anchor="middle"
          >
            ${number}
          </text>`;
    return html`<rect
        class="piece-${kind}"
        x="${percentText(x)}"
        y="${top}"
        width="${percentText(width)}"
        height="${BAR_HEIGHT}"
      />
      ${label}`;
  });
}

function toPercent(amount: Big, whole: Big): number {
  return amount.div(whole).times(100).toNumber();
}

function percentText(percent: number): string {
  return `${percent.toFixed(3)}%`;
}

function balanceTable(
  { cameIn, wentOut, counted, remaining }: BalanceSheet,
  amount: (value: Big) => string,
  reader: Reader,
): Html {
  const { lot: words } = reader.words.console;
  const isShort = remaining.lt(0);
  const last = cameIn.length + wentOut.length + 1;
  return html`<table class="sheet">
    <caption class="hidden">
      ${words.balanceTitle}
    </caption>
    <thead class="hidden">
      <tr>
        <th scope="col">${words.row}</th>
        <th scope="col">${words.what}</th>
        <th scope="col">${words.quantity}</th>
      </tr>
    </thead>
    <tbody>
      ${cameIn.map((row, index) => line(row, { number: index + 1, sign: '+', kind: 'in' }))}
      ${wentOut.map((row, index) =>
        line(row, { number: cameIn.length + index + 1, sign: '−', kind: 'out' }),
      )}
      ${
        cameIn.length + wentOut.length > 0
          ? ''
          : html`<tr>
              <td></td>
              <td class="muted" colspan="2">${words.nothingMoved}</td>
            </tr>`
      }
      <tr class="sum">
        <td><span class="piece piece-${isShort ? 'missing' : 'rest'}">${last}</span></td>
        <th scope="row">
          ${isShort ? html`<span class="bad">${icon('warning')} ${words.overIssued}</span>` : words.remaining}
        </th>
        <td class="number">= ${amount(remaining)}</td>
      </tr>
      ${counted.map(
        ({ name, amount: value }) =>
          html`<tr class="muted">
            <td></td>
            <td>${words.countedAlready(words.parts[name])}</td>
            <td class="number">${amount(value)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

  function line(
    row: BalanceRow,
    {
      number,
      sign,
      kind,
    }: { readonly number: number; readonly sign: string; readonly kind: string },
  ): Html {
    return html`<tr>
      <td><span class="piece piece-${kind}">${number}</span></td>
      <td>${words.parts[row.name]}</td>
      <td class="number">${sign} ${amount(row.amount)}</td>
    </tr>`;
  }
}

/** Writes the heading of the balance of one SKU, for a lot with several SKUs. */
export function balanceHeading(sku: Html, unit: string): Html {
  return html`<h3>${sku} <small class="muted">${said(unit)}</small></h3>`;
}
