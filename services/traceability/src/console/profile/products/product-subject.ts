// The product of a page, and content of the page that is not stored.
import type { FormState } from '@lothub/design/desk-parts';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { BRAND_PARAM, getBrand } from '../../brand/brand.ts';
import { param } from '../../params.ts';
import { brandPath } from '../../paths.ts';
import type { To } from '../../send.ts';
import { CodeText, changeBy } from '../room-view.ts';
import { codePath } from '../profile-list.ts';

export const ProductParams = Type.Object({ ...BRAND_PARAM, sku: CodeText });

/** Content of the page of a product that is not stored. */
export interface ProductChanges {
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
  readonly before?: number | undefined;
  readonly form?: FormState;
  readonly pictureForm?: FormState;
}

export function readProduct(to: To) {
  return { ...changeBy(to), sku: present(param(to, 'sku'), 'the SKU of a page') };
}

export function productPath(to: To): string {
  return codePath(brandPath(getBrand(to), 'products'), readProduct(to).sku);
}
