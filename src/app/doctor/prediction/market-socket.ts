import type { Upstreams } from '../../../config/providers.ts'
import type { OpenSocket } from '../../../feeds/open-socket.ts'
import { PING, readMarketFrame } from '../../../upstreams/polymarket/socket/wire.ts'
import { type Check, ok } from '../check.ts'
import { converse } from '../converse.ts'

/** The socket that brings changes of books; without it they are read each second. */
export function marketSocketCheck({ CLOB_WS }: Upstreams, openSocket: OpenSocket): Check {
  const url = `${CLOB_WS}/market`
  return {
    name: 'clob-socket',
    group: 'prediction',
    advice: `look whether this machine and its proxy let WebSockets to ${new URL(url).host} through, and at TOLLBOOK_UPSTREAM_CLOB_WS_URL`,
    async run(signal) {
      const startedMs = performance.now()
      const hear = (text: string) => {
        if (readMarketFrame(text).some(({ type }) => type === 'pong')) return true
        throw new Error('the answer to a PING is no PONG')
      }
      await converse(url, { hello: PING, hear }, openSocket, signal)
      return ok(`answers a PING after ${Math.round(performance.now() - startedMs)} ms`)
    },
  }
}
