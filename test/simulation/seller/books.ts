import { ServiceError } from '../../../src/core/service-error.ts'
import type { FinalityBook } from '../../../src/ledger/ports/finality-book.ts'
import type { PaymentLedger } from '../../../src/ledger/ports/payment-book-queries.ts'
import type { ServiceWorld } from './process.ts'

export type Books = { payments: PaymentLedger; finality: FinalityBook }
type World = Pick<ServiceWorld, 'code' | 'disk' | 'random' | 'faults' | 'findings'>

/** Of reads that take time for the worker, which reads often; a sale always waits. */
const SLOW_SHARE = 0.3

/** The ledger as one process sees it. Reads take time too, and fail like writes. */
export function openBooks(world: World, isAlive: () => boolean, pause: () => Promise<void>): Books {
  const { code, disk, random, faults, findings } = world
  const commit = disk.commitFor(isAlive)
  const { rows, finality: kept } = disk
  const payments = code.createMemoryPaymentBook({
    commit,
    rows,
    turns: disk.turns,
    isLost: code.isLostIn(kept),
  })
  const finality = code.createMemoryFinalityBook({
    rows,
    disk: kept,
    commit: (apply) =>
      commit(() => {
        const result = apply()
        findings.look()
        return result
      }),
  })
  const fail = () => {
    if (random.chance(faults.storeFailure))
      throw new ServiceError('store_unavailable', 'the ledger cannot be read')
  }
  const slowly = async <T>(read: () => Promise<T>): Promise<T> => {
    await pause()
    fail()
    return read()
  }
  const often = async <T>(read: () => Promise<T>): Promise<T> => {
    if (random.chance(SLOW_SHARE)) await pause()
    fail()
    return read()
  }
  return {
    payments: {
      ...payments,
      find: (key) => slowly(() => payments.find(key)),
      unfinished: () => slowly(() => payments.unfinished()),
      takeDue: (turn) => slowly(() => payments.takeDue(turn)),
    },
    finality: {
      ...finality,
      mark: (network) => often(() => finality.mark(network)),
      settledAfter: (...asked) => often(() => finality.settledAfter(...asked)),
      undecided: (asked) => often(() => finality.undecided(asked)),
      payersUndone: (sinceMs) => often(() => finality.payersUndone(sinceMs)),
    },
  }
}
