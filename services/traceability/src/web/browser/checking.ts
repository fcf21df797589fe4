// Checks a block or a lot in the reader's browser: fetches it and its proof, hashes, computes the
// root, checks the signature, and shows each step with its meaning. Without this module the page
// has links for the same.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { SignaturesUnsupported, judgeEvidence, judgeProof } from '@lothub/verify';
import type { Report, StepName } from '@lothub/verify';
import type { Formats } from '@lothub/languages';
import type { Words } from '../words/en.ts';

type CheckWords = Words['check'];

/** The language of the steps. */
export interface CheckReader {
  readonly words: CheckWords;
  readonly formats: Formats;
}

export async function checkIn(at: HTMLElement, reader: CheckReader): Promise<void> {
  const { words } = reader;
  show(at, html`<p role="status">${words.checking}</p>`);
  try {
    const keys = await fetchText(at.dataset['keys']);
    show(at, result(await believed(at.dataset, keys), { keys, reader }));
  } catch (error) {
    show(at, failure(error, at.dataset['keys'], words));
  }
}

/**
 * Checks by the witnesses that the hub names; if too few have signed, only by the operator's key.
 */
async function believed(subject: DOMStringMap, keys: string): Promise<Report> {
  const { policy } = subject;
  if (policy !== undefined && policy !== '') {
    const report = await judgeFiles(subject, policy);
    if (report.outcome.verdict !== 'refused' || report.outcome.code !== 'no_quorum') return report;
  }
  return await judgeFiles(subject, buildPolicy(keys));
}

async function judgeFiles(
  { evidence, proof, text }: DOMStringMap,
  policy: string,
): Promise<Report> {
  if (evidence !== undefined) {
    return await judgeEvidence({ file: await fetchText(evidence), policy });
  }
  const [file, canonical] = await Promise.all([fetchText(proof), fetchText(text)]);
  return await judgeProof({ proof: file, canonical, policy });
}

/** The hub refuses a proof because of its stored rows, or while its log is held. */
const UNAVAILABLE = 503;

/** An error: the hub did not send the requested response. */
class Unanswered extends Error {
  readonly path: string;
  /** Undefined when it could not be reached. */
  readonly status: number | undefined;

  constructor(path: string, status: number | undefined, said: string) {
    super(said);
    this.path = path;
    this.status = status;
  }
}

/** @throws Unanswered for every answer but a 200 */
async function fetchText(path: string | undefined): Promise<string> {
  if (path === undefined) throw new Error('the page does not say what to fetch');
  const answer = await fetch(path, { cache: 'no-cache' }).catch((error: unknown) => {
    throw new Unanswered(path, undefined, String(error));
  });
  const text = await answer.text();
  if (!answer.ok) throw new Unanswered(path, answer.status, text);
  return text;
}

/** Makes a policy that trusts only the key that the hub publishes; the page says so. */
function buildPolicy(keys: string): string {
  const lines = keys.split('\n').filter((line) => line !== '');
  return [...lines.map((vkey) => `log ${vkey}`), 'quorum none', ''].join('\n');
}

function result(
  { outcome, steps }: Report,
  { keys, reader }: { readonly keys: string; readonly reader: CheckReader },
): Html {
  const { words } = reader;
  return html`<h3 tabindex="-1">${words.heading}</h3>
    ${verdictOn(outcome, reader)}
    <ol>
      ${steps.map(
        ({ name, isGood, text }) =>
          html`<li>
            ${
              isGood
                ? html`<strong>${words.good}</strong> ${chooseMeaning(name, outcome, words)}`
                : html`<strong>${words.wrong}</strong> ${inEnglish(words.verifierSays, text)}`
            }
          </li>`,
      )}
    </ol>
    <p>${words.ownKey}</p>
    <p><code class="hash">${keys.trim()}</code></p>`;
}

function verdictOn(outcome: Report['outcome'], { formats, words }: CheckReader): Html {
  switch (outcome.verdict) {
    case 'witnessed': {
      const { cosigned, of: members, at } = outcome.witnessed;
      return html`<p class="verdict good">
        ${icon('good')}
        <strong>${words.proved}</strong> ${words.seen(cosigned, members, formats.instant(at))}
      </p>`;
    }
    case 'operator_only':
      return html`<p class="verdict">
        ${icon('check')} <strong>${words.proved}</strong> ${words.operatorOnly}
      </p>`;
    case 'refused':
      return html`<p class="verdict bad">
        ${icon('bad')} <strong>${words.refused}</strong> ${words.refusals[outcome.code]}
      </p>`;
  }
}

/** Facts such as heights and hashes are for experts, and are in English. */
function inEnglish(summary: string, text: string): Html {
  return html`<details>
    <summary>${summary}</summary>
    <p lang="en">${text}</p>
  </details>`;
}

function chooseMeaning(step: StepName, { verdict }: Report['outcome'], words: CheckWords): string {
  return step === 'witnesses' && verdict === 'operator_only'
    ? words.operatorsWord
    : words.meanings[step];
}

function failure(error: unknown, keysPath: string | undefined, words: CheckWords): Html {
  const isProofMissing =
    error instanceof Unanswered && error.status === UNAVAILABLE && error.path !== keysPath;
  if (isProofMissing) {
    return html`<h3 tabindex="-1">${words.heading}</h3>
      <p class="verdict bad">${icon('bad')} <strong>${words.refused}</strong> ${words.noProof}</p>
      ${inEnglish(words.hubSays, error.message)}`;
  }
  const isOld = error instanceof SignaturesUnsupported;
  return html`<p class="verdict bad">
      ${icon('warning')} ${isOld ? words.tooOld : words.nothingChecked(formatReason(error, words))}
    </p>
    <p>${words.otherWays}</p>`;
}

function formatReason(error: unknown, words: CheckWords): string {
  if (!(error instanceof Unanswered)) return error instanceof Error ? error.message : String(error);
  const { path, status } = error;
  return status === undefined ? words.notReached : words.hubAnswered(status, path);
}

function show(at: HTMLElement, content: Html): void {
  // The template tag escapes all its values.
  at.innerHTML = content.text;
  at.querySelector<HTMLElement>('h3')?.focus();
}
