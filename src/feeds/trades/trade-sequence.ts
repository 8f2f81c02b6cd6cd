import type { Trade } from '../events.ts'

/** Trades that wait behind a gap; a busy pair makes about 100 a second. */
const MAX_WAITING = 20_000
/** Two trades at most this far apart confirm each other after a jump of the ids. */
const CONFIRM_WITHIN = 1_000

type Accepted = 'next' | 'duplicate' | 'early' | 'suspect' | 'jump'
type MissingIds = { fromId: number; toId: number }

/** Puts a pair's trades into the order of their ids, each once, and says which are missing. */
export type TradeSequence = {
  /** `jump`: the ids continue far ahead, confirmed by a second trade; those between were skipped. */
  accept(trade: Trade): Accepted
  /** The first run of ids that later trades wait for. */
  missing(): MissingIds | undefined
  /** Gives up the first missing run and continues after it. */
  skip(): void
  /** Continues after this trade, wherever the ids were before. */
  continueAfter(trade: Trade): void
  readonly nextId: number | undefined
  readonly isFull: boolean
}

type Options = {
  /** A larger jump of the ids is taken for a garbled id until a second trade confirms it. */
  maxGap: number
  emit(trade: Trade): void
}

export function createTradeSequence({ maxGap, emit }: Options): TradeSequence {
  const waiting = new Map<number, Trade>()
  let nextId: number | undefined
  let suspect: Trade | undefined

  const take = (trade: Trade) => {
    nextId = trade.id + 1
    emit(trade)
  }
  const takeWaiting = () => {
    for (let trade = findNext(); trade; trade = findNext()) {
      waiting.delete(trade.id)
      take(trade)
    }
  }
  const findNext = () => (nextId === undefined ? undefined : waiting.get(nextId))
  const skip = () => {
    if (waiting.size === 0) return
    nextId = lowestId(waiting)
    takeWaiting()
  }
  const acceptFarAhead = (trade: Trade): Accepted => {
    const confirmed = suspect && trade.id > suspect.id && trade.id - suspect.id <= CONFIRM_WITHIN
    if (!suspect || !confirmed) {
      suspect = trade
      return 'suspect'
    }
    waiting.set(suspect.id, suspect).set(trade.id, trade)
    while (nextId !== undefined && nextId <= suspect.id) skip()
    suspect = undefined
    return 'jump'
  }

  return {
    accept(trade) {
      if (nextId !== undefined && trade.id < nextId) return 'duplicate'
      if (nextId !== undefined && trade.id - nextId > maxGap) return acceptFarAhead(trade)
      if (nextId !== undefined && trade.id > nextId) {
        if (waiting.has(trade.id)) return 'duplicate'
        waiting.set(trade.id, trade)
        return 'early'
      }
      suspect = undefined
      take(trade)
      takeWaiting()
      return 'next'
    },
    missing() {
      if (nextId === undefined || waiting.size === 0) return undefined
      return { fromId: nextId, toId: lowestId(waiting) - 1 }
    },
    skip,
    continueAfter({ id }) {
      waiting.clear()
      suspect = undefined
      nextId = id + 1
    },
    get nextId() {
      return nextId
    },
    get isFull() {
      return waiting.size >= MAX_WAITING
    },
  }
}

function lowestId(waiting: ReadonlyMap<number, Trade>): number {
  let lowest = Number.POSITIVE_INFINITY
  for (const id of waiting.keys()) if (id < lowest) lowest = id
  return lowest
}
