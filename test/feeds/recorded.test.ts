import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findPolyBoltFrame } from '../../src/feeds/oracle/polybolt-wire.ts'
import { createDepthSync } from '../../src/feeds/venues/binance/depth-sync.ts'
import {
  findBinanceKline,
  findBinanceTrade,
  findDepthSnapshot,
  readBinanceMessage,
} from '../../src/feeds/venues/binance/wire.ts'
import { findCoinbaseTrade, readCoinbaseMessage } from '../../src/feeds/venues/coinbase/wire.ts'
import { isMissing } from '../../src/testing/missing.ts'

// Payloads of the real services are kept beside the project, not in it.
const FOLDER = new URL('../../../shared/fixtures/recorded/', import.meta.url)
const areMissing = isMissing('recordedReplies', existsSync(FOLDER))

function read(path: string): Record<string, unknown>[] {
  return JSON.parse(readFileSync(new URL(path, FOLDER), 'utf8'))
}

test.skipIf(areMissing)('recorded oracle frames are all understood', () => {
  const frames = read('polymarket-polybolt/frames_captured_staging.json')
  const parsed = frames.map((frame) => findPolyBoltFrame(JSON.stringify(frame), Date.now()))
  expect(parsed).not.toContain(undefined)
  const ticks = parsed.flatMap((frame) => (frame?.type === 'prices' ? frame.ticks : []))
  expect(ticks.map(({ kind }) => kind)).toContain('twap_60s')
  expect(ticks.length).toBeGreaterThan(5)
})

test.skipIf(areMissing)('recorded Binance trades and candles are all understood', () => {
  const trades = read('binance/http_spot_market_agg_trades.json').flat(9)
  expect(trades.length).toBeGreaterThan(0)
  for (const trade of trades) expect(findBinanceTrade('BTC', trade, Date.now())).toBeDefined()
  const klines: unknown[] = read('binance/spot_klines_1s.json')
  expect(klines.length).toBeGreaterThan(0)
  for (const kline of klines) expect(findBinanceKline('BTC', kline)).toBeDefined()
})

test.skipIf(areMissing)('a recorded Binance book is followed from its changes and its snapshot', () => {
  const messages = read('binance/ws_spot_messages.json').filter(({ stream }) =>
    /^gntbtc@depth/.test(String(stream)),
  )
  const sync = createDepthSync()
  const taken = messages.map(({ data }) => {
    const snapshot = findDepthSnapshot(data)
    if (snapshot) return sync.start(snapshot)
    const message = readBinanceMessage({ ...Object(data), s: 'BTCUSDT' }, Date.now())
    return message.kind === 'depth' ? sync.change(message.change) : message.kind
  })
  expect(taken).toEqual(['kept', 'kept', 'changed', 'changed'])
  expect(sync.read().bids.slice(0, 3)).toEqual([
    [0.00002248, 114],
    [0.00002246, 375],
    [0.00002245, 2673],
  ])
  expect(sync.read().asks.slice(0, 3)).toEqual([
    [0.00002253, 3945],
    [0.00002256, 50641],
    [0.00002258, 1777],
  ])
})

test.skipIf(areMissing)('recorded Coinbase trades and books are all understood', () => {
  const messages = read('coinbase/ws_exchange_messages_tardis.json')
  const matches = messages.filter(({ type }) => type === 'match')
  expect(matches.length).toBeGreaterThan(0)
  for (const match of matches) expect(findCoinbaseTrade('BTC', match, Date.now())).toBeDefined()
  const changes = messages.filter(({ type }) => type === 'l2update')
  expect(changes.length).toBeGreaterThan(0)
  for (const change of changes) {
    const message = { ...change, product_id: 'BTC-USD' }
    expect(readCoinbaseMessage(message, Date.now())).toMatchObject({ kind: 'changes', coin: 'BTC' })
  }
})
