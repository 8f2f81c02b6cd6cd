import type { Hex } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Custody } from '../custody.ts'
import type { AccountStore } from './account-store.ts'
import type { AccountTrade } from './rows.ts'

/** What a killed chain has lost is the newest: so many in a row that are there end the search. */
const ENOUGH_THERE = 20

/**
 * After a restart the books are empty: orders that rested are gone, and with them what they reserved. Everything else
 * is as the chain says: a settlement that was under way when we were killed is asked for by its id, and what the chain
 * lost when it was killed itself is taken back here.
 */
export async function recover(store: AccountStore, custody: Custody, log: Log): Promise<void> {
  for (const order of store.orders.all())
    if (order.status === 'live' || order.status === 'delayed')
      store.orders.put({ ...order, status: 'canceled' })
  for (const [id, trades] of bySettlement(store, ({ status }) => status === 'MATCHED')) {
    const hash = await custody.settledBy(id)
    for (const trade of trades)
      store.trades.put(
        hash ? { ...trade, status: 'CONFIRMED', transactionHash: hash } : { ...trade, status: 'FAILED' },
      )
  }
  const lost =
    (await takeBackTrades(store, custody)) +
    (await takeBackEvents(store, custody)) +
    (await takeBackResolutions(store, custody))
  if (lost > 0) log.warn({ lost }, 'the EVM chain lost its last blocks: the accounts were set back to it')
}

async function takeBackTrades(store: AccountStore, custody: Custody): Promise<number> {
  const moved = bySettlement(store, ({ status }) => status === 'MINED' || status === 'CONFIRMED')
  const isThere = async ([id]: [Hex, unknown]) => (await custody.settledBy(id)) !== undefined
  const lost = await findLost([...moved].reverse(), isThere)
  for (const [, trades] of lost)
    for (const trade of trades) store.trades.put({ ...trade, status: 'FAILED', transactionHash: '' })
  return lost.length
}

async function takeBackEvents(store: AccountStore, custody: Custody): Promise<number> {
  const newestFirst = [...store.events.all()].sort((a, b) => b.block - a.block)
  const lost = await findLost(newestFirst, (event) =>
    custody.hasEvent({ ...event, transactionHash: event.transactionHash as Hex }),
  )
  for (const { id } of lost) store.events.delete(id)
  return lost.length
}

/** They are told again: who won follows from the market. */
async function takeBackResolutions(store: AccountStore, custody: Custody): Promise<number> {
  const told = store.markets.all().filter(({ winner }) => winner !== undefined)
  const newestFirst = told.sort((a, b) => (b.toldMs ?? 0) - (a.toldMs ?? 0))
  const isThere = async ({ id }: { id: string }) => (await custody.payoutsOf(id as Hex)) !== undefined
  const lost = await findLost(newestFirst, isThere)
  for (const { winner: _w, resolvedMs: _r, toldMs: _t, ...market } of lost) store.markets.put(market)
  return lost.length
}

async function findLost<Row>(
  newestFirst: readonly Row[],
  isThere: (row: Row) => Promise<boolean>,
): Promise<Row[]> {
  const lost: Row[] = []
  let there = 0
  for (const row of newestFirst) {
    const isLost = !(await isThere(row))
    if (isLost) lost.push(row)
    there = isLost ? 0 : there + 1
    if (there === ENOUGH_THERE) break
  }
  return lost
}

/** Oldest first. */
function bySettlement(
  store: AccountStore,
  isWanted: (trade: AccountTrade) => boolean,
): Map<Hex, AccountTrade[]> {
  const groups = new Map<Hex, AccountTrade[]>()
  for (const trade of store.trades.all().filter(isWanted)) {
    const id = trade.settlementId as Hex
    groups.set(id, [...(groups.get(id) ?? []), trade])
  }
  return groups
}
