// Options that name a brand or the hub, and a role there.
import { CommandError } from '@lothub/kit/cli/command-error';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { BRAND_ROLES, type BrandRole } from '../brands/rights.ts';
import type { GrantPlace } from '../brands/roles-of-place.ts';
import { TENANT_ID_RIGHT, isTenantId } from '../places/tenant-id.ts';

export interface PlaceOptions {
  readonly brand?: string;
  readonly operator?: true;
}

export interface RoleOptions extends PlaceOptions {
  readonly role?: BrandRole;
}

export function addPlaceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--brand <TENANT>', 'the brand, by its tenant id')
        .argParser(parseTenantId)
        .conflicts('operator'),
    )
    .option('--operator', 'the hub as a whole');
}

export function addRoleOptions(command: Command): Command {
  return addPlaceOptions(command).addOption(
    new Option('--role <ROLE>', 'what the person is in the brand')
      .choices(BRAND_ROLES)
      .conflicts('operator'),
  );
}

/** Undefined: neither was named. */
export function findPlace({ brand, operator }: PlaceOptions): GrantPlace | undefined {
  if (brand !== undefined) return { kind: 'brand', id: brand };
  return operator === true ? { kind: 'hub', id: '' } : undefined;
}

/** @throws CommandError `usage_wrong` */
export function getPlace(options: PlaceOptions): GrantPlace {
  const place = findPlace(options);
  if (place !== undefined) return place;
  throw new CommandError('usage_wrong', 'give --brand with a tenant id, or --operator');
}

/** @throws CommandError `usage_wrong` */
export function getRole(options: RoleOptions): {
  readonly place: GrantPlace;
  readonly role: string;
} {
  const place = getPlace(options);
  if (place.kind === 'hub') return { place, role: 'operator' };
  if (options.role !== undefined) return { place, role: options.role };
  throw new CommandError('usage_wrong', `give --role, one of ${BRAND_ROLES.join(', ')}`);
}

function parseTenantId(text: string): string {
  if (isTenantId(text)) return text;
  throw new InvalidArgumentError(TENANT_ID_RIGHT);
}
