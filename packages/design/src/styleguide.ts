// Every part of the pages in each of its states, for developers who change one. A part that is missing here is not
// shared.
import { readFileSync } from 'node:fs';
import { html, type Html } from '@lothub/kit/html';
import { copyButton, shortHash } from './copy-button.ts';
import { ICON_NAMES, icon } from './icons.ts';
import { linkedText } from './linked-text.ts';
import { rowsTable, wideTable } from './tables.ts';

const COPY_WORDS = { label: 'Copy', done: 'Copied', failed: 'Select it and copy' };
const HASH = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
const WORDS = 'Wheat with ergot: do not eat it. Bring it back to the shop.';
const LONG = 'W'.repeat(60);

const STATES = [
  ['good', 'good'],
  ['bad', 'bad'],
  ['warn', 'warning'],
  ['unknown', 'unknown'],
] as const;

/** Body of the page. */
export function styleguide(): Html {
  return html`<h1>Style guide</h1>
    <p class="lead">Parts that pages are put together from, each in its states.</p>
    ${section('Colours', swatches())} ${section('Type', type())} ${section('Icons', icons())}
    ${section('Verdict', verdicts())} ${section('Notice', notices())} ${section('Cards', cards())}
    ${section('Milestones', milestones())} ${section('Fold', folds())} ${section('Facts', facts())}
    ${section('Chips', chips())} ${section('Buttons', buttons())} ${section('Fields', fields())}
    ${section('Codes and hashes', codes())} ${section('Tables', tables())}
    ${section('Pager', pager())}
    ${section('Texts of others', html`<p>${linkedText('See https://mill.example or call +49 30 1234567.')}</p>`)}`;
}

function section(name: string, content: Html): Html {
  const id = name.toLowerCase().replace(/\W+/g, '-');
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${name}</h2>
    ${content}
  </section>`;
}

/** The colours as the reader's scheme has them. */
function swatches(): Html {
  const tokens = readFileSync(new URL('css/tokens.css', import.meta.url), 'utf8');
  const names = new Set([...tokens.matchAll(/--([\w-]+): #/g)].map(([, name = '']) => name));
  return html`<ul class="chips">
    ${[...names].map(
      (name) =>
        html`<li class="chip">
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <rect width="20" height="20" fill="var(--${name})" stroke="var(--edge)" />
          </svg>
          ${name}
        </li>`,
    )}
  </ul>`;
}

function type(): Html {
  return html`<div class="card">
    <h3>A heading of a part</h3>
    <p class="lead">What is read first.</p>
    <p>What is read then, with <a href="#type">a link</a>, <code>code</code> and <kbd>?</kbd>.</p>
    <p class="muted">What is read last.</p>
    <pre>{ "a": "text of a program" }</pre>
    <p><bdi>كتب من اليمين إلى اليسار</bdi>, and the text beside it.</p>
  </div>`;
}

function icons(): Html {
  return html`<ul class="chips">
    ${ICON_NAMES.map((name) => html`<li class="chip">${icon(name)} ${name}</li>`)}
  </ul>`;
}

function verdicts(): Html {
  return html`${STATES.map(
    ([state, name]) =>
      html`<div class="verdict ${state}">
        ${icon(name)} <strong>A verdict that is ${name}.</strong>
        <p>${WORDS}</p>
      </div>`,
  )}`;
}

function notices(): Html {
  return html`<div class="notice">
      ${icon('info')}
      <p>A plain fact.</p>
    </div>
    ${STATES.filter(([state]) => state !== 'unknown').map(
      ([state, name]) =>
        html`<div class="notice ${state}">
          ${icon(name)}
          <h3>A notice that is ${name}</h3>
          <p>${WORDS}</p>
        </div>`,
    )}`;
}

function cards(): Html {
  return html`<ul class="cards">
    <li class="card">
      <h3><a class="whole" href="#cards">All of it is the link</a></h3>
      <p class="muted">${WORDS}</p>
    </li>
    <li class="card">
      <h3>Without a link</h3>
      <p>${LONG}</p>
    </li>
    <li class="card"><p class="empty">There is nothing yet.</p></li>
  </ul>`;
}

function milestones(): Html {
  return html`<ol class="milestones">
    ${(['farm', 'factory', 'truck', 'store'] as const).map(
      (name) =>
        html`<li>
          ${icon(name)}
          <h3>At the ${name}</h3>
          <p class="muted">2 March 2026</p>
        </li>`,
    )}
  </ol>`;
}

function folds(): Html {
  return html`<details class="fold">
      <summary>${icon('shield')} Closed</summary>
      <p>${WORDS}</p>
    </details>
    <details class="fold" open>
      <summary>Open</summary>
      <p>${WORDS}</p>
    </details>`;
}

function facts(): Html {
  const pairs = [
    ['Brand', 'Haverfield Mill'],
    ['Product', LONG],
  ] as const;
  const list = pairs.map(
    ([name, value]) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
  );
  return html`<dl class="facts">${list}</dl>
    <dl class="facts across">${list}</dl>`;
}

function chips(): Html {
  return html`<ul class="chips">
    <li class="chip">plain</li>
    <li class="chip good">good</li>
    <li class="chip bad">bad</li>
    <li class="chip warn">warning</li>
    <li class="chip info">information</li>
    <li><a class="chip" href="#chips">a link</a></li>
    <li><a class="chip" href="#chips" aria-current="true">chosen</a></li>
  </ul>`;
}

function buttons(): Html {
  return html`<p class="row">
    <button type="button">${icon('check')}Do it</button>
    <button class="quiet" type="button">Or this</button>
    <button class="danger" type="button">Delete it</button>
    <button type="button" disabled>Not now</button>
    <a class="button" href="#buttons">${icon('download')}A link</a>
    <a class="button quiet" href="#buttons">A quiet link</a>
  </p>`;
}

function fields(): Html {
  return html`<form class="ask" action="#fields" role="search">
      <label for="sg-code">Lot code</label>
      <div class="row">
        <input id="sg-code" name="code" />
        <button type="submit">${icon('search')}Look up</button>
      </div>
    </form>
    <div class="field">
      <label for="sg-name">Name</label>
      <p class="hint" id="sg-name-hint">As others see it</p>
      <input id="sg-name" aria-describedby="sg-name-hint" />
    </div>
    <div class="field">
      <label for="sg-wrong">Address</label>
      <input id="sg-wrong" value="none" aria-invalid="true" aria-describedby="sg-wrong-error" />
      <p class="field-error" id="sg-wrong-error">${icon('warning')}This is no address.</p>
    </div>
    <div class="field">
      <label for="sg-choice">Choice</label>
      <select id="sg-choice">
        <option>One</option>
        <option>Other</option>
      </select>
    </div>
    <label class="check" for="sg-check"
      ><input id="sg-check" type="checkbox" checked /> Ticked</label
    >`;
}

function codes(): Html {
  return html`<p><code class="code">CAKE-0302</code>${copyButton('CAKE-0302', COPY_WORDS)}</p>
    <p>${shortHash(HASH, COPY_WORDS)}</p>
    <p><code class="hash">${HASH}</code></p>`;
}

function tables(): Html {
  const rows = [
    ['1', 'Received', '2 March 2026', HASH],
    ['2', LONG, '3 March 2026', HASH],
  ] as const;
  const head = ['Block', 'What', 'When', 'Hash'];
  const lines = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map((cell) => html`<td>${cell}</td>`)}
      </tr>`,
  );
  return html`<h3>Rows that become blocks</h3>
    ${rowsTable({ caption: 'Rows that become blocks', head, rows })}
    <h3>One that scrolls</h3>
    ${wideTable('A wide table', head, lines)}`;
}

function pager(): Html {
  return html`<nav class="pager" aria-label="Pages">
    <a rel="prev" href="#pager">${icon('back')}Newer</a>
    <a rel="next" href="#pager">Older${icon('next')}</a>
  </nav>`;
}
