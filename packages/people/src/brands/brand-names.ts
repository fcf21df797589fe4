// Which brands there are and what they are called: the hub says so when it is served by the same process.
// Without it a brand is called by its tenant, and none is known.

export interface FoundBrand {
  /** How the brand calls itself in public; undefined: it has not said. */
  readonly name: string | undefined;
}

/** Undefined: the hub has no such tenant. */
export type FindBrand = (tenantId: string) => Promise<FoundBrand | undefined>;

export class BrandNames {
  #find: FindBrand | undefined;

  findBy(find: FindBrand): void {
    this.#find = find;
  }

  async readName(tenantId: string): Promise<string> {
    return (await this.#find?.(tenantId))?.name ?? tenantId;
  }

  async isKnown(tenantId: string): Promise<boolean> {
    return (await this.#find?.(tenantId)) !== undefined;
  }
}
