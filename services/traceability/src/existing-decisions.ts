// All tables whose decisions of older versions are sealed at the first start of this one: one list above the rooms,
// because each planner is in the room of its table.
import { EXISTING_BRANDS } from './brand/existing.ts';
import { EXISTING_DRILLS } from './ledger/decisions/existing/drills.ts';
import { EXISTING_HOLDS } from './ledger/decisions/existing/holds.ts';
import { EXISTING_RESPONSES } from './ledger/decisions/existing/responses.ts';
import type { ExistingDecisions } from './ledger/decisions/existing/planner.ts';
import { EXISTING_CASES } from './recall/case/existing.ts';

/** In this order: what comes later may rest on what was sealed before. */
export const EXISTING: readonly ExistingDecisions[] = [
  EXISTING_BRANDS,
  EXISTING_HOLDS,
  EXISTING_CASES,
  EXISTING_DRILLS,
  EXISTING_RESPONSES,
];
