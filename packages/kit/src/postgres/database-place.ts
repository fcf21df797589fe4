// Names a PostgreSQL database for people: nothing of an address but what is no secret.

const PORT_DEFAULT = '5432';

/** `PostgreSQL database hub at db.example.com:5432`; user, password and options stay out of it. */
export function databasePlace(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  // Behind an "@" it is no name: a password that was not percent-encoded has moved everything on.
  if (pathname.includes('@')) return 'PostgreSQL';
  const host = hostname === '' ? 'localhost' : hostname;
  const address = `${host}:${port === '' ? PORT_DEFAULT : port}`;
  return `PostgreSQL database ${decodeName(pathname.slice(1))} at ${address}`;
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // The text is not encoded: it is the name itself.
    return encoded;
  }
}
