// The frame around every page, in English.
export const frame = {
  skip: 'Skip to content',
  pages: 'Pages of this hub',
  lookUp: 'Look up a lot',
  recalls: 'Recalls',
  explorer: 'Explorer',
  guide: 'Guide',
  api: 'API',
  language: 'Language',
  runs: (hub: string, version: string) => `${hub} runs Lothub ${version}.`,
};
