import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Trade } from '../../feeds/events.ts'
import type { WhaleTrade } from '../../upstreams/coinlobster/wire.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { createTradeWatch } from './trade-watch.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const small: Trade = {
  ...{ venue: 'coinbase', coin: 'BTC', id: 1, price: 100_000, size: 0.01, side: 'buy', fills: 1 },
  atMs: NOW_MS,
}
const row: WhaleTrade = {
  ...{ id: 'r', coin: 'ETH', exchange: 'OKX', isFutures: false, isDelayed: true, side: 'sell' },
  ...{ price: 4_000, size: 100, usd: 400_000, atMs: NOW_MS - 20 * MINUTE_MS },
}

function open(readMs?: number) {
  const clock = createManualClock(NOW_MS)
  const fault = new UpstreamError('down', 'gone')
  const last = () => (readMs === undefined ? undefined : { value: undefined, asOfMs: readMs })
  return {
    clock,
    watch: createTradeWatch({ clock, priceUsd: () => undefined, whales: { last, fault: () => fault } }),
  }
}

describe('large trades', () => {
  it('are missing while nobody tells of any', () => {
    const { watch } = open()
    const missing = { status: 'missing', reason: 'the source does not answer' }
    expect(watch.trades()).toMatchObject({ ...missing, source: 'binance_and_coinbase_and_coinlobster' })
    expect(watch.flow('BTC')).toMatchObject(missing)
  })

  it('are known to be none while a stream is live', () => {
    const { watch } = open()
    watch.hear(small)
    expect(watch.trades()).toEqual({ source: 'coinbase', status: 'fresh', value: [], asOfMs: NOW_MS })
    expect(watch.flow('BTC')).toMatchObject({ status: 'fresh', value: { trades: 0 } })
  })

  it('need either source only', () => {
    const { watch } = open(NOW_MS - MINUTE_MS)
    watch.report({ trades: [row], skipped: { count: 0, reasons: [] } })
    expect(watch.trades()).toMatchObject({
      ...{ source: 'coinlobster', status: 'fresh', asOfMs: NOW_MS - MINUTE_MS },
      value: [{ usd: 400_000, isDelayed: true }],
    })
    expect(watch.flow('ETH').value).toMatchObject({ sellUsd: 400_000, spanMs: 20 * MINUTE_MS })
  })

  it.each([
    [2 * MINUTE_MS, 'fresh'],
    [2 * MINUTE_MS + 1, 'aged'],
    [10 * MINUTE_MS, 'aged'],
    [10 * MINUTE_MS + 1, 'missing'],
  ])('%d ms after the last word are %s', (ms, status) => {
    const { watch, clock } = open()
    watch.hear(small)
    clock.advance(ms)
    expect(watch.trades().status).toBe(status)
  })

  it('are not of the future where a venue has a fast clock', () => {
    const { watch } = open()
    watch.hear({ ...small, atMs: NOW_MS + 3_000 })
    expect(watch.trades().asOfMs).toBe(NOW_MS)
    expect(watch.flow('BTC').value?.spanMs).toBe(0)
  })

  it('have another version when there is another one', () => {
    const { watch } = open()
    const before = watch.version()
    watch.hear({ ...small, size: 5 })
    expect(watch.version()).not.toBe(before)
  })
})
