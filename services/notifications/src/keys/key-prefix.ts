// How the keys that this service makes begin (notifications.md, section 2).

export const KEY_PREFIX = 'nk_';
