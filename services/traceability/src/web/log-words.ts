// Writes what a page shows of the public log: the number of the entry, who has confirmed it, and
// how to check that without this hub. It claims no more than is proven.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { instantOf } from '@lothub/verify';
import { proofPath } from '../log/proof-path.ts';
import type { LogStanding, SecondOpinion } from '../log/standing.ts';
import { checkModule, checkingModule } from './assets.ts';
import { blockLink, blockPath, time, verdict } from './fragments.ts';
import type { Page } from './layout.ts';
import type { Reader } from './words/reader.ts';

/** The path of the page `docs/trust.md`. */
const TRUST_PATH = '/api-docs/trust';
/** The module finds its place on the page by this name. */
const PLACE_ID = 'check-here';

/** The thing that a browser checks: one block, or the evidence of a lot. */
export type Checked =
  { readonly kind: 'block' } | { readonly kind: 'lot'; readonly evidencePath: string };

/** A page without a signed entry has no module, because it has nothing to check. */
export function logModule(standing: LogStanding): Pick<Page, 'module'> {
  return standing.kind === 'signed' ? { module: checkModule() } : {};
}

/** Makes the whole section about the log, with a heading. */
export function logSection(standing: LogStanding, checked: Checked, reader: Reader): Html {
  return html`<section aria-labelledby="log">
    <h2 id="log">${reader.words.log.heading}</h2>
    ${
      standing.kind === 'signed'
        ? html`${logEntry(standing, reader)} ${logAnswer(standing, reader)}
          ${logDetail(standing, checked, reader)} ${checkPlace(standing, checked, reader)}`
        : logAnswer(standing, reader)
    }
  </section>`;
}

type Signed = Extract<LogStanding, { kind: 'signed' }>;

/** Writes in a sentence who else has confirmed the block; or why this is unknown. */
export function logAnswer(standing: LogStanding, reader: Reader): Html {
  const words = reader.words.log;
  switch (standing.kind) {
    case 'signed':
      return opinionOn(standing, reader);
    case 'held':
      return html`<p class="verdict bad">${icon('critical')} ${words.held}</p>`;
    default:
      return html`<p>${words[standing.kind]}</p>`;
  }
}

/**
 * Makes the place where a browser that runs modules offers to check; null without a signed entry.
 */
export function checkPlace(standing: LogStanding, checked: Checked, reader: Reader): Html | null {
  if (standing.kind !== 'signed') return null;
  const { epoch, height } = standing;
  const { check } = reader.words;
  const subject =
    checked.kind === 'lot'
      ? html`data-evidence="${checked.evidencePath}"`
      : html`data-proof="${proofPath(epoch, height)}" data-text="${blockPath(height)}/canonical.txt"`;
  // It is as high as its button, so that nothing moves when the button appears.
  return html`<div
    id="${PLACE_ID}"
    class="check-place"
    data-label="${check.button}"
    data-failed="${check.nothingChecked(check.notReached)}"
    data-module="${checkingModule(reader.language).path}"
    data-keys="/log/${epoch}/vkeys"
    data-policy="${policyFor(standing)}"
    ${subject}
  ></div>`;
}

/** Writes the number of the entry in the log. */
export function logEntry(
  standing: LogStanding,
  { formats, words }: Pick<Reader, 'formats' | 'words'>,
): Html | null {
  if (standing.kind !== 'signed') return null;
  return html`<p>${words.log.entry(formats.number(standing.height))}</p>`;
}

/** Writes each witness, time stamps and the files to check elsewhere. */
export function logDetail(standing: LogStanding, checked: Checked, reader: Reader): Html | null {
  if (standing.kind !== 'signed') return null;
  const { epoch, height } = standing;
  const words = reader.words.log;
  return html`${standing.opinion === undefined ? null : listed(standing.opinion, reader)}
    ${timeStamped(standing, checked, reader)}
    <p>
      ${checked.kind === 'lot' ? html`${words.newestOfLot(blockLink(height, reader))} ` : null}
      ${
        checked.kind === 'lot'
          ? html`<a href="${checked.evidencePath}">${words.evidenceFile}</a>`
          : html`<a href="${proofPath(epoch, height)}">${words.proofFile}</a>`
      }
      · <a href="${TRUST_PATH}">${words.trust}</a>
    </p>`;
}

/**
 * Writes who else has confirmed the entry; green only when as many have as the hub's policy
 * requires.
 */
function opinionOn({ opinion, height }: Signed, reader: Reader): Html {
  const words = reader.words.log;
  const nobody = html`<p>${words.nobodyElse}</p>`;
  if (opinion === undefined) return nobody;
  const { quorum, size } = opinion;
  const isMet = quorum.state === 'met';
  if (size <= height) {
    if (!isMet) return nobody;
    const count = reader.formats.number(size);
    return html`${nobody}
      <p>${words.firstBlocks(count, seenBy(opinion, reader))}</p>`;
  }
  if (isMet) return verdict(true, seenBy(opinion, reader));
  if (quorum.witnessed.length === 0) return nobody;
  return html`<p>${seenBy(opinion, reader)} ${words.tooFew}</p>`;
}

function seenBy({ quorum }: SecondOpinion, reader: Reader): Html {
  const { witnessed, witnesses } = quorum;
  const { formats, words } = reader;
  const since = quorum.at ?? witnessed.at(-1)?.time;
  return words.log.seenBy({
    cosigned: formats.number(witnessed.length),
    witnesses: formats.number(witnesses),
    names: witnessed.map(({ witness }) => witness.name).join(', '),
    at: since === undefined ? undefined : time(instantOf(since), reader),
  });
}

/** Lists each witness that has signed: who runs it, and whether it counts. */
function listed({ cosigned, quorum }: SecondOpinion, reader: Reader): Html {
  const words = reader.words.log;
  const counted = new Set(quorum.witnessed.map(({ witness }) => witness));
  return html`<ul>
    ${cosigned.map(
      ({ witness: { witness, operator, isOwn }, time: seconds }) =>
        html`<li>
          ${words.witness(witness.name, operator)} ${isOwn ? words.ownWitness : null}
          ${!isOwn && !counted.has(witness) ? words.notCounted : null}
          ${words.signedOn(time(instantOf(seconds), reader))}
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

function timeStamped({ timeStamp, height }: Signed, checked: Checked, reader: Reader): Html | null {
  if (timeStamp === undefined) return null;
  const words = reader.words.log;
  const stamp = `/log/${timeStamp.epoch}/timestamp/${timeStamp.size}`;
  const proof =
    checked.kind === 'lot'
      ? html`<a href="${checked.evidencePath}&amp;timestamp=true">${words.evidenceUnder}</a>`
      : html`<a href="${stamp}/proof/${height}">${words.proofUnder}</a>`;
  return html`<p>
    ${words.timeStamped(timeStamp.service, time(timeStamp.stamped_at, reader))}
    <a href="${stamp}">${words.timeStamp}</a> · <a href="${stamp}/checkpoint">${words.stamped}</a> ·
    ${proof}
  </p>`;
}
