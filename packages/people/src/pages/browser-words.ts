// The name of a browser from its User-Agent header, short enough for a list of one's own devices.
import type { PeopleWords } from './words.ts';

const BROWSERS: readonly (readonly [form: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: readonly (readonly [form: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

export function browserWords(agent: string, { account: words }: PeopleWords): string {
  const browser = BROWSERS.find(([form]) => form.test(agent))?.[1] ?? words.unknownBrowser;
  const system = SYSTEMS.find(([form]) => form.test(agent))?.[1];
  return system === undefined ? browser : words.browserOn(browser, system);
}
