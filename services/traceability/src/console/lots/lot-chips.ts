// Short labels of a lot on pages of the console: its state and whether it is on hold, each with an icon; and
// the link to its page.
import { said } from '@lothub/design/desk-parts';
import { icon, type IconName } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { HoldStatus, LotStatus } from '../../terms.ts';
import type { Reader } from '../../web/words/reader.ts';
import { lotPagePath } from '../paths.ts';

const OF_STATUS: Readonly<Record<LotStatus, { readonly icon: IconName; readonly kind: string }>> = {
  active: { icon: 'good', kind: 'good' },
  depleted: { icon: 'check', kind: '' },
  disposed: { icon: 'close', kind: '' },
  recalled: { icon: 'critical', kind: 'bad' },
};

export function lotStatusChip(status: LotStatus, { words }: Reader): Html {
  const { icon: name, kind } = OF_STATUS[status];
  return html`<span class="chip ${kind}"
    >${icon(name)}${words.console.lots.statuses[status]}</span
  >`;
}

/** Writes nothing for a lot that is not on hold. */
export function holdChip(holdStatus: HoldStatus, { words }: Reader): Html {
  if (holdStatus === 'released') return html``;
  return html`<span class="chip warn"
    >${icon('hold')}${words.console.lots.holdStatuses[holdStatus]}</span
  >`;
}

/** A code up to this length is not broken into lines, not even at hyphens. */
const SHORT_CODE_MAX = 20;

/** The code of a lot, which leads to its page. */
export function lotLink(brand: string, lotCode: string): Html {
  const isShort = lotCode.length <= SHORT_CODE_MAX;
  return html`<a class="${isShort ? 'code short' : 'code'}" href="${lotPagePath(brand, lotCode)}"
    >${said(lotCode)}</a
  >`;
}
