import type { Address } from 'viem'
import type { Log } from '../../../core/log.ts'
import { HOUR_MS } from '../../../core/time/time.ts'
import { createListeners, type Listeners } from '../../market/listeners.ts'
import type { Custody } from '../custody.ts'
import type { OrderState, PredictionVenue } from '../venue.ts'
import { type AccountStore, openAccountStore } from './account-store.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import { createChainEvents } from './chain-events.ts'
import { forgetMarkets } from './forget-markets.ts'
import { createHeartbeats, type Heartbeats } from './heartbeats.ts'
import { createOrderDesk, type OrderDesk } from './order-desk.ts'
import { recover } from './recover.ts'
import { createResolutions, type Resolutions } from './resolutions.ts'
import type { AccountOrder, AccountTrade } from './rows.ts'
import { createSettlements } from './settlement.ts'

/** What became of an order, as the user channel names it. */
export type OrderNews = { type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'; order: AccountOrder; atMs: number }

/** The accounts of the simulated venue: keys, orders, trades, and what their wallets did on chain. */
export type TradingAccounts = {
  venue: PredictionVenue
  custody: Custody
  keys: ApiKeys
  desk: OrderDesk
  heartbeats: Heartbeats
  store: Omit<AccountStore, 'close'>
  onOrder: Listeners<OrderNews>['listen']
  onTrade: Listeners<AccountTrade>['listen']
  /** The contracts know the market afterwards, and it is resolved there however long it takes. */
  prepare: Resolutions['prepare']
  /** Resolves once everything that was matched or resolved so far is on chain. */
  settled(): Promise<void>
  close(): void
}

export type AccountsInput = {
  venue: PredictionVenue
  custody: Custody
  /** Called with the market's time whenever it moved. */
  onTick: Listeners<number>['listen']
  /** Whose keys are never given up for others. */
  operator?: Address
  /** Without it, nothing outlives the process. */
  file?: string | undefined
  log: Log
}

/** Work that needs no finer clock is done this often. */
const LOOK_EVERY_MS = 1_000
const TIDY_EVERY_MS = HOUR_MS

export async function openTradingAccounts(input: AccountsInput): Promise<TradingAccounts> {
  const { venue, custody, log } = input
  const store = openAccountStore(input)
  await recover(store, custody, log)
  const orders = createListeners<OrderNews>()
  const trades = createListeners<AccountTrade>()
  const nextSeq = createSeq(store)
  const settlements = createSettlements({ venue, custody, store, nextSeq, tell: trades.emit, log })
  const resolutions = createResolutions({ venue, custody, store, log })
  const chainEvents = createChainEvents({ venue, custody, store, resolutions, nextSeq })
  await chainEvents.readMissed()
  const desk = createOrderDesk({ venue, custody, store, settlements, resolutions })
  const heartbeats = createHeartbeats(venue.nowMs, (address) => {
    for (const { id } of venue.orders(custody.walletOf(address as Address))) venue.cancel(id)
  })
  let lookedMs = Number.NEGATIVE_INFINITY
  let tidiedMs = venue.nowMs()
  // Read first: an event that is forgotten must not be read again.
  const tidy = () => chainEvents.readMissed().then(() => forgetMarkets(store))
  const look = (nowMs: number) => {
    if (nowMs - lookedMs < LOOK_EVERY_MS) return
    lookedMs = nowMs
    settlements.tick(nowMs)
    heartbeats.tick(nowMs)
    resolutions.tick()
    if (nowMs - tidiedMs < TIDY_EVERY_MS) return
    tidiedMs = nowMs
    tidy().catch((error: unknown) => log.debug({ error: String(error) }, 'the events were not read'))
  }
  const stops = [
    settlements.close,
    venue.onEvent((event) => {
      if (event.type === 'order') noteOrder(store, event, orders.emit)
      if (event.type === 'resolved') resolutions.tick()
    }),
    custody.onEvent(chainEvents.note),
    input.onTick(look),
  ]
  look(venue.nowMs())
  return {
    venue,
    custody,
    keys: createApiKeys(store.keys, venue.nowMs, input.operator),
    desk,
    heartbeats,
    store,
    prepare: resolutions.prepare,
    onOrder: orders.listen,
    onTrade: trades.listen,
    async settled() {
      await Promise.all([settlements.allSettled(), resolutions.settled()])
    },
    close() {
      for (const stop of stops) stop()
      store.close()
    },
  }
}

function createSeq(store: AccountStore): () => number {
  let last = 0
  for (const { seq } of [...store.trades.all(), ...store.events.all()]) last = Math.max(last, seq)
  return () => ++last
}

type OrderEvent = { order: OrderState; atMs: number }

function noteOrder(
  store: AccountStore,
  { order: state, atMs }: OrderEvent,
  tell: (news: OrderNews) => void,
): void {
  const kept = store.orders.get(state.id)
  if (!kept) return
  const { status, filledE6 } = state
  const order = { ...kept, status, filledE6 }
  if (kept.status !== status || kept.filledE6 !== filledE6) store.orders.put(order)
  const isOver = status === 'canceled' || status === 'expired'
  tell({ type: isOver ? 'CANCELLATION' : filledE6 > 0 ? 'UPDATE' : 'PLACEMENT', order, atMs })
}
