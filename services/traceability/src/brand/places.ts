// What consumers read about a place: how its changes are judged and planned.
import { present } from '@lothub/kit/present';
import { isTimeZone } from '@lothub/languages';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { Caller, Tip } from '../ledger/draft.ts';
import type { PlaceState } from '../ledger/record/decisions/contents.ts';
import { checkDigitFault } from '../lots/profiles/gs1.ts';
import { inLanguages } from '../lots/profiles/brand-texts.ts';
import { readInLanguages } from './in-languages.ts';
import { countPlaces, findPlace, type FoundPlace } from './queries.ts';
import { PROFILES_MAX, type PlaceAnswer, type PlaceInput } from './schema.ts';
import { changedMembers, changeProfile, type ProfileDeps } from './change-profile.ts';

export interface PlaceChange {
  readonly tenantId: string;
  readonly location: string;
  readonly caller: Caller;
}

/** @throws FieldsRefusal; Refusal `rule_broken` when the brand has too many; DatabaseError as the store's */
export async function setPlace(
  deps: ProfileDeps,
  change: PlaceChange,
  input: PlaceInput,
): Promise<'created' | 'changed' | 'unchanged'> {
  const { tenantId, location } = change;
  const state = readPlace(input);
  let isNew = false;
  const block = await changeProfile(deps, change, async (database, at) => {
    const found = await findPlace(database, change);
    isNew = found === undefined;
    if (isNew && (await countPlaces(database, tenantId)) >= PROFILES_MAX) {
      throw new Refusal('rule_broken', `A brand has at most ${PROFILES_MAX} places`);
    }
    const changed = changedMembers(found && placeState(found), state);
    if (changed.length === 0) return undefined;
    const details = { changed: changed.join(', ') };
    return {
      decision: { about: 'place', at, changed, location, state },
      foundHeight: found?.height ?? null,
      audit: { action: 'set_place', entityType: 'place', entityId: location, details },
    };
  });
  if (block === undefined) return 'unchanged';
  return isNew ? 'created' : 'changed';
}

/** @throws Refusal `not_found`; DatabaseError as the store's */
export async function removePlace(deps: ProfileDeps, change: PlaceChange): Promise<Tip> {
  const { location } = change;
  const block = await changeProfile(deps, change, async (database, at) => {
    const found = await findPlace(database, change);
    if (found === undefined) throw noSuchPlace();
    return {
      decision: { about: 'place', at, removed: true, location },
      foundHeight: found.height,
      audit: { action: 'remove_place', entityType: 'place', entityId: location, details: {} },
    };
  });
  return present(block, 'the block of a removal');
}

export function noSuchPlace(): Refusal {
  return new Refusal('not_found', 'No place of this location has a profile');
}

export function placeAnswer(row: FoundPlace): PlaceAnswer {
  const { location, name, address, gln, time_zone, updated_at, height, hash } = row;
  const profile = { name, ...inLanguages(row), address, gln, time_zone };
  return { location, ...profile, updated_at, block_height: height, block_hash: hash };
}

/** @throws FieldsRefusal */
function readPlace(input: PlaceInput): PlaceState {
  const { name, address = null, gln = null, time_zone = null } = input;
  const fault = gln === null ? undefined : checkDigitFault(gln);
  if (fault !== undefined) throw FieldsRefusal.of(['body', 'gln'], fault, 'check_digit');
  if (time_zone !== null && !isTimeZone(time_zone)) {
    const message = 'is no name of a time zone at IANA, such as Europe/Berlin';
    throw FieldsRefusal.of(['body', 'time_zone'], message, 'time_zone');
  }
  const { language = null, names = null } = readInLanguages(input);
  return placeState({ name, address, gln, time_zone, language, names });
}

/** Makes the sealed state: fields that are not published are left out. */
function placeState(
  row: Pick<FoundPlace, 'name' | 'address' | 'gln' | 'time_zone' | 'language' | 'names'>,
): PlaceState {
  const { name, address, gln, time_zone } = row;
  return {
    ...inLanguages(row),
    ...(address === null ? {} : { address }),
    ...(gln === null ? {} : { gln }),
    name,
    ...(time_zone === null ? {} : { time_zone }),
  };
}
