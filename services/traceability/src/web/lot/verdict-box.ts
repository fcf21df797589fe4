// The answer at the top of the page of a lot: one sentence, what to do now, why, and who to contact.
import { icon, type IconName } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { Notice } from '../../lots/notices/schema.ts';
import type { VerifiedLot } from '../../verification/verify-lot.ts';
import { chooseText } from '../../lots/profiles/language.ts';
import { brandName, chosenText, languageMark } from '../fragments.ts';
import { brandsAdvice, noticeTitle, pickReason, recallPath } from '../notice.ts';
import { recallsPath } from '../recall-pages.ts';
import type { Reader } from '../words/reader.ts';
import { contactLine } from './about-card.ts';
import { chooseAdviceKind, judgeLot, type Verdict, type VerdictKind } from './verdict.ts';

/** Further recalls that are named; the list of all has the rest. */
const FURTHER_SHOWN_MAX = 3;

type Look = readonly [className: 'bad' | 'warn' | 'unknown' | 'good', icon: IconName];

const LOOKS: Readonly<Record<VerdictKind, Look>> = {
  recalled: ['bad', 'critical'],
  examined: ['bad', 'critical'],
  withdrawn: ['warn', 'warning'],
  onHold: ['warn', 'hold'],
  unconfirmed: ['unknown', 'unknown'],
  clear: ['good', 'good'],
};

export function verdictBox(verified: VerifiedLot, reader: Reader): Html {
  const { answer: lot } = verified;
  const verdict = judgeLot(lot);
  const [look, iconName] = LOOKS[verdict.kind];
  const words = reader.words.lot;
  return html`<section class="verdict ${look}" aria-labelledby="verdict">
    ${icon(iconName)}
    <h1 id="verdict">${words.verdicts[verdict.kind]}</h1>
    ${whatToDo(verdict, verified, reader)} ${doubt(verdict, verified, reader)}
    ${verdict.kind === 'clear' ? null : contact(verdict, verified, reader)}
  </section>`;
}

function whatToDo(verdict: Verdict, { answer: lot }: VerifiedLot, reader: Reader): Html {
  const brand = brandName(lot.brand, reader);
  const words = reader.words.lot;
  switch (verdict.kind) {
    case 'onHold':
      return html`<p>${words.onHold(brand)}</p>`;
    case 'unconfirmed':
      return html`<p>${words.whetherRecalled(brand)}</p>`;
    case 'clear':
      return html`<p>${words.clear(brand)}</p>`;
    default:
      return html`${advice(verdict.notice, brand, reader)}
      ${verdict.notice === undefined ? null : why(verdict.notice, reader)}
      ${further(verdict.others, lot.lot.lot_code, reader)}`;
  }
}

function advice(notice: Notice | undefined, brand: Html, reader: Reader): Html {
  const { giveBack, what } = reader.words.advice;
  return html`<p class="advice"><strong>${what[chooseAdviceKind(notice)]}</strong></p>
    <p>${giveBack(brand)}</p>
    ${notice === undefined ? null : brandsAdvice(notice, reader)}`;
}

function why(notice: Notice, reader: Reader): Html {
  const { words } = reader;
  const reason = chooseText(pickReason(notice), reader.languages);
  return html`<p class="why">
    ${words.lot.why} <q>${chosenText(reason)}</q>${languageMark(reason, reader)} (<a
      href="${recallPath(notice.case_no)}"
      >${noticeTitle(notice, reader)}</a
    >)
  </p>`;
}

function further(others: readonly Notice[], lotCode: string, reader: Reader): Html | null {
  const { words } = reader;
  if (others.length === 0) return null;
  const more = others.length - FURTHER_SHOWN_MAX;
  return html`<p>${words.lot.furtherRecalls}</p>
    <ul>
      ${others.slice(0, FURTHER_SHOWN_MAX).map(
        (notice) =>
          html`<li>
            <a href="${recallPath(notice.case_no)}">${noticeTitle(notice, reader)}</a>
          </li>`,
      )}
      ${
        more > 0
          ? html`<li><a href="${recallsPath({ lotCode })}">${words.lot.more(String(more))}</a></li>`
          : null
      }
    </ul>`;
}

/** Writes what is uncertain about a lot that is not verified, besides the known facts. */
function doubt(verdict: Verdict, { answer: lot }: VerifiedLot, reader: Reader): Html | null {
  if (lot.verified || verdict.kind === 'unconfirmed') return null;
  const brand = brandName(lot.brand, reader);
  const isRecalled = verdict.kind !== 'onHold' && verdict.kind !== 'clear';
  const { whetherFurther, whetherRecalled } = reader.words.lot;
  return html`<p>${isRecalled ? whetherFurther(brand) : whetherRecalled(brand)}</p>`;
}

/** Writes the contact, if the brand has given one. */
function contact(
  verdict: Verdict,
  { answer: lot, contact: ways }: VerifiedLot,
  reader: Reader,
): Html | null {
  const before =
    verdict.kind === 'onHold'
      ? html`${reader.words.advice.contact(brandName(lot.brand, reader))} `
      : null;
  return contactLine(ways, before);
}
