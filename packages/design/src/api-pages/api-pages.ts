// The description of an interface (OpenAPI 3.1) as pages: all endpoints by group, and one page for each with
// its parameters, bodies and answers as tables and a command that calls it. Rendered here, without a script of
// a viewer: readable on a telephone and by everybody, and as fast as any other page.
import { html, type Html } from '@lothub/kit/html';
import { copyButton } from '../copy-button.ts';
import { icon } from '../icons.ts';
import { curlCommand } from './curl.ts';
import { readDescription } from './description.ts';
import type { Content, Description, Operation, Parameter, Response } from './description.ts';
import { renderProse } from './prose.ts';
import { rowsTable } from '../tables.ts';
import { namesIn, schemaSection, typeWords } from './schema-tables.ts';

export interface ApiPage {
  readonly title: string;
  readonly body: Html;
}

export interface ApiPageOptions {
  /** Address of the page of all endpoints; those of each are below it, under its `operationId`. */
  readonly prefix: string;
  /** Address of the description itself, for programs. */
  readonly descriptionPath: string;
  /** Where people read how the interface is used. */
  readonly guide?: { readonly href: string; readonly words: string };
}

export class ApiPages {
  readonly #options: ApiPageOptions;
  readonly #describe: () => Promise<unknown>;
  #description: Description | undefined;

  /** @param describe gives the description once the service is open: it is asked when the first page is read */
  constructor(describe: () => Promise<unknown>, options: ApiPageOptions) {
    this.#describe = describe;
    this.#options = options;
  }

  async index(): Promise<ApiPage> {
    const { title, version, text, groups } = await this.#read();
    const { descriptionPath, guide } = this.#options;
    return {
      title: `API: ${title}`,
      body: html`<h1>${title}</h1>
        <p class="lead">${renderProse(text)}</p>
        <p>
          Version ${version}. For programs:
          <a href="${descriptionPath}">the same as OpenAPI 3.1</a>${
            guide === undefined
              ? null
              : html`; for people: <a href="${guide.href}">${guide.words}</a>`
          }.
        </p>
        ${groups.map((group) => this.#group(group))}`,
    };
  }

  /** The page of one endpoint; undefined when there is none of this name. */
  async operation(id: string): Promise<ApiPage | undefined> {
    const description = await this.#read();
    const operation = description.operations.get(id);
    if (operation === undefined) return undefined;
    return {
      title: operation.summary,
      body: operationBody(operation, { description, prefix: this.#options.prefix }),
    };
  }

  async #read(): Promise<Description> {
    return (this.#description ??= readDescription(await this.#describe()));
  }

  #group({ name, text, operations }: Description['groups'][number]): Html {
    const id = `group-${name.toLowerCase().replace(/\W+/g, '-')}`;
    return html`<section aria-labelledby="${id}">
      <h2 id="${id}">${name}</h2>
      ${text === '' ? null : html`<p class="muted">${renderProse(text)}</p>`}
      <ul class="endpoints">
        ${operations.map(
          (one) =>
            html`<li>
              <a href="${this.#options.prefix}/${one.id}">${one.summary}</a>
              ${renderEndpoint(one)}
            </li>`,
        )}
      </ul>
    </section>`;
  }
}

function renderEndpoint({ method, path }: Operation): Html {
  return html`<span class="endpoint"
    ><span class="method">${method}</span> <code>${path}</code></span
  >`;
}

function operationBody(
  operation: Operation,
  { description, prefix }: { readonly description: Description; readonly prefix: string },
): Html {
  const { parameters, body, responses } = operation;
  const [good, bad] = [responses.filter(isGood), responses.filter((one) => !isGood(one))];
  const command = curlCommand(operation, description);
  const contents = [...(body?.contents ?? []), ...responses.flatMap(({ contents: all }) => all)];
  const shapes = namesIn(
    contents.map(({ schema }) => schema),
    description.schemas,
  );
  return html`<p><a href="${prefix}">${icon('back')} All endpoints</a></p>
    <h1>${operation.summary}</h1>
    <p>${renderEndpoint(operation)}</p>
    ${operation.text === '' ? null : html`<p>${renderProse(operation.text)}</p>`}
    ${securityWords(operation, description)}
    ${parameters.length === 0 ? null : parameterTable(parameters)}
    ${
      body === undefined
        ? null
        : html`<h2>Body</h2>
            ${body.contents.map(renderContent)}`
    }
    <h2>Call it</h2>
    <pre>${command}</pre>
    <p>${copyButton(command, COPY_WORDS)} <span class="muted">Copy the command</span></p>
    <h2>Answers</h2>
    ${good.map(renderAnswer)} ${bad.length === 0 ? null : refusals(bad)}
    ${
      shapes.length === 0
        ? null
        : html`<h2>Shapes</h2>
            ${shapes.map(([name, schema]) => schemaSection(name, schema))}`
    }`;
}

const COPY_WORDS = {
  label: 'Copy the command',
  done: 'Copied',
  failed: 'Select it and copy',
};

function isGood({ status }: Response): boolean {
  return /^[123]/.test(status);
}

function securityWords({ security }: Operation, { schemes }: Description): Html {
  if (security.length === 0) return html`<p>Needs no credentials.</p>`;
  const ways = security.map((names) =>
    names.map((name) => {
      const scheme = schemes.get(name);
      return html`${scheme === undefined ? name : html`<code>${scheme.place}</code>`}`;
    }),
  );
  return html`<p>
    Credentials:
    ${ways.map(
      (way, at) =>
        html`${at === 0 ? null : ' or '}${way.map((one, index) => html`${index === 0 ? null : ' and '}${one}`)}`,
    )}.
  </p>`;
}

function parameterTable(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(({ name, place, isRequired, schema, text, example }) => [
    html`<code>${name}</code>${isRequired ? html` <span class="chip">required</span>` : null}`,
    place,
    typeWords(schema),
    html`${renderProse(text)}${example === undefined ? null : html` <span class="muted">Example: <code>${example}</code></span>`}`,
  ]);
  return html`<h2>Parameters</h2>
    ${rowsTable({ caption: 'Parameters', head: ['Name', 'In', 'Type', 'Meaning'], rows })}`;
}

function renderContent({ mediaType, schema, examples }: Content): Html {
  return html`<p><code>${mediaType}</code>: ${typeWords(schema)}</p>
    ${examples.map((example) => html`<pre>${example}</pre>`)}`;
}

function renderAnswer({ status, text, contents }: Response): Html {
  return html`<details class="fold" open>
    <summary><span class="chip good">${status}</span> ${text}</summary>
    ${contents.length === 0 ? html`<p>Without a body.</p>` : contents.map(renderContent)}
  </details>`;
}

function refusals(responses: readonly Response[]): Html {
  return html`<details class="fold">
    <summary>Refusals: ${responses.map(({ status }) => status).join(', ')}</summary>
    <dl class="facts">
      ${responses.map(
        ({ status, text, contents }) =>
          html`<div>
            <dt><span class="chip bad">${status}</span></dt>
            <dd>
              ${renderProse(text)} ${contents.map(({ schema }) => html`<br />${typeWords(schema)}`)}
            </dd>
          </div>`,
      )}
    </dl>
  </details>`;
}
