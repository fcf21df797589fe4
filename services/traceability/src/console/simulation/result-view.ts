// The result of a simulation, for its page.
import type { FormState } from '@lothub/design/desk-parts';
import type { PlaceProfiles, ProductProfiles } from '../../lots/profiles/read-profiles.ts';
import type { Simulation } from '../../recall/simulation/simulation.ts';
import type { Asked } from './asked.ts';
import type { ShippingPlace } from './places.ts';

export interface ResultView {
  readonly brand: string;
  readonly asked: Asked;
  readonly simulation: Simulation;
  /** The time of the newest block that the simulation includes. */
  readonly recordedAt: string;
  readonly places: readonly ShippingPlace[];
  /** Profiles of the shown products. */
  readonly productProfiles: ProductProfiles;
  readonly placeProfiles: PlaceProfiles;
  readonly mayHold: boolean;
  readonly mayOpen: boolean;
  /** State of the form of the hold. */
  readonly holdForm: FormState;
}
