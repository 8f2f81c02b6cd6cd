import pg from 'pg'
import { z } from 'zod'
import { type LedgerRow, PAYMENT_ROWS, parseRow } from '../audit/ledger-rows.ts'

/** A reply with the time of its data and of the claim that it was made for. */
export type SoldReply = { request: string; claimedAtMs: number; asOfMs: number }

const SOLD_REPLIES = `SELECT p.request, p.claimed_at_ms, r.as_of_ms
  FROM payments p JOIN replies r ON r.payment = p.seq WHERE r.as_of_ms IS NOT NULL`
const Sold = z.object({
  request: z.string(),
  claimed_at_ms: z.coerce.number(),
  as_of_ms: z.coerce.number(),
})

/** Without the service's own code. */
export const readDatabaseRows = async (url: string): Promise<LedgerRow[]> =>
  (await ask(url, PAYMENT_ROWS)).map(parseRow)

export const readSoldReplies = async (url: string): Promise<SoldReply[]> =>
  (await ask(url, SOLD_REPLIES)).map((row) => {
    const { request, claimed_at_ms: claimedAtMs, as_of_ms: asOfMs } = Sold.parse(row)
    return { request, claimedAtMs, asOfMs }
  })

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
