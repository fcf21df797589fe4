// Notices which sessions of open streams have ended, in this process or in another one. Requests need not
// ask: the gate looks each time.
import { sessionEnds, findValidSessions } from '@lothub/people/access/session-ends';
import type { PeopleStore } from '@lothub/people/store/store';

export interface SessionWatchOptions {
  readonly people: Pick<PeopleStore, 'reader' | 'onCommit'>;
  readonly hasOpen: () => boolean;
  /** Token hashes of the sessions that streams are open with. */
  readonly open: () => readonly string[];
  /** Called with those of them that have ended. */
  readonly onEnded: (tokenHashes: ReadonlySet<string>) => void;
  readonly onError: (error: unknown) => void;
}

export class SessionWatch {
  readonly #options: SessionWatchOptions;
  readonly #stop: () => void;
  /** How often sessions had been ended when it last looked; undefined: it has to look. */
  #ends: number | undefined;
  #isLooking = false;
  #isDue = false;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
    this.#stop = options.people.onCommit(() => void this.#look());
  }

  /**
   * Whether the session of a stream is valid. Call it once the stream is among the open ones: this check finds an
   * earlier end, and the watch finds a later one.
   */
  async isValid(tokenHash: string): Promise<boolean> {
    return (await findValidSessions(this.#options.people.reader, [tokenHash])).has(tokenHash);
  }

  close(): void {
    this.#stop();
  }

  /** Commits that come while it looks make it look once more. */
  async #look(): Promise<void> {
    this.#isDue = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#isDue) {
      this.#isDue = false;
      try {
        await this.#lookOnce();
      } catch (error) {
        this.#ends = undefined;
        this.#options.onError(error);
      }
    }
    this.#isLooking = false;
  }

  async #lookOnce(): Promise<void> {
    const { people, hasOpen, open, onEnded } = this.#options;
    if (!hasOpen()) {
      this.#ends = undefined;
      return;
    }
    // The count is read before the list: a stream that opens in between is in the list, or checks its session itself.
    const ends = await sessionEnds(people.reader);
    if (ends === this.#ends) return;
    const asked = open();
    if (asked.length === 0) return;
    const valid = await findValidSessions(people.reader, asked);
    this.#ends = ends;
    const ended = new Set(asked.filter((tokenHash) => !valid.has(tokenHash)));
    if (ended.size > 0) onEnded(ended);
  }
}
