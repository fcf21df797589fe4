// What a form sends: fields as texts by their names, and which of them may be shown again.

/** Fields of a form by their names; of a name that came twice the last. */
export type FormValues = Readonly<Record<string, string>>;

/** Never sent back, whatever the form is. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['password', 'old_password', 'new_password']);

export function readFormValues(body: unknown): FormValues {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      return [name, values.findLast((one) => typeof one === 'string') ?? ''];
    }),
  );
}

/** What was typed and is no secret. */
export function shownValues(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !SECRET_FIELDS.has(name)));
}

/** What was left empty was not given. */
export function textOrNothing(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}
