import type { Coin } from '../../core/coin.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Direction } from '../../signals/signal.ts'

/** Two clicks within this time are one order. */
export const DOUBLE_CLICK_MS = 10_000

/** Of the round: the same window, coin and attempt can never become two orders. */
export const roundOrderId = (windowStartS: number, coin: Coin, attempt: number): string =>
  `r-${windowStartS}-${coin}-${attempt}`

type Purchase = { windowStartS: number; coin: Coin; outcome: Direction; atMs: number }

/** Of the operator who names none: that of this moment, and that of the stretch of time before it. */
export function handOrderIds({ windowStartS, coin, outcome, atMs }: Purchase): {
  now: string
  before: string
} {
  const stretch = Math.floor(atMs / DOUBLE_CLICK_MS)
  const idOf = (number: number) => `h-${windowStartS}-${coin}-${outcome}-${number}`
  return { now: idOf(stretch), before: idOf(stretch - 1) }
}

/** Of a sale, by how many of that outcome were before it; only one of a token is under way at a time. */
export const saleOrderId = (coin: Coin, windowStartS: number, outcome: Direction, before: number): string =>
  `s-${windowStartS}-${coin}-${outcome}-${before + 1}`

const OWN_ID = /^[rhs]-\d+-/

/** An id of ours in the operator's hand would take the place of an order that we derive it for. */
export function checkGivenId(clientOrderId: string): void {
  if (OWN_ID.test(clientOrderId))
    throw new ServiceError('conflict', `client order ids like ${clientOrderId} are made by the bot itself`, {
      hint: 'choose an id that starts otherwise',
    })
}
