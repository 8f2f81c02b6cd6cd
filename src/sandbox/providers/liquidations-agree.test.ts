import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { liquidationStreams } from '../../feeds/liquidations/liquidation-streams.ts'
import type { Liquidation } from '../../upstreams/perpetuals/liquidation.ts'
import { type Internet, startInternet } from '../internet.ts'
import { createSimulatedMarket } from '../market/simulated-market.ts'
import { CONTRACT_COINS } from './okx/rest.ts'

const HOUR_STARTS_MS = Date.UTC(2026, 4, 6, 12)
// The first second that is told is the first of the hour.
const START_MS = HOUR_STARTS_MS - 1_000
const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.1 }
const market = createSimulatedMarket({ seed: 'forced', startMs: START_MS, cadence })

let internet: Internet
beforeAll(async () => {
  internet = await startInternet({ market, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

const Hour = z.object({ t: z.int(), count: z.int(), longUsd: z.number(), shortUsd: z.number() })
const Reply = z.object({ perp_liquidations: z.object({ hourly: z.array(Hour) }) })

type Heard = Liquidation & { venue: string }

/** All that the sockets of the venues tell from now on, read by our own parsers. */
async function listen(): Promise<{ heard: readonly Heard[]; close(): void }> {
  const heard: Heard[] = []
  const streams = liquidationStreams(internet.urls, (coin) => CONTRACT_COINS[coin])
  const sockets = await Promise.all(
    streams.map(({ url, venue, subscription, read }) => {
      const socket = new WebSocket(url)
      return new Promise<WebSocket>((resolve, reject) => {
        socket.onmessage = ({ data }) => {
          for (const one of read(String(data)).liquidations) heard.push({ ...one, venue })
          // Bybit and OKX confirm what was subscribed to.
          resolve(socket)
        }
        socket.onerror = () => reject(new Error(`no connection to ${url}`))
        socket.onopen = () => (subscription ? socket.send(subscription) : resolve(socket))
      })
    }),
  )
  return { heard, close: () => sockets.forEach((socket) => void socket.close()) }
}

it('CoinLobster sums up what the sockets of the venues tell', async () => {
  const { heard, close } = await listen()
  await internet.advanceTo(HOUR_STARTS_MS + 20 * MINUTE_MS)
  const response = await fetch(`${internet.urls.COINLOBSTER}/api/public/liquidations`)
  const { perp_liquidations: told } = Reply.parse(await response.json())
  close()
  const hour = told.hourly.at(-1) ?? { t: 0, count: 0, longUsd: 0, shortUsd: 0 }
  const usdOf = (side: Liquidation['side']) =>
    heard.filter((one) => one.side === side).reduce((sum, { usd }) => sum + usd, 0)
  expect(new Set(heard.map(({ venue }) => venue)).size).toBe(3)
  expect([hour.t, hour.count]).toEqual([HOUR_STARTS_MS, heard.length])
  // Venues round sizes to what can be traded.
  expect(hour.longUsd / usdOf('long')).toBeCloseTo(1, 2)
  expect(hour.shortUsd / usdOf('short')).toBeCloseTo(1, 2)
})
