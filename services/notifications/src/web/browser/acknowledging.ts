// Taking up a critical notification beside its whole text: who did and what was said, or the form for it.
import { html, type Html } from '@lothub/kit/html';
import { icon } from '@lothub/design/icons';
import { notificationPath, renderTime } from './notification-item.ts';
import type { ShownAcknowledgement, ShownNotification } from './notification-item.ts';

/** As long as a comment may be. */
const COMMENT_LENGTH_MAX = 1_000;

export function acknowledgedNote(by: ShownAcknowledgement & { readonly at: string }): Html {
  const { name, at, comment } = by;
  return html`<div class="acknowledged-note">
    <p class="acknowledged">
      ${icon('check')}<span>Acknowledged by <bdi>${name}</bdi>, ${renderTime(at)}</span>
    </p>
    ${comment === undefined ? '' : html`<blockquote><bdi>${comment}</bdi></blockquote>`}
  </div>`;
}

export function acknowledgeForm(
  one: Pick<ShownNotification, 'group_id' | 'seq'>,
  query: string,
): Html {
  return html`<form
    class="acknowledge-form"
    method="post"
    action="${notificationPath(one)}/ack${query}"
    data-act="ack"
  >
    <label for="comment">Comment, shown to the group (optional)</label>
    <textarea id="comment" name="comment" rows="2" maxlength="${COMMENT_LENGTH_MAX}"></textarea>
    <button class="acknowledge" type="submit">Acknowledge</button>
  </form>`;
}
