// The page at `/`: what this hub is, a form to look a lot up, and where to read on.
import { html } from '@lothub/kit/html';
import { lotForm } from './fragments.ts';
import type { Page } from './layout.ts';

export function startPage(options: { readonly hubName: string }): Page {
  return {
    title: 'Where a product comes from',
    body: html`
      <h1>Where a product comes from</h1>
      <p class="lead">
        Brands report to ${options.hubName} what happens to each lot of their products: received,
        produced, packed, shipped, sold. Each report becomes one block of a public chain of SHA-256
        hashes. Whoever keeps the proof of a block, or its hash, can show it when the operator
        changes or drops the block later. Nobody but the operator has confirmed the chain so far;
        that a report is true is the word of its brand.
      </p>
      ${lotForm()}
      <h2>Read on</h2>
      <dl class="links">
        <dt><a href="/recalls">Recalls</a></dt>
        <dd>Which lots are recalled now, why, and what to do.</dd>
        <dt><a href="/explorer">Chain explorer</a></dt>
        <dd>Every block of the chain, with its text and how to check it.</dd>
        <dt><a href="/api-docs">Guide</a></dt>
        <dd>
          For those who send events or check the chain: from the first event to its proof by hand.
        </dd>
        <dt><a href="/docs">API reference</a></dt>
        <dd>Every endpoint, to try out in the browser.</dd>
        <dt><a href="/api-docs/trust">Whom you have to trust</a></dt>
        <dd>
          What is proven and by whom, what the operator can still do, and how to check it without
          us.
        </dd>
        <dt><a href="/api-docs/chain-format">Chain format</a></dt>
        <dd>What is hashed, to the byte: enough to write a verifier of your own.</dd>
        <dt><a href="/public/explorer">The explorer as JSON</a></dt>
        <dd>For programs, as is <a href="/openapi.json">the description of the API</a>.</dd>
      </dl>
    `,
  };
}
