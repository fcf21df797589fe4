// Links of mails: an action and its watch, signed with a key of the hub. Links are not stored, so each mail can
// contain a new one. A link is valid as long as its watch exists.
import { createHmac } from 'node:crypto';
import { hashesEqual } from '@lothub/kit/secrets/secrets';

export const WATCH = '/watch';

/** What a link opens; each has a page with a button, and nothing happens before it is pressed. */
export const LINK_PURPOSES = ['confirm', 'end', 'list', 'renew'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

export interface WatchLink {
  readonly purpose: LinkPurpose;
  readonly watchId: string;
  /** The end of a link that ends before its watch; undefined: it does not. */
  readonly untilMs?: number | undefined;
}

/** What is behind `?w=`: nothing of the address. */
const FORM = /^(?<watchId>wch_[0-9A-Za-z]{12})(?:\.(?<until>\d{1,15}))?\.(?<mac>[0-9a-f]{64})$/;

export const LINK_TOKEN_PATTERN = '^wch_[0-9A-Za-z.]{60,120}$';

export class WatchLinks {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  buildToken(link: WatchLink): string {
    const until = link.untilMs === undefined ? '' : `.${link.untilMs}`;
    return `${link.watchId}${until}.${this.#computeMac(link)}`;
  }

  /** The path with its query: queries are logged nowhere. */
  buildPath(link: WatchLink): string {
    return `${WATCH}/${link.purpose}?w=${this.buildToken(link)}`;
  }

  /** The id of the watch; undefined when the link is none of ours, or its time is over. */
  read(purpose: LinkPurpose, token: string, nowMs: number): string | undefined {
    const { watchId, until, mac } = FORM.exec(token)?.groups ?? {};
    if (watchId === undefined || mac === undefined) return undefined;
    const untilMs = until === undefined ? undefined : Number(until);
    if (!hashesEqual(mac, this.#computeMac({ purpose, watchId, untilMs }))) return undefined;
    return untilMs !== undefined && untilMs < nowMs ? undefined : watchId;
  }

  #computeMac({ purpose, watchId, untilMs }: WatchLink): string {
    const said = [purpose, watchId, untilMs ?? ''].join('\n');
    return createHmac('sha256', this.#key).update(said).digest('hex');
  }
}
