// A redacted notification: what is shown in place of its texts. Its place, severity, sender and time stay.
import { SENT_MEMBERS } from '../sent-members.ts';

/** In place of the title, so that a reader who knows nothing of redaction shows something true. */
export const REDACTED_TITLE = 'Text removed';

/** A notification as it is sent to readers, without its texts. */
export function withoutTexts(
  notification: Readonly<Record<string, unknown>>,
  redactedAt: string,
): Readonly<Record<string, unknown>> {
  const kept = Object.entries(notification).filter(([name]) => !(name in SENT_MEMBERS));
  return {
    ...Object.fromEntries(kept),
    title: REDACTED_TITLE,
    body: null,
    redacted_at: redactedAt,
  };
}
