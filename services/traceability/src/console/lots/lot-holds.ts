// The holds that a lot is under, with who set them and why, and the forms that set and end one.
import { EMPTY_FORM, field, said, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { MANUAL_HOLD } from '../../ledger/draft.ts';
import { REASON_MAX } from '../../lots/lot-schema.ts';
import type { LotRecord } from '../../lots/record.ts';
import { time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { casePagePath, lotPagePath } from '../paths.ts';
import { term } from '../help/terms.ts';

type Hold = LotRecord['holds'][number];

export interface HoldsView {
  readonly brand: string;
  readonly record: LotRecord;
  readonly mayHold: boolean;
  /** State of the refused form; `case_no` says which form it is. */
  readonly form: FormState;
}

export function holdsSection(view: HoldsView, reader: Reader): Html {
  const { record, mayHold } = view;
  const { lot: words } = reader.words.console;
  const { holds } = record;
  const isHeldByHand = holds.some(({ case_no: source }) => source === MANUAL_HOLD);
  if (holds.length === 0 && !mayHold) return html``;
  return html`<section class="card" aria-labelledby="holds-title">
    <h2 id="holds-title">${term('hold', reader, words.holds)}</h2>
    ${holds.length === 0 ? html`<p class="muted">${words.notHeld}</p>` : ''}
    <ul class="plain">
      ${holds.map((hold) => holdItem(hold, view, reader))}
    </ul>
    ${mayHold && !isHeldByHand ? holdForm(view, reader) : ''}
  </section>`;
}

function holdItem(hold: Hold, view: HoldsView, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  const isManual = hold.case_no === MANUAL_HOLD;
  return html`<li>
    <p>
      ${icon('hold')}
      <b
        >${isManual ? words.byHand : html`<a href="${casePagePath(view.brand, hold.case_no)}">${hold.case_no}</a>`}</b
      >
      · ${said(hold.by)} · ${time(hold.since, reader)}
    </p>
    <p>${said(hold.reason)}</p>
    ${view.mayHold ? releaseForm(hold, view, reader) : ''}
  </li>`;
}

function releaseForm(hold: Hold, view: HoldsView, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  const isRefused = view.form.values['case_no'] === hold.case_no;
  const form = isRefused ? view.form : EMPTY_FORM;
  return html`<details class="edit" ${isRefused ? html`open` : ''}>
    <summary>
      ${words.release}<span class="hidden">
        ${hold.case_no === MANUAL_HOLD ? words.byHand : hold.case_no}</span
      >
    </summary>
    <form method="post" action="${lotPagePath(view.brand, view.record.lot_code)}/release">
      <input type="hidden" name="case_no" value="${hold.case_no}" />
      ${field({
        name: 'reason',
        label: words.releaseReason,
        form,
        maxLength: REASON_MAX,
        scope: `release-${hold.case_no}`,
      })}
      <button class="quiet" type="submit">${words.releaseNow}</button>
    </form>
  </details>`;
}

function holdForm(view: HoldsView, reader: Reader): Html {
  const { lot: words } = reader.words.console;
  const isRefused = view.form !== EMPTY_FORM && view.form.values['case_no'] === undefined;
  const form = isRefused ? view.form : EMPTY_FORM;
  return html`<details class="edit" ${isRefused ? html`open` : ''}>
    <summary>${words.hold}</summary>
    <p class="hint">${words.holdLead}</p>
    <form method="post" action="${lotPagePath(view.brand, view.record.lot_code)}/hold">
      ${field({
        name: 'reason',
        label: words.holdReason,
        form,
        required: true,
        maxLength: REASON_MAX,
        scope: 'hold',
      })}
      <button class="danger" type="submit">${words.holdNow}</button>
    </form>
  </details>`;
}
