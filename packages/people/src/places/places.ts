// What a place must offer so that people can be invited into it, and the list of places that a process
// knows. Brands and the hub keep their people beside the invitations, so a role is given in the
// transaction that uses the link up. A group of the inbox is in another database and is entered after
// that transaction.
import type { Sql } from 'sql-template-tag';
import type { Actor } from '../store/audit.ts';
import type { Place, PlaceKindName } from './place.ts';

/** What somebody may be in a place: of groups, of brands, of the hub. */
export type PlaceRole = 'owner' | 'member' | 'viewer' | 'quality' | 'manager' | 'operator';

/** Somebody who invites; null: the operator at the command line, who may always. */
export interface Inviter {
  readonly accountId: string | null;
  /** The role that the invitation gives. */
  readonly role: string;
}

/** An invitation that is used just now. */
export interface Acceptance {
  readonly invitationId: string;
  readonly placeId: string;
  readonly role: string;
  /** Account that made it; null: the command line. */
  readonly invitedBy: string | null;
  readonly person: { readonly accountId: string; readonly name: string };
  readonly at: number;
}

export type EnterOutcome =
  /** The person is in, by this call or by an earlier one for the same invitation. */
  | 'entered'
  /** The person was in before. */
  | 'in_already'
  | 'full'
  /** The place was deleted, or the inviter lost the right to invite. */
  | 'gone';

/** What is written where the place keeps its people beside the invitations. */
export interface HereWriting {
  /** Conditions of the guard, each begins with `and`. */
  readonly conditions: readonly Sql[];
  readonly statements: readonly Sql[];
}

export type Entering =
  | { readonly kind: 'here'; readonly plan: (acceptance: Acceptance) => HereWriting }
  /**
   * Lets the person in, in a database of its own. It is idempotent for one invitation, also after the
   * person has left the place again, because it is called again when a crash hid its outcome.
   */
  | {
      readonly kind: 'elsewhere';
      readonly enter: (acceptance: Acceptance) => Promise<EnterOutcome>;
    };

/** A place that somebody is in. */
export interface Stay {
  readonly place: Place;
  readonly name: string;
  readonly role: string;
  /** Milliseconds since the Unix epoch, UTC. */
  readonly since: number;
}

/** Names and values, as an export shows them. */
export type ExportedRow = Readonly<Record<string, string | number | boolean | null>>;

/** How somebody whose account is erased leaves all places of a kind. */
export type Leaving =
  | {
      readonly kind: 'here';
      /**
       * Conditions see the account as `a`.
       * @throws `conflict` when a place would lose its last manager or operator
       */
      readonly plan: (leaver: Leaver) => Promise<HereWriting>;
    }
  /**
   * Takes the person out in a database of its own, before the account is erased: a crash in between
   * leaves an account that is in none of these places and may be erased again.
   */
  | {
      readonly kind: 'elsewhere';
      /** @throws `conflict` when a place would lose its last owner; nothing is changed then */
      readonly assertMayLeave: (leaver: Leaver) => Promise<void>;
      readonly leave: (leaver: Leaver) => Promise<void>;
    };

export interface Leaver {
  readonly accountId: string;
  /** Who erases the account: the person, or the operator. */
  readonly actor: Actor;
  readonly at: number;
}

/** What happened to an invitation, for a place that keeps an audit of its own. */
export interface InvitationNote {
  readonly action: 'invitation_made' | 'invitation_revoked';
  readonly actor: Actor;
  readonly placeId: string;
  readonly invitationId: string;
  readonly role: string;
  readonly at: number;
}

/** One kind of place. */
export interface PlaceKind {
  readonly kind: PlaceKindName;
  /** Words of its refusals. */
  readonly words: {
    /** As a sentence begins, such as `A brand`. */
    readonly subject: string;
    /** Who gives invitations, such as `a manager`. */
    readonly inviter: string;
  };
  /** Roles that an invitation may give. */
  readonly roles: readonly PlaceRole[];
  /** The name for the holder of a link; nothing when there is no such place. */
  describe(placeId: string): Promise<{ readonly name: string } | undefined>;
  /**
   * Refuses a person who may not see and withdraw the place's invitations, or with a role, one who may not
   * invite for it.
   * @throws what the place's service answers with
   */
  assertMayInvite(
    actor: Actor,
    invitation: { readonly placeId: string; readonly role: string | undefined },
  ): Promise<void>;
  /** Judges whether makers of open invitations may still invite; asked once for all of a page. */
  findInviters(
    placeId: string,
    accountIds: readonly string[],
  ): Promise<(inviter: Inviter) => boolean>;
  /** Conditions of the guard under which an invitation is made, where the database allows them. */
  guardMaking(invitation: { readonly placeId: string; readonly inviter: Inviter }): readonly Sql[];
  /**
   * @param invitation `accountId` is null for an account that does not exist yet
   * @throws `conflict` when the person is in the place, `limit_reached` when it or the person is full
   */
  assertRoom(invitation: {
    readonly placeId: string;
    readonly accountId: string | null;
  }): Promise<void>;
  readonly entering: Entering;
  /** Where the person is: for the export of what is kept of somebody. */
  findStays(accountId: string): Promise<readonly Stay[]>;
  readonly leaving: Leaving;
  /** What else is kept of somebody there, such as tokens; never a secret. */
  exportMore?(accountId: string): Promise<Readonly<Record<string, readonly ExportedRow[]>>>;
  /** Ends what lets somebody in besides sessions, such as tokens. */
  endAccess?(accountId: string, at: number): Promise<void>;
  /**
   * Writes it into the place's own audit. A crash before it leaves the entry in the audit of people
   * alone.
   */
  note?(entry: InvitationNote): Promise<void>;
}

/** The places that this process knows; each service adds its own when it starts. */
export class PlaceRegistry {
  readonly #kinds = new Map<PlaceKindName, PlaceKind>();

  /**
   * @returns takes it out again, at the end of its service
   * @throws Error when the kind is there already
   */
  add(kind: PlaceKind): () => void {
    if (this.#kinds.has(kind.kind)) throw new Error(`adding places: ${kind.kind} is there already`);
    this.#kinds.set(kind.kind, kind);
    return () => void this.#kinds.delete(kind.kind);
  }

  /** Nothing when no service of this process knows such places. */
  find({ kind }: Pick<Place, 'kind'>): PlaceKind | undefined {
    return this.#kinds.get(kind);
  }

  all(): readonly PlaceKind[] {
    return [...this.#kinds.values()];
  }
}
