import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { BotBook, BrokerName } from '../../ledger/ports/bot-book.ts'
import type { Broker } from '../brokers/broker.ts'
import { isDue } from '../is-due.ts'
import type { Notes } from '../notes.ts'

type Ports = {
  clock: Clock
  book: Pick<BotBook, 'hasOrdered'>
  notes: Pick<Notes, 'set'>
  broker(): BrokerName
  findBroker(name: BrokerName): Broker | undefined
}

const EVERY_MS = 10 * MINUTE_MS
const LISTED = 3

/** Lists what the account holds, and notes tokens that no order of ours was of: sent by somebody, or bought elsewhere. */
export function createUnknownShares({ clock, book, notes, broker, findBroker }: Ports): () => Promise<void> {
  let lastMs: number | undefined
  return async () => {
    const name = broker()
    const account = findBroker(name)
    if (!account || !isDue(clock.now(), lastMs, EVERY_MS)) return
    lastMs = clock.now()
    const unknown: string[] = []
    for (const { conditionId, tokenId, sharesE6 } of await account.holdings())
      if (sharesE6 > 0n && !(await book.hasOrdered(name, conditionId, tokenId)))
        unknown.push(`${Number(sharesE6) / 1e6} of token ${tokenId}`)
    notes.set('unknown_shares', textOf(name, unknown))
  }
}

function textOf(name: BrokerName, unknown: readonly string[]): string | undefined {
  if (unknown.length === 0) return undefined
  const more = unknown.length > LISTED ? ` and ${unknown.length - LISTED} more` : ''
  return `the ${name} account holds shares that no order of ours bought: ${unknown.slice(0, LISTED).join(', ')}${more}`
}
