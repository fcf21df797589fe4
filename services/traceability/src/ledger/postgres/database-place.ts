// Names a PostgreSQL database for people: nothing of an address but what is no secret.

const PORT_DEFAULT = '5432';

/** `PostgreSQL database hub at db.example.com:5432`; user, password and options stay out of it. */
export function databasePlace(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const host = hostname === '' ? 'localhost' : hostname;
  return `PostgreSQL database ${decodeURIComponent(pathname.slice(1))} at ${host}:${port === '' ? PORT_DEFAULT : port}`;
}
