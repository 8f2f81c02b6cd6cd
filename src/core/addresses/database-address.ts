const DEFAULT_PORT = '5432'

/** What is wrong with it, undefined where it is an address of PostgreSQL. Never has it: a password may be in it. */
export function findDatabaseFault(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isDatabase = parsed && /^postgres(ql)?:$/.test(parsed.protocol) && parsed.pathname.length > 1
  if (!isDatabase) return 'is no address of PostgreSQL: write postgres://user@host:5432/database'
  // Tools of PostgreSQL get the query on their command line, which other users see.
  return ['password', 'sslpassword'].some((name) => parsed.searchParams.has(name))
    ? 'has a password in its query: write it before the @'
    : undefined
}

/** For messages and marks: where it is, without user and password. */
export function databaseName(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? (hostname || 'localhost')
  const schema = /search_path=([^\s,]+)/.exec(searchParams.get('options') ?? '')?.[1]
  const where = host.startsWith('/') ? host : `${host}:${port || DEFAULT_PORT}`
  return `the database ${decodeURIComponent(pathname.slice(1))} at ${where}${schema ? `, schema ${schema}` : ''}`
}
