// Log-ins that are under way at the provider: kept in the database, so that whichever process the browser comes
// back to knows them, for a short time, for one browser, and for one use.
import assert from 'node:assert/strict';
import type { Clock } from '@lothub/kit/clock';
import { randomBase62 } from '@lothub/kit/secrets/base62';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { hashesEqual } from '@lothub/kit/secrets/secrets';
import type { PeopleStore } from '../store/store.ts';
import {
  WHILE_ANYTHING,
  deleteAttempt,
  deleteExcessAttempts,
  deleteExpiredAttempts,
  findAttempt,
  insertAttempt,
  whileAttemptIsKept,
} from './attempt-queries.ts';
import type { BegunSignOn } from './identity-provider.ts';
import { SignOnProblem } from './problems.ts';

/** Time to type a password and a second factor at the provider. */
export const ATTEMPT_LIFE_MS = 10 * 60 * 1_000;
/** Attempts that are kept; a further one replaces the oldest. */
const ATTEMPTS_MAX = 10_000;
/** 256 bits in base62. */
const BROWSER_SECRET_LENGTH = 43;
const BROWSER_SECRET_FORM = /^[0-9A-Za-z]{43}$/;
/** openid-client makes 43 characters; longer ones are not ours. */
const STATE_LENGTH_MAX = 100;

interface AttemptDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
}

export type Attempt = Pick<BegunSignOn, 'state' | 'nonce' | 'verifier'> & {
  /** Path that the browser goes to in the end. */
  readonly next: string;
};

/**
 * Keeps a log-in that begins.
 * @param browserSecret of the browser's cookie, when it has one: several tabs share it
 * @returns the value for the cookie
 */
export async function keepAttempt(
  { store, clock }: AttemptDeps,
  request: { readonly attempt: Attempt; readonly browserSecret: string | undefined },
): Promise<string> {
  const { attempt } = request;
  const known = request.browserSecret ?? '';
  const browserSecret = BROWSER_SECRET_FORM.test(known)
    ? known
    : randomBase62(BROWSER_SECRET_LENGTH);
  const nowMs = clock.nowMs();
  // A planned change: two that delete the same rows at once would stop each other.
  const { kind } = await store.change({
    guard: WHILE_ANYTHING,
    statements: [
      deleteExpiredAttempts(nowMs),
      deleteExcessAttempts({ keptMax: ATTEMPTS_MAX - 1 }),
      insertAttempt({
        stateHash: sha256Hex(attempt.state),
        browserHash: sha256Hex(browserSecret),
        nonce: attempt.nonce,
        verifier: attempt.verifier,
        next: attempt.next,
        expiresAt: nowMs + ATTEMPT_LIFE_MS,
      }),
    ],
  });
  assert(kind === 'done', 'a log-in that begins depends on nothing');
  return browserSecret;
}

/**
 * Finds the attempt that a browser returns with. The attempt is used up, even if the log-in fails.
 * @throws SignOnProblem `expired` when it is unknown, used, too old or of another browser
 */
export async function takeAttempt(
  { store, clock }: AttemptDeps,
  request: { readonly state: string | undefined; readonly browserSecret: string | undefined },
): Promise<Attempt> {
  const { state, browserSecret } = request;
  if (state === undefined || state.length > STATE_LENGTH_MAX) throw new SignOnProblem('expired');
  const stateHash = sha256Hex(state);
  const kept = await findAttempt(store.reader, { stateHash, nowMs: clock.nowMs() });
  // An attempt of another browser is kept: that browser may still return.
  if (kept === undefined || browserSecret === undefined) throw new SignOnProblem('expired');
  if (!hashesEqual(kept.browserHash, sha256Hex(browserSecret))) throw new SignOnProblem('expired');
  const { kind } = await store.change({
    guard: whileAttemptIsKept(stateHash),
    statements: [deleteAttempt(stateHash)],
  });
  if (kind === 'stale') throw new SignOnProblem('expired');
  return { state, nonce: kept.nonce, verifier: kept.verifier, next: kept.next };
}
