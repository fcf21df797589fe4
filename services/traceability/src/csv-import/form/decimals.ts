// Numbers with a point or a comma before decimals. `1.234` is a little more than one or
// more than a thousand, and only the whole file, or its sender, can say which.
import type { DecimalMark } from './options.ts';
import type { Refused } from './refused.ts';

/** The mark before decimals according to the numbers of a file, or to its sender. */
export type DecimalReading =
  /** The sender said so: numbers with groups of thousands are read as well. */
  | { readonly kind: 'given'; readonly mark: DecimalMark }
  /** All numbers that have one reading have this one. */
  | { readonly kind: 'found'; readonly mark: DecimalMark }
  /** No number says anything. */
  | { readonly kind: 'open' }
  /** Some numbers need a point and some a comma. */
  | { readonly kind: 'disputed' };

/** Marks before decimals that a number can have: none at all when it is whole or no number. */
type Marks = DecimalMark | 'either' | 'whole' | 'no number';

const WHOLE = /^-?\d+$/;
/** A number with one mark, and the digits around it. */
const ONE_MARK = /^-?(\d+)([.,])(\d+)$/;
/** Digits before a mark that may divide thousands: no number begins its thousands with a zero. */
const THOUSANDS = /^[1-9]\d{0,2}$/;
const THOUSANDS_DIGITS = 3;
const GROUPED: Readonly<Record<DecimalMark, RegExp>> = {
  point: /^-?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/,
  comma: /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/,
};
/** If the sender gives the mark, one group of thousands is enough. */
const GIVEN: Readonly<Record<DecimalMark, RegExp>> = {
  point: /^-?(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/,
  comma: /^-?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?$/,
};

function classifyMarks(text: string): Marks {
  if (WHOLE.test(text)) return 'whole';
  const one = ONE_MARK.exec(text);
  if (one !== null) {
    const [, before = '', mark, after = ''] = one;
    if (after.length === THOUSANDS_DIGITS && THOUSANDS.test(before)) return 'either';
    return mark === '.' ? 'point' : 'comma';
  }
  if (GROUPED.point.test(text)) return 'point';
  return GROUPED.comma.test(text) ? 'comma' : 'no number';
}

/** Collects the forms of the numbers of a file. */
export class DecimalSurvey {
  #point = false;
  #comma = false;

  add(text: string): void {
    const marks = classifyMarks(text);
    if (marks === 'point') this.#point = true;
    if (marks === 'comma') this.#comma = true;
  }

  end(): DecimalReading {
    if (this.#point && this.#comma) return { kind: 'disputed' };
    if (this.#point) return { kind: 'found', mark: 'point' };
    return this.#comma ? { kind: 'found', mark: 'comma' } : { kind: 'open' };
  }
}

/** Decimal text with a point and without groups, or why the number is refused. */
export function readDecimal(text: string, reading: DecimalReading): string | Refused {
  if (reading.kind === 'given') {
    if (!GIVEN[reading.mark].test(text)) return notANumber(reading.mark);
    return pointText(text, reading.mark);
  }
  const marks = classifyMarks(text);
  switch (marks) {
    case 'whole':
      return text;
    case 'no number':
      return notANumber(reading.kind === 'found' ? reading.mark : 'point');
    case 'either': {
      const own = text.includes('.') ? 'point' : 'comma';
      if (reading.kind !== 'found' || reading.mark !== own) return TWO_READINGS;
      return pointText(text, own);
    }
    case 'point':
      return pointText(text, marks);
    case 'comma':
      return reading.kind === 'disputed' ? DISPUTED : pointText(text, marks);
  }
}

function pointText(text: string, mark: DecimalMark): string {
  if (mark === 'point') return text.replaceAll(',', '');
  return text.replaceAll('.', '').replace(',', '.');
}

function notANumber(mark: DecimalMark): Refused {
  const msg = `Input should be a valid number, with a ${mark} before decimals`;
  return { msg, type: 'float_parsing' };
}

const TWO_READINGS: Refused = {
  msg:
    'Input could be thousands or decimals: say which character is before decimals, with decimal=point or ' +
    'decimal=comma',
  type: 'number_ambiguous',
};

/** The interface uses the point, so the message is about numbers with a comma. */
const DISPUTED: Refused = {
  msg:
    'Input should be a valid number, with a point before decimals, as other numbers of the file ' +
    'have: write all numbers alike, and say decimal=comma if they have a comma',
  type: 'float_parsing',
};
