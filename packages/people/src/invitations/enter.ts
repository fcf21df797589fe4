// Enters a place in another database, after the transaction that uses the invitation up: at once, or later
// after a crash in between.
//
// The place is entered under a guard: the maker of the link still owns the group, and there is room. The audit of
// the group records which invitation was used, so entering may be repeated. When the group refuses, the invitation
// is opened again and the new account is removed.
import type { Sql } from 'sql-template-tag';
import { endSessions } from '../access/session-ends.ts';
import { placeText, readPlace, type Place } from '../places/place.ts';
import type { Acceptance, EnterOutcome, Entering } from '../places/places.ts';
import { SERVICE, insertAuditEntry } from '../store/audit.ts';
import type { InvitationDeps } from './deps.ts';
import {
  acceptedNotEntered,
  andNowhereElse,
  deleteAccount,
  enterInvitationRow,
  reopenInvitation,
  whileAcceptedBy,
} from './queries.ts';
import type { AcceptedRow } from './queries.ts';

/**
 * Longer than any request takes. Whoever accepted less long ago may be about to be let in, or refused, by
 * another process, and two that decide would leave a member without an account.
 */
export const ENTERING_MS_MAX = 60_000;
/** Looked at together at a start. */
const PAGE_ROWS = 100;

type EnteringElsewhere = Extract<Entering, { readonly kind: 'elsewhere' }>;

interface EnteringOf {
  readonly entering: EnteringElsewhere;
  readonly acceptance: Acceptance;
  readonly place: Place;
}

/**
 * Lets the person in who has just accepted. If the place refuses, the invitation is open again, and an account
 * that was made for it is deleted.
 * @param entered `isNew`: the account was made with the acceptance, and its cookie was not sent yet
 */
export async function settleEntering(
  deps: InvitationDeps,
  entered: EnteringOf & { readonly isNew: boolean },
): Promise<EnterOutcome> {
  const outcome = await enter(deps, entered);
  if (outcome === 'entered') return outcome;
  if (entered.isNew) await takeBack(deps, entered);
  await reopen(deps, entered);
  return outcome;
}

/**
 * Lets in who accepted and was not let in because a process ended in between. Does nothing for places that
 * this process does not serve.
 * @param which `id`: one invitation; `acceptedBefore`: only what was accepted by then. Where other processes
 * serve the same people it is ENTERING_MS_MAX ago.
 */
export async function finishEntering(
  deps: InvitationDeps,
  which: { readonly id?: string; readonly acceptedBefore: number },
): Promise<void> {
  const { id, acceptedBefore } = which;
  let after = '';
  for (;;) {
    const page = { id, acceptedBefore, after, limit: PAGE_ROWS };
    const rows = await acceptedNotEntered(deps.store.reader, page);
    for (const row of rows) {
      await finishOne(deps, row);
      after = row.id;
    }
    if (rows.length < PAGE_ROWS) return;
  }
}

async function finishOne(deps: InvitationDeps, row: AcceptedRow): Promise<void> {
  const place = readPlace(row.place);
  const entering = deps.places.find(place)?.entering;
  if (entering?.kind !== 'elsewhere') return;
  const { acceptedBy: accountId, name, role, invitedBy, acceptedAt: at } = row;
  const person = { accountId, name };
  const acceptance = { invitationId: row.id, placeId: place.id, role, invitedBy, person, at };
  const entered = { entering, acceptance, place };
  const outcome = await enter(deps, entered);
  // An account that was made with the acceptance stays, because its owner may have logged in since.
  if (outcome !== 'entered') await reopen(deps, entered);
}

async function enter(
  { store, clock }: InvitationDeps,
  { entering, acceptance }: EnteringOf,
): Promise<EnterOutcome> {
  const outcome = await entering.enter(acceptance);
  if (outcome === 'entered') {
    const { invitationId: id, person } = acceptance;
    await store.write([enterInvitationRow({ id, accountId: person.accountId, at: clock.nowMs() })]);
  }
  return outcome;
}

async function reopen(deps: InvitationDeps, { acceptance, place }: EnteringOf): Promise<void> {
  const key = { id: acceptance.invitationId, accountId: acceptance.person.accountId };
  await deps.store.change({
    guard: whileAcceptedBy(key),
    statements: reopening(deps, { acceptance, place }),
  });
}

/** Unless the account has entered another place since, for which its owner logged in with the password. */
async function takeBack(deps: InvitationDeps, { acceptance, place }: EnteringOf): Promise<void> {
  const { accountId } = acceptance.person;
  await deps.store.change({
    guard: whileAcceptedBy({ id: acceptance.invitationId, accountId }, [andNowhereElse(accountId)]),
    statements: [
      ...reopening(deps, { acceptance, place }),
      ...endSessions({ accountId, staying: null }),
      deleteAccount(accountId),
      insertAuditEntry({
        at: deps.clock.nowMs(),
        actor: SERVICE,
        action: 'account_taken_back',
        place: null,
        subject: accountId,
        details: {},
      }),
    ],
  });
}

function reopening(
  { clock }: InvitationDeps,
  { acceptance, place }: Omit<EnteringOf, 'entering'>,
): readonly Sql[] {
  const { invitationId: id } = acceptance;
  return [
    reopenInvitation(id),
    insertAuditEntry({
      at: clock.nowMs(),
      actor: SERVICE,
      action: 'invitation_reopened',
      place: placeText(place),
      subject: id,
      details: {},
    }),
  ];
}
