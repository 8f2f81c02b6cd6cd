/** The rows of a REST reply. Rows that break their format are reported and left out; a reply that is no list throws. */
export function readRows<T>(
  reply: unknown,
  find: (row: unknown) => T | undefined,
  onMalformed: () => void,
): T[] {
  if (!Array.isArray(reply)) throw new Error('the reply is not a list')
  return reply.flatMap((row) => {
    const found = find(row)
    if (found === undefined) onMalformed()
    return found ?? []
  })
}
