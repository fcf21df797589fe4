// "Check in this browser": fetches what is to be checked and its proof, hashes, walks to the root, checks the
// signature, and shows each step and what it means. Without this module the page says the same by links.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import { SignaturesUnsupported, verifyEvidence, verifyProof } from '@lothub/verify';
import type { Report, StepName } from '@lothub/verify';

const PLACE_ID = 'check-here';

/** What a reader learns from a step. */
const MEANINGS: Readonly<Record<StepName, string>> = {
  file: 'The file is well formed, and about what this page is about.',
  epochs: 'The operator has signed that the log goes on under another name, and what was lost.',
  log: 'The operator has signed the tree that these hashes lead to.',
  witnesses:
    'Each of them keeps the newest tree that it has seen of this log, and signs no tree that contradicts it.',
  blocks: 'Each text gives its hash, and its hash leads to the signed root.',
  chain: 'Blocks that follow each other name each other’s hash.',
  kept: 'The tree goes on from the one that was checked before.',
  disclosures: 'Values that were given open their commitments.',
};

const place = document.getElementById(PLACE_ID);
if (place !== null) offer(place);

function offer(at: HTMLElement): void {
  show(at, html`<p><button type="button">Check in this browser</button></p>`);
  at.querySelector('button')?.addEventListener('click', () => void check(at));
}

async function check(at: HTMLElement): Promise<void> {
  show(at, html`<p role="status">Checking…</p>`);
  try {
    const keys = await textOf(at.dataset['keys']);
    show(at, result(await believed(at.dataset, keys), keys));
  } catch (error) {
    show(at, failure(error));
  }
}

/** By the witnesses that the hub names; where too few have signed what came, on the operator's word. */
async function believed(subject: DOMStringMap, keys: string): Promise<Report> {
  const { policy } = subject;
  if (policy !== undefined && policy !== '') {
    const report = await reportOf(subject, policy);
    if (report.outcome.verdict !== 'refused' || report.outcome.code !== 'no_quorum') return report;
  }
  return await reportOf(subject, policyOf(keys));
}

async function reportOf({ evidence, proof, text }: DOMStringMap, policy: string): Promise<Report> {
  if (evidence !== undefined) return await verifyEvidence({ file: await textOf(evidence), policy });
  const [file, canonical] = await Promise.all([textOf(proof), textOf(text)]);
  return await verifyProof({ proof: file, canonical, policy });
}

/** @throws Error for every answer but a 200 */
async function textOf(path: string | undefined): Promise<string> {
  if (path === undefined) throw new Error('the page does not say what to fetch');
  const answer = await fetch(path, { cache: 'no-cache' });
  if (!answer.ok) throw new Error(`the hub answered ${answer.status} for ${path}`);
  return await answer.text();
}

/** Believes the key that the hub names, and nobody else: what is shown says so. */
function policyOf(keys: string): string {
  const lines = keys.split('\n').filter((line) => line !== '');
  return [...lines.map((vkey) => `log ${vkey}`), 'quorum none', ''].join('\n');
}

function result({ outcome, steps }: Report, keys: string): Html {
  return html`<h3 tabindex="-1">Checked in this browser</h3>
    ${verdictOn(outcome)}
    <ol>
      ${steps.map(
        ({ name, isGood, text }) =>
          html`<li>
            <strong>${isGood ? 'Good.' : 'Wrong.'}</strong> ${text}
            ${isGood ? meaningOf(name, outcome) : null}
          </li>`,
      )}
    </ol>
    <p>
      This page, its program, the key and the names of the witnesses came from this hub. Compare the
      key with one that you have from elsewhere, or check the file with a program of your own:
    </p>
    <p><code class="hash">${keys.trim()}</code></p>`;
}

function verdictOn(outcome: Report['outcome']): Html {
  switch (outcome.verdict) {
    case 'witnessed': {
      const { cosigned, of, at } = outcome.witnessed;
      return html`<p class="verdict good">
        <span class="icon" aria-hidden="true">✓</span> <strong>Proved,</strong> and seen by
        ${cosigned} of ${of} independent witnesses: it existed at ${at} at the latest.
      </p>`;
    }
    case 'operator_only':
      return html`<p class="verdict">
        <strong>Proved,</strong> on the word of the operator alone: nobody else has signed.
      </p>`;
    case 'refused':
      return html`<p class="verdict bad">
        <span class="icon" aria-hidden="true">✕</span> <strong>Refused:</strong> ${outcome.reason}
      </p>`;
  }
}

function meaningOf(step: StepName, { verdict }: Report['outcome']): string {
  return step === 'witnesses' && verdict === 'operator_only'
    ? 'So this is the operator’s word, which it can be held to.'
    : MEANINGS[step];
}

function failure(error: unknown): Html {
  const isOld = error instanceof SignaturesUnsupported;
  const reason = error instanceof Error ? error.message : String(error);
  return html`<p class="verdict bad">
      <span class="icon" aria-hidden="true">!</span>
      ${
        isOld
          ? 'This browser cannot check signatures here: it needs https and a newer version.'
          : html`Nothing was checked: ${reason}.`
      }
    </p>
    <p>The links above lead to the file and to other ways of checking it.</p>`;
}

function show(at: HTMLElement, content: Html): void {
  // Made by the template tag, which escapes whatever is put into it.
  at.innerHTML = content.text;
  at.querySelector<HTMLElement>('h3')?.focus();
}
