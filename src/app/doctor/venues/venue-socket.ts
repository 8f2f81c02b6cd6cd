import type { Upstreams } from '../../../config/providers.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { OpenSocket } from '../../../feeds/open-socket.ts'
import { binanceSymbolOf, readBinanceMessage } from '../../../feeds/venues/binance/wire.ts'
import { coinbaseProductOf, readCoinbaseMessage } from '../../../feeds/venues/coinbase/wire.ts'
import { type Check, ok } from '../check.ts'
import { converse } from '../converse.ts'

const COIN = 'BTC'

type Socket = {
  name: string
  variable: string
  url: string
  hello: object
  read(message: unknown, nowMs: number): { kind: string; reason?: string }
}

export const binanceSocket = ({ BINANCE_WS }: Upstreams): Socket => ({
  name: 'binance-socket',
  variable: 'TOLLBOOK_UPSTREAM_BINANCE_WS_URL',
  url: `${BINANCE_WS}/ws`,
  hello: { method: 'SUBSCRIBE', params: [`${binanceSymbolOf(COIN).toLowerCase()}@depth@100ms`], id: 1 },
  read: readBinanceMessage,
})

export const coinbaseSocket = ({ COINBASE_WS }: Upstreams): Socket => ({
  name: 'coinbase-socket',
  variable: 'TOLLBOOK_UPSTREAM_COINBASE_WS_URL',
  url: COINBASE_WS,
  // The last match comes at once, and is small.
  hello: { type: 'subscribe', channels: [{ name: 'matches', product_ids: [coinbaseProductOf(COIN)] }] },
  read: readCoinbaseMessage,
})

/** Subscribes and waits for the first data: a socket that only shakes hands brings nothing. */
export function venueSocketCheck(socket: Socket, clock: Clock, openSocket: OpenSocket): Check {
  const { name, variable, url, hello, read } = socket
  return {
    name,
    group: 'venues',
    advice: `look whether this machine and its proxy let WebSockets to ${new URL(url).host} through, and at ${variable}`,
    async run(signal) {
      const startedMs = performance.now()
      const hear = (text: string) => {
        const { kind, reason } = read(findJson(text), clock.now())
        if (kind === 'malformed') throw new Error('a message is not in its format')
        if (kind === 'refused') throw new Error(`refuses the subscription: ${reason}`)
        return kind === 'accepted' ? undefined : true
      }
      await converse(url, { hello: JSON.stringify(hello), hear }, openSocket, signal)
      return ok(`the first data of ${COIN} after ${Math.round(performance.now() - startedMs)} ms`)
    },
  }
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
