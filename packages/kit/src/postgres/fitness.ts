// Whether a server is fit to hold what is acknowledged.

/** The oldest PostgreSQL that is tested. */
const SERVER_VERSION_MIN = 150_000;

export const FITNESS = `
  select current_setting('server_version_num') as version,
    current_setting('server_version') as version_text,
    current_setting('server_encoding') as encoding,
    current_setting('synchronous_commit') as synchronous_commit
`;

/** Why a server with this row of FITNESS cannot hold what is acknowledged; undefined when it can. */
export function complaintAbout(server: Readonly<Record<string, string>>): string | undefined {
  if (Number(server['version']) < SERVER_VERSION_MIN) {
    return `PostgreSQL ${server['version_text']} is too old: run 15 or newer`;
  }
  if (server['encoding'] !== 'UTF8') {
    return `the database has encoding ${server['encoding']}: create it with encoding UTF8`;
  }
  if (server['synchronous_commit'] === 'off') {
    return 'synchronous_commit is off, so a crash loses answered commits: set it to on';
  }
  return undefined;
}
