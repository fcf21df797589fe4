// What a page says of the public log: which entry it shows, who has confirmed it, and how to check that
// without this hub. No more than is so.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import { instantOf } from '@lothub/verify';
import { proofPath } from '../log/proof-path.ts';
import type { LogStanding, SecondOpinion } from '../log/standing.ts';
import { checkModule } from './assets.ts';
import { blockLink, blockPath, time, verdict } from './fragments.ts';
import { groupedNumber } from './labels.ts';
import type { Page } from './layout.ts';

/** Where the page `docs/trust.md` is. */
const TRUST_PATH = '/api-docs/trust';
/** The module finds its place on the page by this name. */
const PLACE_ID = 'check-here';

/** What a browser checks: one block, or the evidence of a lot. */
export type Checked =
  { readonly kind: 'block' } | { readonly kind: 'lot'; readonly evidencePath: string };

/** Nothing is checked by a page that has nothing signed to check. */
export function logModule(standing: LogStanding): Pick<Page, 'module'> {
  return standing.kind === 'signed' ? { module: checkModule() } : {};
}

export function logSection(standing: LogStanding, checked: Checked): Html {
  return html`<section aria-labelledby="log">
    <h2 id="log">Public log</h2>
    ${standing.kind === 'signed' ? signed(standing, checked) : unsigned(standing.kind)}
  </section>`;
}

type Signed = Extract<LogStanding, { kind: 'signed' }>;

function signed(standing: Signed, checked: Checked): Html {
  const { epoch, height } = standing;
  const log = `/log/${epoch}`;
  const proof = proofPath(epoch, height);
  return html`<p>Entry ${groupedNumber(height)} of this hub’s public log.</p>
    ${opinionOn(standing)} ${timeStamped(standing, checked)}
    <p>
      ${checked.kind === 'lot' ? html`This is ${blockLink(height)}, the newest of this lot. ` : null}
      ${
        checked.kind === 'lot'
          ? html`<a href="${checked.evidencePath}">Evidence file</a>`
          : html`<a href="${proof}">Proof file</a>`
      }
      · <a href="${TRUST_PATH}">What this proves, and how to check it without us</a>
    </p>
    ${
      checked.kind === 'lot'
        ? html`<div
            id="${PLACE_ID}"
            data-keys="${log}/vkeys"
            data-policy="${policyFor(standing)}"
            data-evidence="${checked.evidencePath}"
          ></div>`
        : html`<div
            id="${PLACE_ID}"
            data-keys="${log}/vkeys"
            data-policy="${policyFor(standing)}"
            data-proof="${proof}"
            data-text="${blockPath(height)}/canonical.txt"
          ></div>`
    }`;
}

const NOBODY_ELSE = 'Signed by the operator only; nobody else has confirmed it yet.';

/** Who else has confirmed the entry; green only when so many have as the hub asks for. */
function opinionOn({ opinion, height }: Signed): Html {
  const nobody = html`<p>${NOBODY_ELSE}</p>`;
  if (opinion === undefined) return nobody;
  const { quorum, size } = opinion;
  const isMet = quorum.state === 'met';
  if (size <= height) {
    if (!isMet) return nobody;
    const before = html`<p>The first ${groupedNumber(size)} blocks: ${seenBy(opinion)}</p>`;
    return html`${nobody} ${before} ${listed(opinion)}`;
  }
  if (isMet) return html`${verdict(true, seenBy(opinion))} ${listed(opinion)}`;
  const isSeen = quorum.witnessed.length > 0;
  const few = html`<p>${seenBy(opinion)} These are fewer than this hub asks for.</p>`;
  return html`${isSeen ? few : nobody} ${listed(opinion)}`;
}

function seenBy({ quorum }: SecondOpinion): Html {
  const { witnessed, witnesses } = quorum;
  const names = witnessed.map(({ witness }) => witness.name).join(', ');
  const since = quorum.at ?? witnessed.at(-1)?.time;
  return html`Seen by ${witnessed.length} of ${witnesses} independent
  ${witnesses === 1 ? 'witness' : 'witnesses'}
  (${names})${since === undefined ? null : html` on ${time(instantOf(since))}`}.`;
}

/** Each witness that has signed: who runs it, and whether it counts. */
function listed({ cosigned, quorum }: SecondOpinion): Html {
  const counted = new Set(quorum.witnessed.map(({ witness }) => witness));
  return html`<ul>
    ${cosigned.map(
      ({ witness: { witness, operator, isOwn }, time: seconds }) =>
        html`<li>
          ${witness.name}:
          ${operator === undefined ? 'this hub does not say who runs it' : `run by ${operator}`}.
          ${isOwn ? 'It is under this hub’s own domain and counts as none.' : null}
          ${!isOwn && !counted.has(witness) ? 'This hub does not count it.' : null} It signed on
          ${time(instantOf(seconds))}.
        </li>`,
    )}
  </ul>`;
}

/** Judged by a browser in place of the operator's word alone. */
function policyFor({ opinion, height }: Signed): string {
  const isConfirmed =
    opinion !== undefined && opinion.size > height && opinion.quorum.state === 'met';
  return isConfirmed ? (opinion.policyText ?? '') : '';
}

function timeStamped({ timeStamp, height }: Signed, checked: Checked): Html | null {
  if (timeStamp === undefined) return null;
  const stamp = `/log/${timeStamp.epoch}/timestamp/${timeStamp.size}`;
  const proof =
    checked.kind === 'lot'
      ? html`<a href="${checked.evidencePath}&amp;timestamp=true">Evidence file under it</a>`
      : html`<a href="${stamp}/proof/${height}">Proof file under it</a>`;
  return html`<p>
    Time-stamped by ${timeStamp.service}: it existed on ${time(timeStamp.stamped_at)} at the latest.
    <a href="${stamp}">Time stamp</a> · <a href="${stamp}/checkpoint">What was stamped</a> ·
    ${proof}
  </p>`;
}

const UNSIGNED_WORDS: Readonly<Record<Exclude<LogStanding['kind'], 'signed' | 'held'>, string>> = {
  off: 'This hub keeps no public log.',
  building: 'The public log of this hub is being built.',
  unsigned: 'This is newer than what the public log has signed.',
};

function unsigned(kind: Exclude<LogStanding['kind'], 'signed'>): Html {
  if (kind !== 'held') return html`<p>${UNSIGNED_WORDS[kind]}</p>`;
  return html`<p class="verdict bad">
    <span class="icon" aria-hidden="true">!</span> The operator’s log cannot be confirmed at
    present.
  </p>`;
}
