import { SECOND_MS } from '../../../core/time/time.ts'
import type { PolyData } from '../../../upstreams/polymarket/data/client.ts'
import type { Paid } from '../broker.ts'

export type PaidPorts = { data: Pick<PolyData, 'activity'>; wallet: string }

const UNITS = 1e6

/** From the redemptions of our wallet, which the venue reads off the chain: our own, its own and those made by hand. */
export async function findPaid(
  { data, wallet }: PaidPorts,
  conditionId: string,
  sinceMs: number,
): Promise<Paid | undefined> {
  const startS = Math.floor(sinceMs / SECOND_MS)
  const { rows } = await data.activity(wallet, { startS, type: 'REDEEM' })
  // One row for each outcome; that of the loser pays nothing.
  const own = rows.filter((row) => row.kind === 'REDEEM' && row.conditionId === conditionId.toLowerCase())
  const [first] = own
  if (!first) return undefined
  // Told with six digits, which a double holds exactly enough.
  const amountE6 = own.reduce((sum, { usd }) => sum + BigInt(Math.round((usd ?? 0) * UNITS)), 0n)
  return { amountE6, transactionHash: first.transactionHash }
}
