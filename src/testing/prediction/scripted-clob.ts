import { onTestFinished } from 'vitest'
import { secret } from '../../core/secret.ts'
import type { Clock } from '../../core/time/clock.ts'
import {
  type LoopbackReply,
  type LoopbackRequest,
  startLoopbackServer,
} from '../../sandbox/loopback-server.ts'
// Loaded by the first call otherwise, and what it leaves in the process would count as left by a test.
import '../../upstreams/polymarket/trading/account.ts'
import { createTrading } from '../../upstreams/polymarket/trading/create-trading.ts'
import type { TradeOrder } from '../../upstreams/polymarket/trading/trading.ts'

const START_S = Date.UTC(2026, 0, 5, 12) / 1000
/** The venue refuses signatures that are older, or from further ahead. */
const MAX_AGE_S = 60
const SHORTEST_LIMIT_MS = 5_000
const MARKET = `0x${'11'.repeat(32)}`
const WALLET = '0x8342b4A24c6Fcf7A20e187fC8Fe3A838CD0dc61D'

/** An answer by what was asked, such as `POST /order`; an order is read at `GET /data/order/`. */
export type Script = Record<string, (request: LoopbackRequest) => LoopbackReply>

/**
 * An exchange that answers as the test says, where the simulated one would not, and our client of it. It takes requests
 * that are signed at about its time and with the key that it gives out.
 */
export async function startScriptedClob(script: Script) {
  const asked: string[] = []
  const state = { skewS: 0, keys: 1 }
  const nowS = () => START_S + state.skewS
  const server = await startLoopbackServer({
    answer(request) {
      const what = `${request.method} ${request.path.replace(/0x\w+$/, '')}`
      asked.push(what)
      if (what === 'GET /time') return say(200, nowS())
      const isLate = Math.abs(Number(request.headers.poly_timestamp) - nowS()) > MAX_AGE_S
      if (isLate) return say(401, { error: 'Unauthorized/Invalid api key' })
      if (what === 'GET /auth/derive-api-key') return say(200, keyNamed(state.keys))
      if (request.headers.poly_api_key !== keyNamed(state.keys).apiKey)
        return say(401, { error: 'Unauthorized/Invalid api key' })
      return script[what]?.(request) ?? say(404, { error: 'not found' })
    },
  })
  onTestFinished(() => server.close())
  const trading = createTrading({
    clobUrl: server.url,
    ownerKey: secret(`0x${'11'.repeat(32)}`),
    depositWallet: WALLET,
    clock: HASTY_CLOCK,
  })
  return {
    ...{ trading, asked },
    /** The venue's clock, or ours, goes wrong. */
    drift(seconds: number) {
      state.skewS += seconds
    },
    revokeKey() {
      state.keys++
    },
  }
}

export const say = (status: number, body: unknown): LoopbackReply => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** The passphrase is as short as none should be. */
const keyNamed = (number: number) => ({
  apiKey: `key-${number}-of-the-account`,
  secret: Buffer.from('s'.repeat(32)).toString('base64'),
  passphrase: 'p',
})

/** Waits are over at once, limits are never reached, and the time stands. */
const HASTY_CLOCK: Clock = {
  now: () => START_S * 1000,
  after(ms, task) {
    if (ms >= SHORTEST_LIMIT_MS) return () => {}
    const soon = setImmediate(task)
    return () => clearImmediate(soon)
  },
  every: () => () => {},
}

export const orderNamed = (clientOrderId: string, rest: Partial<TradeOrder> = {}): TradeOrder => ({
  ...{ clientOrderId, createdMs: START_S * 1000, tokenId: '123', side: 'BUY', kind: 'GTC' },
  ...{ priceE4: 5_000, tickE4: 100, size: { sharesE6: 10_000_000n } },
  ...rest,
})

export const orderRow = (id: string) => ({
  ...{ id, status: 'LIVE', market: MARKET, asset_id: '123', side: 'BUY', price: '0.5', original_size: '10' },
  ...{ size_matched: '0', outcome: 'Up', maker_address: WALLET, order_type: 'GTC', owner: 'k' },
  ...{ created_at: START_S, expiration: '0', associate_trades: [] },
})

export const tradeRow = (id: string, status = 'CONFIRMED') => ({
  ...{ id, status, taker_order_id: `0x${'ab'.repeat(32)}`, market: MARKET, asset_id: '123', side: 'BUY' },
  ...{ size: '10', price: '0.5', match_time: String(START_S), last_update: String(START_S), outcome: 'Up' },
  ...{
    trader_side: 'TAKER',
    maker_address: WALLET,
    maker_orders: [],
    transaction_hash: `0x${'33'.repeat(32)}`,
  },
})
