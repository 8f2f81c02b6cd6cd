import type { Address } from 'viem'
import type { Custody } from '../custody.ts'
import type { AccountStore } from './account-store.ts'
import { sharesOf } from './holdings.ts'
import type { AccountTrade } from './rows.ts'

/**
 * After a restart the books are empty: orders that rested are gone, and with them what they reserved. A trade whose
 * settlement was under way counts as settled exactly if the wallet's shares say so.
 */
export async function recover(store: AccountStore, custody: Custody): Promise<void> {
  for (const order of store.orders.all())
    if (order.status === 'live' || order.status === 'delayed')
      store.orders.put({ ...order, status: 'canceled' })
  const open = store.trades.all().filter(({ status }) => status === 'MATCHED')
  for (const [key, trades] of groupBy(open, ({ wallet, tokenId }) => `${wallet} ${tokenId}`)) {
    const [wallet = '', tokenId = ''] = key.split(' ')
    const [held = 0n] = await custody.sharesOf(wallet as Address, [BigInt(tokenId)])
    let expected = BigInt(sharesOf(store, wallet, tokenId))
    // Settlements are carried out in order: the first that is missing was the last.
    for (const trade of trades) {
      const after = expected + BigInt(trade.side === 'BUY' ? trade.sharesE6 : -trade.sharesE6)
      const isSettled = trade.side === 'BUY' ? held >= after : held <= after
      if (isSettled) expected = after
      store.trades.put({ ...trade, status: isSettled ? 'CONFIRMED' : 'FAILED' })
    }
  }
}

function groupBy(trades: readonly AccountTrade[], keyOf: (trade: AccountTrade) => string) {
  const groups = new Map<string, AccountTrade[]>()
  for (const trade of trades) {
    const group = groups.get(keyOf(trade)) ?? []
    group.push(trade)
    groups.set(keyOf(trade), group)
  }
  return groups
}
