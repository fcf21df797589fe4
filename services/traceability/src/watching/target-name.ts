// What people call what they watch, in their language: as a text, for mails, devices and pages alike.
import { chooseName, chooseText } from '../lots/profiles/language.ts';
import { nameIn } from '../web/fragments.ts';
import type { Reader } from '../web/words/reader.ts';
import type { NamedTarget } from './targets.ts';

export function nameOfTarget(
  { kind, target, brand, names }: NamedTarget,
  { languages, words }: Reader,
): string {
  const { lotName, productName } = words.watching;
  const brandName = chooseText(nameIn(brand), languages).text;
  if (kind === 'lot') return lotName(target, brandName);
  const product = names === undefined ? undefined : chooseName(names, languages).name;
  const number = kind === 'gtin' ? words.product.number(target) : target;
  return productName(product ?? number, brandName);
}
