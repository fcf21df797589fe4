// Simulates the query of an address. If that is not possible, it returns the reason as a state of the form.
import type { FormState } from '@lothub/design/desk-parts';
import type { FormValues } from '@lothub/design/form-values';
import { Refusal, STATUS_OF_REFUSAL } from '../../errors.ts';
import { recallDirection } from '../../recall/direction.ts';
import { simulateRecall, type Simulation } from '../../recall/simulation/simulation.ts';
import type { Reader } from '../../web/words/reader.ts';
import type { ConsoleDeps } from '../deps.ts';
import { refusedForm } from '../forms.ts';
import { findHeightAt, readAsked, type Asked } from './asked.ts';

export type Simulated =
  /** No lot is named yet. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'found'; readonly asked: Asked; readonly simulation: Simulation }
  /** Several suppliers use the code. */
  | { readonly kind: 'choose'; readonly asked: Asked; readonly suppliers: readonly string[] }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly form: FormState;
      /** Known codes that are similar. */
      readonly similar: readonly string[];
      readonly asked: Asked | undefined;
    };

export async function simulate(
  { reader: ledger, clock }: Pick<ConsoleDeps, 'reader' | 'clock'>,
  question: { readonly brand: string; readonly values: FormValues },
  reader: Reader,
): Promise<Simulated> {
  const { brand, values } = question;
  const words = reader.words.console.simulation;
  let asked: Asked | undefined;
  try {
    asked = readAsked(values);
    if (asked === undefined) return { kind: 'nothing' };
    const height =
      asked.asOf === undefined
        ? undefined
        : await findHeightAt(ledger, { asOf: asked.asOf, nowMs: clock.nowMs() });
    if (typeof height === 'string') return atField('as_of', words[height], 422);
    const simulation = await simulateRecall(ledger, {
      tenantId: brand,
      ...asked,
      direction: recallDirection(asked.direction),
      asOfHeight: height,
    });
    return { kind: 'found', asked, simulation };
  } catch (error) {
    if (error instanceof Refusal && asked !== undefined) {
      const { similar = [], suppliers = [] } = error.facts;
      const status = STATUS_OF_REFUSAL[error.code];
      if (error.code === 'supplier_needed') return { kind: 'choose', asked, suppliers };
      if (error.code === 'not_found') return atField('lot_code', words.unknownLot, status, similar);
    }
    const refused = refusedForm(error, values, reader, { rule_broken: words.tooMuchCorrected });
    if (refused === undefined) throw error;
    return { kind: 'refused', ...refused, similar: [], asked };
  }

  function atField(
    name: string,
    wrong: string,
    status: number,
    similar: readonly string[] = [],
  ): Simulated {
    const form = { values, errors: { [name]: wrong }, problem: undefined };
    return { kind: 'refused', status, form, similar, asked };
  }
}
