// The pages of people who watch: the questions to confirm or end a watch, everything that is stored
// about them, and the next steps. A link of a mail opens a page with a button, so programs that
// open links change nothing.
import { html, type Html } from '@lothub/kit/html';
import { EMAIL_LENGTH_MAX } from '@lothub/people/access/email';
import { instantText } from '@lothub/kit/clock';
import type { Notice } from '../../lots/notices/schema.ts';
import { WATCH, type LinkPurpose } from '../../watching/links.ts';
import { nameOfTarget } from '../../watching/target-name.ts';
import type { NamedTarget } from '../../watching/targets.ts';
import type { WatchRow } from '../../watching/watch-queries.ts';
import type { Page } from '../layout.ts';
import { noticeArticle } from '../notice.ts';
import type { Reader } from '../words/reader.ts';

/** A watch with its subject; undefined when the brand no longer exists. */
export interface NamedWatch {
  readonly watch: WatchRow;
  readonly target: NamedTarget | undefined;
}

/** The page after a request that may send a mail: the same for known and unknown addresses. */
export function mailedPage(what: 'asked' | 'listed', { words }: Reader): Page {
  const { title, text } = words.watching[what];
  return buildPage(title, html`<p class="lead">${text}</p>`);
}

export function askPage({ words }: Reader): Page {
  const { ask, email } = words.watching;
  return buildPage(
    ask.title,
    html`<p class="lead">${ask.text}</p>
      <form class="watch" method="post" action="${WATCH}/list">
        <div class="row">
          <label for="watch-email">${email}</label>
          <input
            id="watch-email"
            name="email"
            type="email"
            required
            maxlength="${EMAIL_LENGTH_MAX}"
            autocomplete="email"
          />
          <button type="submit">${ask.button}</button>
        </div>
      </form>`,
  );
}

export function gonePage({ words }: Reader): Page {
  const { title, text } = words.watching.gone;
  return buildPage(title, html`<p class="lead">${text}</p>`);
}

/** The question of a link, with the button that answers it. */
export function questionPage(
  purpose: Exclude<LinkPurpose, 'list'>,
  asked: NamedWatch & { readonly token: string },
  reader: Reader,
): Page {
  const { title, text, button } = reader.words.watching[purpose];
  const ends = renderDay(asked.watch.expiresAt, reader);
  return buildPage(
    title,
    html`<p class="lead">${text(targetName(asked, reader), ends)}</p>
      <form class="watch" method="post" action="${WATCH}/${purpose}">
        <input type="hidden" name="w" value="${asked.token}" />
        <button type="submit">${button}</button>
      </form>`,
  );
}

/** @param notices open recalls of the subject that is watched now */
export function confirmedPage(
  watch: NamedWatch & { readonly notices: readonly Notice[] },
  reader: Reader,
): Page {
  const { confirm } = reader.words.watching;
  return buildPage(
    confirm.done,
    html`<p class="lead">${confirm.text(targetName(watch, reader))}</p>
      <p>${confirm.doneText}</p>
      ${
        watch.notices.length === 0
          ? null
          : html`<h2>${confirm.recalledNow}</h2>
              ${watch.notices.map((notice) => noticeArticle(notice, reader))}`
      }
      ${watch.target === undefined ? null : html`<p><a href="${watch.target.path}">${confirm.see}</a></p>`}`,
  );
}

export function endedPage({ words }: Reader): Page {
  const { done, doneText } = words.watching.end;
  return buildPage(done, html`<p class="lead">${doneText}</p>`);
}

export function renewedPage(watch: NamedWatch, reader: Reader): Page {
  const { done } = reader.words.watching.renew;
  return buildPage(done, html`<p class="lead">${targetName(watch, reader)}</p>`);
}

/** Shows everything that is stored about an address, unchanged. */
export function listPage(
  kept: {
    readonly address: string;
    readonly watches: readonly NamedWatch[];
    readonly token: string;
  },
  reader: Reader,
): Page {
  const { list } = reader.words.watching;
  if (kept.watches.length === 0)
    return buildPage(list.title, html`<p class="lead">${list.none}</p>`);
  return buildPage(
    list.title,
    html`<p class="lead">${list.intro(html`<bdi>${kept.address}</bdi>`)}</p>
      <ul class="watches">
        ${kept.watches.map(
          (one) =>
            html`<li>
              ${targetLink(one, reader)}
              <small class="muted"
                >${
                  one.watch.status === 'pending'
                    ? list.pending
                    : list.until(renderDay(one.watch.expiresAt, reader))
                }
                · ${one.watch.language}</small
              >
              ${endButton({ ...kept, id: one.watch.id, label: list.endOne })}
            </li>`,
        )}
      </ul>
      ${endButton({ ...kept, id: 'all', label: list.endAll })}`,
  );
}

/** @param button.id of a watch, or `all` */
function endButton(button: {
  readonly token: string;
  readonly id: string;
  readonly label: string;
}): Html {
  return html`<form class="watch" method="post" action="${WATCH}/list/end">
    <input type="hidden" name="w" value="${button.token}" />
    <input type="hidden" name="id" value="${button.id}" />
    <button type="submit" class="${button.id === 'all' ? 'danger' : 'quiet'}">
      ${button.label}
    </button>
  </form>`;
}

function renderDay(ms: number, { formats }: Reader): Html {
  const instant = instantText(ms);
  return html`<time datetime="${instant}">${formats.date(instant)}</time>`;
}

function targetName({ watch, target }: NamedWatch, reader: Reader): Html {
  const name = target === undefined ? watch.target : nameOfTarget(target, reader);
  return html`<strong><bdi>${name}</bdi></strong>`;
}

function targetLink(named: NamedWatch, reader: Reader): Html {
  const name = targetName(named, reader);
  return named.target === undefined ? name : html`<a href="${named.target.path}">${name}</a>`;
}

function buildPage(title: string, content: Html): Page {
  return {
    title,
    body: html`<h1>${title}</h1>
      ${content}`,
  };
}
