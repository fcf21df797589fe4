// How well the colours of a stylesheet can be distinguished (WCAG 2.2, 1.4.3), for the tests of stylesheets.

/** Contrast that text needs. */
export const TEXT_RATIO_MIN = 4.5;
/** Contrast that large text, and the edges of what is worked with, need. */
export const EDGE_RATIO_MIN = 3;

export type Colours = ReadonlyMap<string, string>;

/** Custom properties of colours, one map for each `:root { … }`, in the order of the stylesheet. */
export function listColours(css: string): readonly Colours[] {
  return [...css.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, block = '']) =>
      new Map(
        [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name!, hex!]),
      ),
  );
}

/** From 1, none, to 21, black on white. */
export function computeContrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [computeLuminance(one), computeLuminance(other)].sort(
    (a, b) => a - b,
  );
  return (light + 0.05) / (dark + 0.05);
}

function computeLuminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
