import type { Query } from '../database.ts'

/** The number of the table that payments are written to. */
export async function numberOfPayments(query: Query): Promise<string> {
  const [row] = (await query("SELECT 'payments'::regclass::oid::text AS number")).rows
  return String(row?.number)
}
