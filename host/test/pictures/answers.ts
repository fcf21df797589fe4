// What the forms of the console answer: refused with errors, as a step before something is done, or as a result. Every
// form that takes a text is sent twice, with empty fields and with something in each.
import type { Page } from 'playwright-core';
import { namePage, type KindOfPage } from './console-pages.ts';

/** What is typed into empty fields. */
const TYPED = 'Sample';
/** Of the one who looks: these end the session or the account. */
const NOT_SENT = /\/(?:logout|erase|end|leave)$/;

const HOW = ['empty', 'filled'] as const;
type How = (typeof HOW)[number];

/**
 * Sends the forms of some pages. After each answer that is a page of its own the page shows it.
 * @returns names of the answers, such as `b-keys-filled`, one at a time
 */
export async function* sendForms(
  page: Page,
  kinds: readonly KindOfPage[],
): AsyncGenerator<string, void, void> {
  const sent = new Set<string>();
  for (const { path } of kinds) {
    await page.goto(path);
    for (const action of await listForms(page)) {
      const name = namePage(action);
      if (NOT_SENT.test(action) || sent.has(name)) continue;
      sent.add(name);
      for (const how of HOW) {
        await page.goto(path);
        if (await send(page, action, how)) yield `${name}-${how}`;
      }
    }
  }
}

/** Addresses that forms of a page with a text are posted to, in their order. */
async function listForms(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(
    `${FORMS}.map((form) => new URL(form.action).pathname)`,
  );
  return Array.isArray(found) ? found.map(String) : [];
}

const TEXT_FIELDS =
  'textarea, input:not([type]), input[type=text], input[type=url], input[type=email], input[type=number]';
const FORMS = `[...document.forms].filter((form) =>
  form.method === 'post' && form.querySelector('${TEXT_FIELDS}') !== null)`;

/** @returns whether the answer is a page, and not a file or the way to another page */
async function send(page: Page, action: string, how: How): Promise<boolean> {
  // What was sent before may have taken the form away.
  if (!(await listForms(page)).includes(action)) return false;
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  const loaded = page.waitForEvent('load');
  // Nobody waits for it where the answer is a file, which loads no page.
  loaded.catch(() => undefined);
  // Not by its button: what is wrong is to be found by the hub.
  await page.evaluate(`(() => {
    const form = ${FORMS}.find((one) => new URL(one.action).pathname === '${action}');
    for (const one of form.querySelectorAll('${TEXT_FIELDS}')) {
      const typed = one.type === 'number' ? '1' : '${TYPED}';
      one.value = ${how === 'empty' ? "''" : "one.value === '' ? typed : one.value"};
    }
    const button = form.querySelector('button[name]');
    if (button !== null) {
      const chosen = Object.assign(document.createElement('input'), { type: 'hidden', name: button.name, value: button.value });
      form.append(chosen);
    }
    HTMLFormElement.prototype.submit.call(form);
  })()`);
  const response = await answered;
  if (response.headers()['content-disposition'] !== undefined) return false;
  await loaded;
  return response.status() < 300 || response.status() >= 400;
}
