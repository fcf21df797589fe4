// The fields of the form for one event: Enter moves to the next field, codes are looked up, lots are added and removed.
const LINE = /^line_\d+\./;
/** Fields that keep their values for the next event. */
const KEPT = /^(?:type|lines|location|reference|timezone|line_0\.(?:unit|direction))$/;
const LOOKUP_MS = 3_000;

type Field = HTMLInputElement | HTMLSelectElement;

export class LineEditor {
  readonly #form: HTMLFormElement;
  /** The id of a refused event that is being corrected. */
  correctedId: string | undefined;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    form.addEventListener('keydown', (event) => this.#onKey(event));
    form.addEventListener('change', (event) => {
      if (event.target instanceof HTMLInputElement) void this.#lookUp(event.target);
    });
  }

  /** Returns a short description of the event. */
  label(): string {
    return this.#lineSets()
      .map((line) => {
        const value = (name: string): string => fieldIn(line, name)?.value ?? '';
        return `${value('lot_code')} ${value('quantity')} ${value('unit')}`.trim();
      })
      .join(', ');
  }

  add(): void {
    const last = this.#lineSets().at(-1);
    if (last === undefined) return;
    const copy = document.importNode(last, true);
    last.after(copy);
    this.#clear(copy, (name) => /\.(?:unit|direction)$/.test(name));
    this.#number();
    fieldIn(copy, 'lot_code')?.focus();
  }

  remove(button: HTMLElement): void {
    button.closest('[data-line]')?.remove();
    this.#number();
  }

  checkAll(): void {
    for (const input of this.#form.querySelectorAll('[data-code] input')) {
      if (input instanceof HTMLInputElement) void this.#lookUp(input);
    }
  }

  /** Empties the form for the next event. */
  empty(): void {
    for (const line of this.#lineSets().slice(1)) line.remove();
    this.#clear(this.#form, (name) => KEPT.test(name));
    this.correctedId = undefined;
    this.#number();
    this.#form.querySelector<HTMLInputElement>('[data-code=lot_code] input')?.focus();
  }

  /** Fills the form with an event that was refused. */
  fill(values: URLSearchParams, externalId: string): void {
    this.empty();
    const count = Number(values.get('lines') ?? '1');
    while (this.#lineSets().length < count) this.add();
    for (const field of this.#fields()) {
      const value = values.get(field.name);
      // A moment of a browser has a zone, and the field takes one without.
      if (value !== null && field.name !== 'occurred_at') field.value = value;
    }
    this.#number();
    this.correctedId = externalId;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.isComposing) return;
    const { target } = event;
    if (!(target instanceof HTMLInputElement) && !(target instanceof HTMLSelectElement)) return;
    event.preventDefault();
    const fields = this.#fields().filter((field) => field.checkVisibility());
    const next = fields[fields.indexOf(target) + 1];
    // The next scan belongs into the first required field that is still empty.
    const empty = fields.find((field) => field.required && field.value === '' && field !== target);
    if (next !== undefined) next.focus();
    else if (empty !== undefined) empty.focus();
    else this.#form.querySelector<HTMLButtonElement>('button[name=store]')?.click();
  }

  async #lookUp(input: HTMLInputElement): Promise<void> {
    const place = input.closest<HTMLElement>('[data-code]');
    const line = input.closest<HTMLElement>('[data-line]');
    const code = input.value.trim();
    if (place === null || line === null) return;
    show(place, undefined);
    if (code === '') return;
    const query = new URLSearchParams({ field: place.dataset['code'] ?? '', code });
    try {
      const signal = AbortSignal.timeout(LOOKUP_MS);
      const response = await fetch(`${this.#form.action}/code?${query.toString()}`, { signal });
      if (!response.ok) return;
      const answer = toMembers(await response.json());
      // Another code is being typed already, so the answer about the earlier one is not shown.
      if (input.value.trim() !== code) return;
      const isLot = place.dataset['code'] === 'lot_code';
      const own = answer.get(isLot ? 'lot_code' : 'product_sku');
      const other = answer.get(isLot ? 'product_sku' : 'lot_code');
      const beside = fieldIn(line, isLot ? 'product_sku' : 'lot_code');
      if (typeof own === 'string') input.value = own;
      if (typeof other === 'string' && beside?.value === '') {
        beside.value = other;
        // A code that is scanned into this field next replaces what was filled in.
        if (beside === document.activeElement && beside instanceof HTMLInputElement)
          beside.select();
      }
      show(place, answer.get('note'));
    } catch {
      // Without a connection the code stays as it is: the hub reads it when the event is sent.
    }
  }

  #clear(root: ParentNode, isKept: (name: string) => boolean): void {
    for (const field of root.querySelectorAll<Field>('input:not([type=hidden]), select')) {
      if (!isKept(field.name) && field instanceof HTMLInputElement) field.value = '';
      field.removeAttribute('aria-invalid');
    }
    for (const error of root.querySelectorAll('.field-error')) error.remove();
    for (const place of root.querySelectorAll<HTMLElement>('[data-code]')) show(place, undefined);
  }

  /** Numbers the names and ids of lines in their order. */
  #number(): void {
    const lines = this.#lineSets();
    for (const [index, line] of lines.entries()) {
      for (const one of line.querySelectorAll('[name], [id], [for], [aria-describedby]')) {
        for (const attribute of ['name', 'id', 'for', 'aria-describedby']) {
          const text = one.getAttribute(attribute);
          if (text !== null)
            one.setAttribute(attribute, text.replaceAll(/line_\d+\./g, `line_${index}.`));
        }
      }
      const legend = line.querySelector<HTMLElement>('[data-legend]');
      if (legend !== null)
        legend.textContent = (legend.dataset['legend'] ?? '').replace('#', String(index + 1));
      const remove = line.querySelector<HTMLButtonElement>('button[name=remove]');
      if (remove !== null) remove.hidden = lines.length === 1;
    }
    const count = this.#form.querySelector<HTMLInputElement>('input[name=lines]');
    if (count !== null) count.value = String(lines.length);
  }

  #lineSets(): readonly HTMLElement[] {
    return [...this.#form.querySelectorAll<HTMLElement>('[data-line]')];
  }

  #fields(): readonly Field[] {
    return [...this.#form.querySelectorAll<Field>('input:not([type=hidden]), select')];
  }
}

function fieldIn(line: ParentNode, name: string): Field | undefined {
  const fields = [...line.querySelectorAll<Field>('input, select')];
  return fields.find((field) => LINE.test(field.name) && field.name.endsWith(`.${name}`));
}

function show(place: HTMLElement, note: unknown): void {
  const shown = place.querySelector('[data-note]');
  if (shown === null) return;
  const facts = toMembers(note);
  shown.textContent = toText(facts.get('words'));
  shown.className = `code-note ${toText(facts.get('kind'))}`;
}

/** Returns the members of a value from the hub, by name. */
function toMembers(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
