// The style of the report of a recall case. It is made for paper first, A4 or Letter as the printer
// has it, and is readable on a screen. It is black on white, and no meaning depends on colour
// alone.
import { present } from '@lothub/kit/present';

/** Shares of the width of a table that its columns may have, in percent. */
const COLUMN_SHARES = Array.from({ length: 80 }, (_, index) => index + 1);

/** The texts in the margins of each printed page. */
export interface PageMargins {
  readonly topLeft: string;
  readonly topRight: string;
  readonly bottomLeft: string;
}

export function reportStyle(margins: PageMargins): string {
  return `
@page {
  margin: 19mm 15mm 18mm;
  @top-left { content: ${cssText(margins.topLeft)}; }
  @top-right { content: ${cssText(margins.topRight)}; }
  @bottom-left { content: ${cssText(margins.bottomLeft)}; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); }
  @top-left, @top-right, @bottom-left, @bottom-right { color: #333; }
}
${STYLE}
${COLUMN_SHARES.map((share) => `.w${share} { width: ${share}%; }`).join('\n')}
`;
}

/** Writes a text as a CSS string; special characters are written as code points. */
export function cssText(text: string): string {
  const escaped = [...text].map((character) =>
    /^[A-Za-z0-9 .,:-]$/.test(character)
      ? character
      : `\\${present(character.codePointAt(0), 'a code point').toString(16)} `,
  );
  return `"${escaped.join('')}"`;
}

const MARGIN_BOX = 'font: 8pt/1.2 "Liberation Sans", Arial, "DejaVu Sans", sans-serif;';

const STYLE = `
@page {
  @top-left { ${MARGIN_BOX} width: 60%; text-align: left; }
  @top-right { ${MARGIN_BOX} width: 40%; text-align: right; }
  @bottom-left { ${MARGIN_BOX} width: 75%; text-align: left; }
  @bottom-right { ${MARGIN_BOX} width: 25%; text-align: right; }
}
* { box-sizing: border-box; }
html {
  font: 9.5pt/1.4 "Liberation Sans", Arial, "DejaVu Sans", sans-serif;
  color-scheme: light;
  background: #fff;
  color: #000;
}
body { margin: 0; overflow-wrap: anywhere; }
main { max-width: 180mm; margin: 0 auto; }
h1, h2, h3 { line-height: 1.2; break-after: avoid; text-wrap: balance; }
h1 { font-size: 19pt; margin: 0 0 2mm; }
h2 {
  font-size: 13pt;
  margin: 8mm 0 2.5mm;
  padding-bottom: 1mm;
  border-bottom: 0.6pt solid #000;
}
h3 { font-size: 10.5pt; margin: 5mm 0 1.5mm; }
p, ul, ol, dl, pre { margin: 0 0 2.5mm; }
p, li { orphans: 3; widows: 3; }
a { color: inherit; }
code, pre {
  font-family: "Liberation Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: 0.92em;
  unicode-bidi: isolate;
}
bdi { unicode-bidi: isolate; }
pre { white-space: pre-wrap; padding: 2mm 3mm; border: 0.5pt solid #888; break-inside: avoid; }
.kind { font-size: 10pt; letter-spacing: 0.06em; text-transform: uppercase; margin: 0 0 1mm; }
.lead { font-size: 11pt; }
.note { font-size: 8.5pt; color: #333; }
.legend { break-after: avoid; }
.class { border: 1.5pt solid #000; padding: 2mm 3mm; margin: 3mm 0 4mm; font-size: 11pt; }
.warning { border: 1.5pt solid #000; padding: 2mm 3mm; break-inside: avoid; }
.facts { display: grid; grid-template-columns: 42mm 1fr; gap: 1mm 4mm; }
.facts dt { font-weight: 700; }
.facts dd { margin: 0; }
.figures { display: grid; grid-template-columns: repeat(4, 1fr); gap: 3mm; margin: 4mm 0; }
.figures div { border: 0.6pt solid #666; padding: 2mm 2.5mm; break-inside: avoid; }
.figures dt { font-size: 8pt; color: #333; }
.figures dd { margin: 0; font-size: 14pt; font-weight: 700; font-variant-numeric: tabular-nums; }
.contents { columns: 2; padding: 0; font-size: 8.5pt; list-style: none; }
table {
  width: 100%;
  table-layout: fixed;
  border-collapse: collapse;
  margin: 0 0 3mm;
  font-size: 7.9pt;
  line-height: 1.25;
}
caption { text-align: left; font-weight: 700; font-size: 9pt; padding: 2mm 0 1mm; break-after: avoid; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td {
  padding: 0.7mm 2mm 0.7mm 0;
  border-bottom: 0.4pt solid #999;
  text-align: left;
  vertical-align: top;
}
th { border-bottom: 0.9pt solid #000; font-size: 7.6pt; overflow-wrap: break-word; hyphens: auto; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; padding-right: 4mm; font-variant-numeric: tabular-nums; }
.hash { font-size: 7.2pt; }
.new-page { break-before: page; }
.new-page > h2 { margin-top: 0; }
.sheet { margin: 0 0 4mm; break-inside: avoid; }
.sheet figcaption { font-size: 8.5pt; margin-bottom: 1mm; }
svg { display: block; max-width: 100%; height: auto; }
svg text { font-family: "Liberation Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; direction: ltr; }
svg .label { font-size: 9.2px; font-weight: 700; }
svg .detail { font-size: 7.3px; }
svg .letter { font-size: 8px; font-weight: 700; text-anchor: middle; }
svg .on-full { fill: #fff; }
svg .line { fill: none; stroke: #444; stroke-width: 0.8; }
svg .back { stroke-dasharray: 4 2.5; }
svg .box rect { fill: #fff; stroke: #000; stroke-width: 0.9; }
svg .foreign > rect { stroke-dasharray: 3 2; }
svg .box .full { fill: #000; }
svg circle { fill: #444; }
.key { display: inline-block; border: 0.8pt solid #000; padding: 0 1mm; font-weight: 700; font-size: 7.5pt; }
.key.full { background: #000; color: #fff; print-color-adjust: exact; }
svg { print-color-adjust: exact; }
.signatures { display: grid; grid-template-columns: 1fr 1fr; gap: 14mm 10mm; margin-top: 16mm; }
.signatures div { border-top: 0.8pt solid #000; padding-top: 1mm; font-size: 8.5pt; break-inside: avoid; }
.keep { break-inside: avoid; }
@media screen {
  body { padding: 8mm 5mm; }
}
@media screen and (max-width: 640px) {
  .figures { grid-template-columns: 1fr 1fr; }
  .facts { grid-template-columns: 1fr; }
  .contents { columns: 1; }
  .wide { overflow-x: auto; }
  .wide table { min-width: 600px; }
}
`;
