// Goes through a page with Tab alone, as a person without a pointer does.
import { toTexts } from '@lothub/kit/test/browser';
import type { Page } from 'playwright-core';

/** Presses between two looks at where the focus is. */
const PRESSES_AT_ONCE = 8;
/** A field of a date or a number takes several presses. */
const PRESSES_OF_ONE = 8;

/** What can be used with a pointer and is shown; of a group of radio buttons one gets the focus. */
const WATCH = `(() => {
  const native = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
  const groups = new Set();
  const isFirstOfGroup = (one) => {
    if (one.type !== 'radio') return true;
    const key = one.name + [...document.forms].indexOf(one.form);
    const isNew = !groups.has(key);
    groups.add(key);
    return isNew;
  };
  const wanted = [...(document.querySelector('main') ?? document.body).querySelectorAll(native + ', [tabindex="0"]')]
    .filter((one) => isShown(one) && !one.matches(':disabled') && one.closest('[inert]') === null)
    .filter(isFirstOfGroup);
  const hasMark = (element) => [element, ...element.querySelectorAll('*')].some((one) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && !/, 0\\)$|transparent/.test(outlineColor);
  });
  const seen = [];
  let isRound = false;
  document.addEventListener('focusin', ({ target }) => {
    isRound ||= target.matches('.skip');
    if (!isRound) seen.push({ target, isMarked: hasMark(target) });
  });
  const nameOf = (one) => one.outerHTML.replace(/\\s+/g, ' ').slice(0, 120);
  globalThis.walkedByKeyboard = {
    count: wanted.length,
    isOver: () => isRound || document.activeElement === document.body,
    listFaults: (byOtherKeys) => {
      const isSame = (a, b) => a === b || (a.type === 'radio' && b.type === 'radio' && a.name === b.name && a.form === b.form);
      const at = seen.map(({ target }) => wanted.findIndex((one) => isSame(one, target))).filter((index) => index >= 0);
      const isOther = (one) => byOtherKeys !== '' && one.matches(byOtherKeys);
      return [
        ...wanted.filter((one, index) => !at.includes(index) && !isOther(one)).map((one) => 'not reached: ' + nameOf(one)),
        ...at.filter((index, n) => n > 0 && index < at[n - 1]).map((index) => 'out of order: ' + nameOf(wanted[index])),
        ...seen.filter(({ isMarked }) => !isMarked).map(({ target }) => 'no mark of the focus: ' + nameOf(target)),
      ];
    },
  };
})()`;

/**
 * Goes through the main part of a page, from its link that skips the rest: all that can be used with a pointer gets
 * the focus, in its order, is marked then, and nothing keeps the focus.
 * @param byOtherKeys a selector: what is reached by other keys than Tab
 */
export async function findKeyboardFaults(
  page: Page,
  { byOtherKeys = '' }: { readonly byOtherKeys?: string } = {},
): Promise<readonly string[]> {
  // A sheet to be printed has neither.
  if ((await page.evaluate("document.querySelector('.bar, .skip') !== null")) === true) {
    await page.keyboard.press('Tab');
    const isSkip: unknown = await page.evaluate("document.activeElement.matches('.skip')");
    if (isSkip !== true) return ['the first Tab does not lead to the link that skips the rest'];
    await page.keyboard.press('Enter');
  }
  await page.evaluate(WATCH);
  const count = Number(await page.evaluate('walkedByKeyboard.count'));
  for (let left = count * PRESSES_OF_ONE + PRESSES_AT_ONCE; left > 0; left -= PRESSES_AT_ONCE) {
    for (let n = 0; n < PRESSES_AT_ONCE; n += 1) await page.keyboard.press('Tab');
    if ((await page.evaluate('walkedByKeyboard.isOver()')) === true) {
      return toTexts(
        await page.evaluate(`walkedByKeyboard.listFaults(${JSON.stringify(byOtherKeys)})`),
      );
    }
  }
  return ['the focus does not leave the page'];
}
