// Muting a group for oneself, among its settings: every member has it.
import { html, type Html } from '@lothub/kit/html';
import { MUTE_CHOICES, type MuteAnswer, type MuteChoice } from '../../devices/mute.ts';
import type { Group } from '../../groups/groups.ts';
import { renderTime } from '../browser/notification-item.ts';
import { actionButton } from '../fragments.ts';
import { groupPath } from './frame.ts';

const CHOICE_WORDS: Readonly<Record<MuteChoice, string>> = {
  '1h': 'For an hour',
  '8h': 'For 8 hours',
  tomorrow: 'Until 8:00 tomorrow',
  unmuted: 'Until I unmute it',
};

export function mutePanel(group: Group, { muted, until }: MuteAnswer): Html {
  const path = groupPath(group.id, 'settings');
  return html`<section class="card" id="mute" aria-labelledby="mute-title">
    <h2 id="mute-title">Mute for yourself</h2>
    ${
      muted
        ? html`<p>
              Muted ${until === null ? 'until you unmute it' : html`until ${renderTime(until)}`}:
              nothing of this group is sent to your devices or by mail, not even what is critical.
            </p>
            ${actionButton({ action: `${path}/unmute`, label: 'Unmute' })}`
        : html`<p>Mute this group: nothing of it is sent to your devices or by mail for a time.</p>
            <form method="post" action="${path}/mute">
              <div class="row-actions">
                ${MUTE_CHOICES.map(
                  (choice) =>
                    html`<button class="quiet" type="submit" name="for" value="${choice}">
                      ${CHOICE_WORDS[choice]}
                    </button>`,
                )}
              </div>
            </form>`
    }
    <p class="hint"><a href="/inbox/me#devices">Your devices and quiet hours</a></p>
  </section>`;
}
