import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { LiquidationFrame } from '../../upstreams/perpetuals/liquidation.ts'
import { createHostGates } from '../../upstreams/rules/host-gate.ts'
import { createLiquidationFeed } from './liquidation-feed.ts'
import { LIQUIDATION_VENUES, type LiquidationVenue } from './liquidation-streams.ts'

const START_MS = Date.UTC(2026, 4, 6, 13)

/** Connections that are open as long as the test says, and answer every ping. */
function open(venues: readonly LiquidationVenue[] = LIQUIDATION_VENUES) {
  const clock = createManualClock(START_MS)
  const sockets = new Map<string, EventEmitter & { readyState: number }>()
  const random = () => 0.5
  const feed = createLiquidationFeed({
    streams: LIQUIDATION_VENUES.map((venue) => ({
      venue,
      provider: venue === 'binance' ? 'binance_futures' : venue,
      url: `wss://${venue}.example`,
      subscription: undefined,
      ping: undefined,
      read: (text): LiquidationFrame => JSON.parse(text),
    })),
    gates: createHostGates({ clock, random }),
    openSocket(url) {
      const events = new EventEmitter()
      const socket = Object.assign(events, {
        OPEN: 1,
        readyState: venues.some((venue) => url.includes(venue)) ? 1 : 0,
        ping: () => void events.emit('pong'),
        terminate() {},
      })
      sockets.set(url, socket)
      return socket as unknown as WebSocket
    },
    log: silentLog,
    ...{ clock, random },
  })
  const liquidate = (usd: number) => {
    const row = { coin: 'BTC', side: 'long', usd, atMs: clock.now() }
    const text = JSON.stringify({ liquidations: [row], skipped: 0 })
    sockets.get('wss://okx.example')?.emit('message', Buffer.from(text), false)
  }
  feed.start()
  return { clock, feed, liquidate }
}

it('knows nothing before it has listened, and then says for how long and to whom', () => {
  const { clock, feed, liquidate } = open(['okx', 'bybit'])
  expect(feed.totals('BTC', 'hour')).toBeUndefined()
  expect(feed.heardMs()).toBeUndefined()
  clock.advance(10 * MINUTE_MS)
  liquidate(500)
  expect(feed.totals('BTC', 'hour')).toEqual({
    spanMs: 10 * MINUTE_MS,
    longUsd: 500,
    shortUsd: 0,
    count: 1,
    coverage: { binance: 0, bybit: 1, okx: 1 },
  })
  expect(feed.heardMs()).toBe(START_MS + 10 * MINUTE_MS)
  expect(feed.count).toBe(1)
  feed.stop()
})

it('compares the last hour with the usual one after three hours before it', () => {
  const { clock, feed, liquidate } = open()
  for (let minute = 0; minute < 3 * 60; minute++) {
    clock.advance(MINUTE_MS)
    liquidate(1_000)
  }
  expect(feed.burst('BTC')).toBeUndefined()
  for (let minute = 0; minute < 60; minute++) {
    clock.advance(MINUTE_MS)
    liquidate(10_000)
  }
  clock.advance(30 * SECOND_MS)
  const { lastHourUsd = 0, usualHourUsd = 0 } = feed.burst('BTC') ?? {}
  expect(usualHourUsd / 60_000).toBeCloseTo(1, 1)
  expect(lastHourUsd / 600_000).toBeCloseTo(1, 1)
  clock.advance(HOUR_MS)
  expect(feed.burst('BTC')?.lastHourUsd).toBe(0)
  feed.stop()
})
