/** A name that tools may already set although nothing reads it. */
type NotYet = {
  name: string
  message: string
  /** The one value that is accepted, because it is the default. */
  allowed?: string
}

/**
 * Refused at start: a setting that is accepted and ignored does harm. Two processes with one DATABASE_URL, each on a
 * ledger of its own, sold two goods for one payment. A name moves from here to the declarations with its first reader.
 */
export const NOT_YET: readonly NotYet[] = [
  {
    name: 'DATABASE_URL',
    message: 'PostgreSQL is not supported yet; remove it to use the embedded ledger',
  },
  { name: 'REDIS_URL', message: 'Redis is not supported yet; remove it and run one process' },
  {
    name: 'TOLLBOOK_ROLE',
    message: 'several processes are not supported yet; remove it or set it to all',
    allowed: 'all',
  },
]
