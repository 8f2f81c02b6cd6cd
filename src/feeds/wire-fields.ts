/** Reads the rows of a REST reply; rows that break their format are left out. */
export function readRows<T>(reply: unknown, find: (row: unknown) => T | undefined): T[] {
  return Array.isArray(reply) ? reply.flatMap((row) => find(row) ?? []) : []
}
