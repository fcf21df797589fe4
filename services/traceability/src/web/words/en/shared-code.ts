// The page of a lot code that several brands use, in English.
export const sharedCode = {
  title: (code: string) => `Lot ${code}: which brand?`,
  lead: 'Several brands use this lot code. Which brand is your product of?',
  notices: 'Open recalls for this lot code',
  allNotices: 'All recall notices for this lot code',
  choose: 'Choose the brand of your product',
  nothingSaid:
    'Nothing on this page says that a product is unchanged or safe: choose its brand first.',
  openRecall: 'open recall',
  openRecalls: (count: string) => `${count} open recalls`,
  firstBrands: (count: string) => `These are the first ${count} brands that use the code.`,
  lotCode: 'Lot code',
  brandId: 'Brand, by its id on this hub',
};
