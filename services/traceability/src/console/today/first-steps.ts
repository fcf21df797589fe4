// The first steps of a new brand: its first file, label and drill, and which of them are done.
import { icon, type IconName } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { hasBrandRight, weakestRoleWith } from '@lothub/people/brands/rights';
import type { BrandRight, BrandRole } from '@lothub/people/brands/rights';
import type { Reader } from '../../web/words/reader.ts';
import { brandPath, lotPagePath } from '../paths.ts';

export interface StepsView {
  readonly brand: string;
  readonly role: BrandRole;
  /** The steps that are done. */
  readonly done: { readonly file: boolean; readonly label: boolean; readonly drill: boolean };
  /** The newest lot, for the first label; undefined while there is none. */
  readonly lotCode: string | undefined;
}

interface Step {
  readonly icon: IconName;
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  /** What the step needs before; undefined when nothing is missing. */
  readonly waitsFor: string | undefined;
  readonly right: BrandRight;
  readonly ways: readonly { readonly href: string; readonly label: string }[];
}

export function firstSteps(view: StepsView, reader: Reader): Html {
  const { steps: words } = reader.words.console.today;
  const steps = listSteps(view, reader);
  const next = steps.find(({ isDone, waitsFor }) => !isDone && waitsFor === undefined);
  return html`<section class="card" aria-labelledby="steps-title">
    <h2 id="steps-title">${words.title}</h2>
    <p class="muted">${words.lead}</p>
    <ol class="steps">
      ${steps.map((step) => stepItem(step, { isNext: step === next, role: view.role, reader }))}
    </ol>
  </section>`;
}

function listSteps({ brand, done, lotCode }: StepsView, reader: Reader): readonly Step[] {
  const { steps: words } = reader.words.console.today;
  return [
    {
      icon: 'upload',
      isDone: done.file,
      title: words.file,
      text: words.fileText,
      waitsFor: undefined,
      right: 'import',
      ways: [
        { href: brandPath(brand, 'imports'), label: words.fileDo },
        { href: brandPath(brand, 'record'), label: words.recordDo },
      ],
    },
    {
      icon: 'code',
      isDone: done.label,
      title: words.label,
      text: words.labelText,
      waitsFor: lotCode === undefined ? words.labelWait : undefined,
      right: 'read',
      ways:
        lotCode === undefined
          ? []
          : [{ href: lotPagePath(brand, lotCode, 'labels'), label: words.labelDo }],
    },
    {
      icon: 'clock',
      isDone: done.drill,
      title: words.drill,
      text: words.drillText,
      waitsFor: done.file ? undefined : words.drillWait,
      right: 'simulate',
      ways: [{ href: brandPath(brand, 'drills'), label: words.drillDo }],
    },
  ];
}

function stepItem(
  step: Step,
  { isNext, role, reader }: { isNext: boolean; role: BrandRole; reader: Reader },
): Html {
  const { steps: words } = reader.words.console.today;
  return html`<li class="${step.isDone ? 'is-done' : isNext ? 'is-next' : ''}">
    ${icon(step.isDone ? 'check' : step.icon)}
    <h3>${step.title} ${step.isDone ? html`<span class="chip good">${words.done}</span>` : ''}</h3>
    <p class="muted">${step.text}</p>
    ${step.isDone ? '' : doing()}
  </li>`;

  function doing(): Html {
    if (step.waitsFor !== undefined) return html`<p class="hint">${step.waitsFor}</p>`;
    if (!hasBrandRight(role, step.right)) {
      const needed = reader.words.console.roles[weakestRoleWith(step.right)];
      return html`<p class="hint">${words.needsRole(needed)}</p>`;
    }
    const [first, ...others] = step.ways;
    return html`<p class="row">
      ${
        first === undefined
          ? ''
          : html`<a class="button${isNext ? '' : ' quiet'}" href="${first.href}">${first.label}</a>`
      }
      ${others.map(({ href, label }) => html`<a href="${href}">${label}</a>`)}
    </p>`;
  }
}
