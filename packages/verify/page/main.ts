// The page verifier.html: takes a file and a policy, and shows each step and the verdict.
import { KeptUnreadable, SignaturesUnsupported, verifyEvidence, verifyProof } from '@lothub/verify';
import type { Report } from '@lothub/verify';
import { LogError, utf8 } from '@lothub/chain/log';
import { explain, explainLost, parseStatements, toPolicy } from './words.ts';

const FIRST_LINE_OF_PROOF = 'c2sp.org/tlog-proof@';
const BLOCK_HASH = /^[0-9a-f]{64}$/;

let chosen: { readonly name: string; readonly bytes: Uint8Array } | undefined;

const form = byId('form', HTMLFormElement);
const drop = byId('drop', HTMLElement);
const file = byId('file', HTMLInputElement);
const policy = byId('policy', HTMLTextAreaElement);
const policyFile = byId('policy-file', HTMLInputElement);
const epochs = byId('epochs', HTMLTextAreaElement);
const epochsFile = byId('epochs-file', HTMLInputElement);
const subject = byId('subject', HTMLTextAreaElement);
const result = byId('result', HTMLElement);

file.addEventListener('change', () => {
  void choose(file.files?.[0]);
});
for (const [input, field] of [
  [policyFile, policy],
  [epochsFile, epochs],
] as const) {
  input.addEventListener('change', () => {
    void input.files?.[0]?.text().then((text) => {
      field.value = text;
    });
  });
}
for (const [type, isOver] of [
  ['dragover', true],
  ['dragleave', false],
  ['drop', false],
] as const) {
  drop.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', isOver);
    if (type === 'drop') void choose(event.dataTransfer?.files[0]);
  });
}
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void verify();
});

async function choose(picked: File | undefined): Promise<void> {
  if (picked === undefined) return;
  chosen = { name: picked.name, bytes: new Uint8Array(await picked.arrayBuffer()) };
  byId('chosen', HTMLElement).textContent = `${chosen.name}, ${chosen.bytes.length} bytes.`;
  byId('text-section', HTMLElement).hidden = !isProof(chosen.bytes);
}

async function verify(): Promise<void> {
  if (chosen === undefined) {
    show('Choose a file first.', 'bad', []);
    return;
  }
  if (policy.value.trim() === '') {
    show('Say whom you believe: paste the key of the log, or a policy.', 'bad', [
      'The file names a log, but anybody can write a file. Without a key that you got elsewhere nothing can be proven.',
    ]);
    policy.focus();
    return;
  }
  try {
    showReport(await judge(chosen.bytes));
  } catch (error) {
    const isReaders =
      error instanceof LogError ||
      error instanceof KeptUnreadable ||
      error instanceof SignaturesUnsupported;
    if (!isReaders) throw error;
    show('Nothing was verified.', 'bad', [error.message]);
  }
}

async function judge(bytes: Uint8Array): Promise<Report> {
  const believed = { policy: toPolicy(policy.value), epochs: parseStatements(epochs.value) };
  if (!isProof(bytes)) return await verifyEvidence({ ...believed, file: bytes });
  const given = subject.value.trim();
  if (given === '') return await verifyProof({ ...believed, proof: bytes });
  return BLOCK_HASH.test(given)
    ? await verifyProof({ ...believed, proof: bytes, blockHash: given })
    : await verifyProof({ ...believed, proof: bytes, canonical: given });
}

function isProof(bytes: Uint8Array): boolean {
  const first = utf8(FIRST_LINE_OF_PROOF);
  return first.every((byte, index) => bytes[index] === byte);
}

/** Green only when witnesses confirm it. */
const KINDS = { witnessed: 'good', operator_only: 'plain', refused: 'bad' } as const;

function showReport({ outcome, sentence, steps, lost }: Report): void {
  const kind = KINDS[outcome.verdict];
  show(
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`,
    kind,
    [explain(outcome), ...(lost === undefined ? [] : [explainLost(lost)])],
    steps.map(({ isGood, text }) => `${isGood ? '✓' : '✗'} ${text}`),
  );
}

function show(
  heading: string,
  kind: 'good' | 'plain' | 'bad',
  sentences: readonly string[],
  steps: readonly string[] = [],
): void {
  const list = document.createElement('ol');
  list.append(...steps.map((step) => textElement('li', step)));
  const title = textElement('h2', heading);
  title.className = kind;
  result.replaceChildren(title, ...sentences.map((text) => textElement('p', text)), list);
  list.hidden = steps.length === 0;
  result.hidden = false;
  result.focus();
}

function textElement(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${id}`);
  return element;
}
