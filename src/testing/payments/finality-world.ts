import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { createFinality } from '../../payments/finality/finality.ts'
import type { FinalChain, Review, Settled } from '../../payments/finality/ports.ts'
import { createSettleAgain } from '../../payments/finality/settle-again.ts'
import { createWalk } from '../../payments/finality/walk.ts'
import { createWaryPayers } from '../../payments/finality/wary-payers.ts'
import type { Payment } from '../../payments/gate/payment.ts'
import type { SettleAnswer } from '../../payments/gate/ports.ts'
import { createMemoryDisk, createMemoryStore } from '../ledger/memory-store.ts'
import { sale } from '../ledger/some-sales.ts'

export const NETWORK = 'eip155:8453'
export const START_MS = Date.UTC(2026, 0, 5, 12)

/** A ledger, a chain that a test controls, and the worker between them. A new start keeps the ledger only. */
export function createFinalityWorld(disk = createMemoryDisk()) {
  const clock = createManualClock(START_MS)
  const store: Store = createMemoryStore(disk)
  const state = {
    isSilent: false,
    isStrained: false,
    /** How often the chain was asked how far it is final. */
    looks: 0,
    /** How far behind our clock the final block is. */
    finalBehindMs: 0,
    /** By transaction; what is not named stands. */
    reviews: new Map<string, Review>(),
    asked: [] as string[],
    /** What the newest look was about. */
    lookedAt: [] as readonly Settled[],
    sent: [] as string[],
    settled: { kind: 'accepted', transaction: '0xagain', facilitator: 'test' } as SettleAnswer,
  }
  const chain: FinalChain = {
    isStrained: () => state.isStrained,
    async finalMs() {
      state.looks++
      if (state.isSilent) throw new Error('the chain node answered 429')
      return clock.now() - state.finalBehindMs
    },
    async review(_, settled) {
      if (state.isSilent) throw new Error('the chain node answered 429')
      const asked = settled.map(({ hint, transaction }) => hint ?? transaction)
      state.asked.push(...asked)
      state.lookedAt = settled
      return asked.map((transaction) => state.reviews.get(transaction) ?? { kind: 'final', transaction })
    },
  }
  const facilitators = {
    async settle({ key }: Payment) {
      state.sent.push(key)
      return state.settled
    },
  }
  const wary = createWaryPayers(clock, store.finality)
  const ports = { clock, log: silentLog, book: store.finality, chain, facilitators, wary }
  return {
    ...{ clock, store, state, wary, chain, disk },
    walk: createWalk(ports),
    settleAgain: createSettleAgain(ports),
    finality: createFinality({ ...ports, payments: store.payments, networks: [NETWORK] }),
    /** Sold now, with a payment that lives for an hour; its transaction is told. */
    async sell(key: string, payer = `payer of ${key}`): Promise<string> {
      const payment = { key, payer, network: NETWORK, validBeforeMs: clock.now() + HOUR_MS }
      await sale(store, key, clock.now(), { payer, payment: JSON.stringify(payment) })
      return `0xAb${key}`
    },
    keysAsked: () => state.asked.map((transaction) => transaction.replace('0xAb', '')),
  }
}
