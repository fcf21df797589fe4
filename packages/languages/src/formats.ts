// How a language writes dates, times, numbers, amounts and lists.
import type { Language } from './language.ts';

/** English as most of the world writes it: the day before the month, 24 hours. */
const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  it: 'it-IT',
};

/** Symbols of units that every language knows by a word of its own; a unit that is not here is shown as it was written. */
const UNITS: Readonly<Record<string, string>> = {
  g: 'gram',
  kg: 'kilogram',
  l: 'liter',
  L: 'liter',
  ml: 'milliliter',
  mL: 'milliliter',
  m: 'meter',
  cm: 'centimeter',
};

const TIME = {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;
/** What differs between the ways to write a moment. */
const DATE_KINDS = {
  date: { month: 'long' },
  shortDate: { month: 'short' },
  instant: { month: 'long', ...TIME },
  shortInstant: { month: 'short', ...TIME },
} as const;
type DateKind = keyof typeof DATE_KINDS;

/** Formats of dates that are kept, each of some kB; there are about 600 time zones, in any spelling. */
const DATE_FORMATS_MAX = 1_500;

/** Digits behind the point that Intl writes at most. */
const FRACTION_DIGITS_MAX = 100;
const UTC = 'UTC';
/** Of IANA: `Europe/Berlin`, `UTC`; no offset such as `+01:00`, which knows no summer. */
const TIME_ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Whether times can be shown in this time zone; names of IANA, in upper and lower case as IANA writes them or not. */
export function isTimeZone(name: string): boolean {
  if (!TIME_ZONE_NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    // The constructor refuses what it does not know; there is no other way to ask it.
    return false;
  }
}

/** Of one language; `getFormats` has one of each. */
export class Formats {
  readonly #locale: string;
  readonly #dates = new Map<string, Intl.DateTimeFormat>();
  /** By units of `UNITS`. */
  readonly #units = new Map<string, Intl.NumberFormat>();
  // Made when they are first used: the first of a process takes 20 ms, and most processes write no page.
  #number: Intl.NumberFormat | undefined;
  #list: Intl.ListFormat | undefined;

  constructor(language: Language) {
    this.#locale = LOCALES[language];
  }

  /**
   * `2 March 2026`, in a time zone or else in UTC.
   * @param instant ISO 8601; anything else is returned as it is
   */
  date(instant: string, timeZone?: string): string {
    return this.#write('date', instant, timeZone);
  }

  /** `2 Mar 2026`, in UTC, for a column of a table; what is no instant is returned as it is. */
  shortDate(instant: string): string {
    return this.#write('shortDate', instant);
  }

  /** `2 Mar 2026, 08:15 UTC`, as `shortDate`. */
  shortInstant(instant: string): string {
    return this.#write('shortInstant', instant);
  }

  /** `2–4 Mar 2026`, as short as the language has it. */
  dates(first: string, last: string, timeZone?: string): string {
    const [from, to] = [Date.parse(first), Date.parse(last)];
    if (Number.isNaN(from) || Number.isNaN(to)) return `${first} – ${last}`;
    return this.#date('shortDate', timeZone).formatRange(from, to);
  }

  /** `2 March 2026 at 08:15 CET`: the time zone is always named, and is UTC when none is given. */
  instant(instant: string, timeZone?: string): string {
    return this.#write('instant', instant, timeZone);
  }

  number(value: number): string {
    return this.#plain().format(value);
  }

  /**
   * `1,234.5 kg`.
   * @param amount a decimal number as records have it; none of its digits is lost
   */
  quantity(amount: string | number, unit: string): string {
    const text = String(amount);
    if (!DECIMAL.test(text)) return `${text} ${unit}`;
    const known = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (known === undefined) return `${formatted(this.#plain(), text)} ${unit}`;
    return formatted(this.#amounts(known), text);
  }

  /** `a, b and c`. */
  list(items: readonly string[]): string {
    return this.#conjunction().format(items);
  }

  /** The items with the text between them in `a, b and c`, for items that are no text. */
  listParts<Item>(items: readonly Item[]): readonly (Item | string)[] {
    let place = 0;
    return this.#conjunction()
      .formatToParts(items.map(String))
      .map((part) => {
        const item = items[place];
        if (part.type !== 'element' || item === undefined) return part.value;
        place += 1;
        return item;
      });
  }

  /** `fr` as `French`, in this language; the tag where it has no name. */
  languageName(tag: string): string {
    return new Intl.DisplayNames(this.#locale, { type: 'language' }).of(tag) ?? tag;
  }

  #plain(): Intl.NumberFormat {
    const maximumFractionDigits = FRACTION_DIGITS_MAX;
    return (this.#number ??= new Intl.NumberFormat(this.#locale, { maximumFractionDigits }));
  }

  #conjunction(): Intl.ListFormat {
    return (this.#list ??= new Intl.ListFormat(this.#locale, { type: 'conjunction' }));
  }

  #amounts(unit: string): Intl.NumberFormat {
    return getOrMake(this.#units, unit, () => {
      const unitDisplay = 'short';
      const maximumFractionDigits = FRACTION_DIGITS_MAX;
      const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits } as const;
      return new Intl.NumberFormat(this.#locale, options);
    });
  }

  #write(kind: DateKind, instant: string, timeZone?: string): string {
    const at = Date.parse(instant);
    return Number.isNaN(at) ? instant : this.#date(kind, timeZone).format(at);
  }

  #date(kind: DateKind, wanted: string | undefined): Intl.DateTimeFormat {
    // By what was wanted: to look whether there is such a time zone takes longer than to write a date.
    const key = `${kind} ${wanted ?? UTC}`;
    const known = this.#dates.get(key);
    if (known !== undefined) return known;
    const timeZone = wanted !== undefined && isTimeZone(wanted) ? wanted : UTC;
    const made = new Intl.DateTimeFormat(this.#locale, {
      day: 'numeric',
      year: 'numeric',
      timeZone,
      ...DATE_KINDS[kind],
    });
    if (this.#dates.size < DATE_FORMATS_MAX) this.#dates.set(key, made);
    return made;
  }
}

const made = new Map<Language, Formats>();

/** Made once for a language: the formats of a page are asked for a hundred times. */
export function getFormats(language: Language): Formats {
  return getOrMake(made, language, () => new Formats(language));
}

/** @param text a decimal number, which as a text is not rounded to what a number holds */
function formatted(format: Intl.NumberFormat, text: string): string {
  return format.format(text as Intl.StringNumericLiteral);
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}
