import type { Config } from '../../../config/config.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { OpenSocket } from '../../../feeds/open-socket.ts'
import { authFrame, findPolyBoltFrame, subscribeFrame } from '../../../feeds/oracle/polybolt-wire.ts'
import { type Check, ok, skipped } from '../check.ts'
import { converse } from '../converse.ts'

const CLOSE_AUTH = 4001
const REFUSED =
  'the credentials are refused: copy TOLLBOOK_CLOB_API_KEY, TOLLBOOK_CLOB_SECRET and TOLLBOOK_CLOB_PASSPHRASE again'

/** Signs in to the price feed that five-minute markets resolve on, and waits for the first price. */
export function oracleCheck(
  { clob, upstreams }: Pick<Config, 'clob' | 'upstreams'>,
  clock: Clock,
  openSocket: OpenSocket,
): Check {
  const url = upstreams.POLY_LIVE_WS
  return {
    name: 'oracle',
    group: 'venues',
    advice: `look whether this machine may connect to ${new URL(url).host}, at TOLLBOOK_UPSTREAM_POLY_LIVE_WS_URL and at the clock`,
    async run(signal) {
      if (!clob)
        return skipped(
          'no credentials are set, so the oracle price is derived from Coinbase',
          'for the price that markets resolve on, set TOLLBOOK_CLOB_API_KEY, TOLLBOOK_CLOB_SECRET and TOLLBOOK_CLOB_PASSPHRASE',
        )
      const startedMs = performance.now()
      const hello = authFrame({
        apiKey: clob.apiKey.reveal(),
        secret: clob.secret.reveal(),
        passphrase: clob.passphrase.reveal(),
      })
      const hear = (text: string, say: (text: string) => void) => {
        const frame = findPolyBoltFrame(text, clock.now())
        if (!frame) throw new Error('a message is not in its format')
        if (frame.type === 'prices') return frame.ticks.length > 0 ? true : undefined
        if (frame.op === 'error') throw new Error(`${REFUSED} (it says ${frame.code})`)
        if (frame.op === 'authed') say(subscribeFrame())
        return undefined
      }
      const onClose = (code: number) => (code === CLOSE_AUTH ? REFUSED : undefined)
      await converse(url, { hello, hear, onClose }, openSocket, signal)
      return ok(`signed in, the first price after ${Math.round(performance.now() - startedMs)} ms`)
    },
  }
}
