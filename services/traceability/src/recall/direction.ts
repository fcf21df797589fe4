// The direction of a recall as a request names it: for a case and for a simulation alike.
import { Type } from '@lothub/kit/json-schema';
import {
  REQUESTED_DIRECTIONS,
  REQUESTED_DIRECTION_DEFAULT,
  REQUESTED_DIRECTION_NAMES,
} from '../terms.ts';
import type { RecallDirection, RequestedDirection } from '../terms.ts';

export const DirectionRequestSchema = Type.Optional(
  Type.Enum([...REQUESTED_DIRECTION_NAMES], {
    default: REQUESTED_DIRECTION_DEFAULT,
    description:
      'What the lot was made from (`upstream`, `backward`), what was made from it ' +
      '(`downstream`, `forward`), or `both`',
  }),
);

/** @param requested undefined when the request names none */
export function recallDirection(requested: RequestedDirection | undefined): RecallDirection {
  return REQUESTED_DIRECTIONS[requested ?? REQUESTED_DIRECTION_DEFAULT];
}
