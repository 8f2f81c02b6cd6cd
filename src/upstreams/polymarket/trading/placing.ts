import type { OrderType } from '@polymarket/clob-client-v2'
import { type Clock, sleep } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { PostOrderReply } from '../clob/order-wire.ts'
import { type Session, showTrades } from './session.ts'
import type { OrderView, Placement, Trading } from './trading.ts'
import { TradingError } from './trading-error.ts'
import { parseReply } from './wire.ts'

type Input = { session: Pick<Session, 'sign' | 'call' | 'redact'>; order: Trading['order']; clock: Clock }

const PLACE = { limitMs: 10 * SECOND_MS }
/** When we look for an order whose reply did not come. */
const LOOK_AFTER_MS = [SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS]

/**
 * Refusals of an order that may stand all the same: placed by an earlier try, delayed, or given up by a server that was
 * interrupted, which the venue answers with 400 too.
 */
const MAY_STAND = /duplicated|context (canceled|deadline)|delayed|delaying|could not (insert|run)/i

/**
 * Sends an order once. Its id is known before, so that an answer that does not come, and an order that was sent
 * before, are looked up instead of sent again.
 */
export function createPlacing({ session, order: readOrder, clock }: Input): Trading['place'] {
  const lookUp = async (orderId: string, reason: string): Promise<Placement> => {
    for (const waitMs of LOOK_AFTER_MS) {
      await sleep(clock, waitMs)
      const found = await readOrder(orderId).catch(() => undefined)
      if (found) return toPlacement(found)
    }
    return { state: 'unknown', orderId, reason }
  }
  return async (order) => {
    const { orderId, signed } = await session.sign(order)
    try {
      const json = await session.call(PLACE, (client) =>
        client.postOrder(signed, order.kind as OrderType, order.postOnly ?? false),
      )
      return readPosted(json, orderId)
    } catch (error) {
      // Nothing has left.
      if (!(error instanceof TradingError)) throw error
      const { fault, retryAfterMs } = error
      const reason = session.redact(error.message)
      if (fault === 'unknown' || fault === 'malformed') return lookUp(orderId, reason)
      if (MAY_STAND.test(reason)) return lookUp(orderId, reason)
      return { state: 'refused', orderId, fault, reason, retryAfterMs }
    }
  }
}

function readPosted(json: unknown, orderId: string): Placement {
  const posted = parseReply(PostOrderReply, showTrades(json), 'reply to an order')
  if (!posted.isAccepted) throw new TradingError('refused', posted.reason)
  if (posted.orderId.toLowerCase() !== orderId)
    throw new TradingError('unknown', 'the reply names another order')
  const { status: state, makingE6, takingE6, tradeIds, transactionHashes } = posted
  return { state, orderId, makingE6, takingE6, tradeIds, transactionHashes }
}

/** What was paid is not told by the order; its trades tell it. */
const toPlacement = ({ orderId, state }: OrderView): Placement => ({
  ...{ state, orderId, tradeIds: [], transactionHashes: [] },
  makingE6: undefined,
  takingE6: undefined,
})
