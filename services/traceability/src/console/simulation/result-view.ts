// What the page of a simulation shows of its result.
import type { FormState } from '@lothub/design/desk-parts';
import type { PlaceProfiles, ProductProfiles } from '../../lots/profiles/read-profiles.ts';
import type { Simulation } from '../../recall/simulation/simulation.ts';
import type { Asked } from './asked.ts';
import type { ShippingPlace } from './places.ts';

export interface ResultView {
  readonly brand: string;
  readonly asked: Asked;
  readonly simulation: Simulation;
  /** When the newest block was recorded that was taken into account. */
  readonly recordedAt: string;
  readonly places: readonly ShippingPlace[];
  /** Of what is shown. */
  readonly productProfiles: ProductProfiles;
  readonly placeProfiles: PlaceProfiles;
  readonly mayHold: boolean;
  readonly mayOpen: boolean;
  /** Of the hold. */
  readonly holdForm: FormState;
}
