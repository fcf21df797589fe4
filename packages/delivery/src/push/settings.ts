// The setting of Web Push, which both services read.
import type { SettingsReader } from '@lothub/kit/settings';

/** `mailto:` with an address, or a page that says how to write to somebody. */
const CONTACT_FORM = /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/;

/** @returns undefined: what `choosePushContact` makes of the public address */
export function readPushContact(reader: SettingsReader): string | undefined {
  return reader.checkedText(
    'PUSH_CONTACT',
    (text) => CONTACT_FORM.test(text) && URL.canParse(text),
    'mailto: and an e-mail address, or an https address',
  );
}

/** Push services take no http address, which a hub on one machine has. */
export function choosePushContact(settings: {
  readonly contact: string | undefined;
  readonly publicUrl: string;
}): string {
  return settings.contact ?? `https://${new URL(settings.publicUrl).host}`;
}
