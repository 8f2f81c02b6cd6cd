/** Values that are declared although nothing acts on them yet. */
type NotYet = { name: string; values: readonly string[]; message: string }

/**
 * Refused at start: a setting that is accepted and ignored does harm. A value leaves this list with the first code that
 * does what it says.
 */
export const NOT_YET: readonly NotYet[] = [
  {
    name: 'TOLLBOOK_ROLE',
    values: ['engine', 'api'],
    message: 'several processes are not supported yet; remove it or set it to all',
  },
]
