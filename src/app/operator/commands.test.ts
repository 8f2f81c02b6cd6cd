import { describe, expect, test } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { ServiceError } from '../../core/service-error.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { ListedMarkets } from '../../feeds/prediction/list/market-list.ts'
import type { StreamHealth } from '../../feeds/stream-health.ts'
import type { KeptBackup } from '../../ledger/files/kept-backups.ts'
import { createHandMadeBot } from '../../testing/bot/hand-made-bot.ts'
import { windowMarketAt } from '../../testing/products/hand-made-prediction.ts'
import { type CommandPorts, createCommands } from './commands.ts'

const START_MS = Date.parse('2026-01-05T12:00:00Z')
const made: KeptBackup = { file: '/b/x.sqlite', bytes: 9, settled: 3, keys: 1, kept: 7, removed: 2 }

/** Streams whose values a test makes arrive; the other parts answer at once. */
function open(more: Partial<CommandPorts> = {}) {
  const clock = createManualClock(START_MS)
  const bot = createHandMadeBot(clock)
  const arrived = new Map<string, number>(
    ['binance', 'coinbase', 'polymarket'].map((name) => [name, START_MS]),
  )
  const stream = (source: 'binance' | 'coinbase' | 'polymarket') =>
    ({ source, kind: 'trades', coin: 'BTC', ageMs: clock.now() - (arrived.get(source) ?? 0) }) as StreamHealth
  const dropped: string[] = []
  const listed = { value: [{}, {}], asOfMs: START_MS } as unknown as ListedMarkets
  const commands = createCommands({
    clock,
    bot,
    feeds: {
      reconnect: () => void dropped.push('feeds'),
      health: () => ({
        streams: [stream('binance'), stream('coinbase')],
        unreadable: { binance: 0, coinbase: 0 },
      }),
    },
    fiveMinute: {
      reconnect: () => dropped.push('markets') > 0,
      health: () => ({ streams: [stream('polymarket')] }) as never,
      refresh: () => 8,
      isBusy: false,
      open: (coin) => (coin === 'XRP' ? undefined : windowMarketAt(coin, clock.now())),
    },
    list: { refresh: async () => listed },
    caches: [
      { name: 'replies', drop: () => 4 },
      { name: 'reports', drop: () => 0 },
    ],
    backups: { make: async () => made },
    ...more,
  })
  /** Lets what waits on the clock go on. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 20) {
      clock.advance(20)
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    }
  }
  return { clock, bot, commands, arrived, dropped, pass }
}

describe('pausing and resuming', () => {
  test('changes the configuration once, whatever is repeated', async () => {
    const { commands, bot } = open()
    expect(await commands.pause_bot('me')).toEqual({
      did: 'the bot is paused',
      facts: { enabled: false, version: 1 },
    })
    expect(bot.status().config.config.enabled).toBe(false)
    expect((await commands.pause_bot('me')).did).toBe('the bot was paused already')
    expect(bot.config()).toMatchObject({ version: 1, by: 'me' })
    expect(await commands.resume_bot('you')).toEqual({
      did: 'the bot is enabled',
      facts: { enabled: true, version: 2 },
    })
    expect((await commands.resume_bot('you')).did).toBe('the bot was enabled already')
  })
})

describe('reconnecting', () => {
  test('waits until every stream has brought something since', async () => {
    const { commands, arrived, dropped, clock, pass } = open()
    let report: unknown
    const running = commands.reconnect_feeds('me').then((made) => {
      report = made
    })
    expect(dropped).toEqual(['feeds', 'markets'])
    await pass(500)
    arrived.set('binance', clock.now())
    arrived.set('polymarket', clock.now())
    await pass(100)
    expect(report).toBeUndefined()
    arrived.set('coinbase', clock.now())
    await pass(20)
    await running
    expect(report).toEqual({
      did: 'replaced every connection; all 3 streams bring data again',
      facts: { streams: 3, live: 3, silent: '' },
    })
  })

  test('names those that stay silent', async () => {
    const { commands, arrived, clock, pass } = open()
    const running = commands.reconnect_feeds('me')
    await pass(100)
    arrived.set('binance', clock.now())
    await pass(10_000)
    expect(await running).toEqual({
      did: 'replaced every connection; 2 of 3 streams have brought nothing since',
      facts: { streams: 3, live: 1, silent: 'coinbase trades BTC, polymarket trades BTC' },
    })
  })
})

describe('refreshing', () => {
  test('says what was read', async () => {
    const { commands } = open()
    expect(await commands.refresh_markets('me')).toEqual({
      did: 'read 2 markets, and 8 five-minute windows again; 3 of 4 coins have an open market',
      facts: { windows: 8, open_markets: COINS.length - 1, list_read: true, listed: 2 },
    })
  })

  test('a list that takes long is left to itself, and one that fails is told', async () => {
    const slow = open({ list: { refresh: () => new Promise(() => {}) } })
    const running = slow.commands.refresh_markets('me')
    await slow.pass(20_000)
    expect(await running).toMatchObject({ facts: { list_read: false, listed: 0 } })
    const failing = open({
      list: { refresh: async () => Promise.reject(new ServiceError('upstream_unavailable', 'no answer')) },
    })
    await expect(failing.commands.refresh_markets('me')).rejects.toThrow('no answer')
  })
})

test('flushing counts the entries of each cache', async () => {
  expect(await open().commands.flush_caches('me')).toEqual({
    did: 'dropped 4 entries of 2 caches',
    facts: { replies: 4, reports: 0 },
  })
})

test('a backup is told with its file, and is not made twice at a time', async () => {
  let finish: (backup: KeptBackup) => void = () => {}
  const { commands } = open({ backups: { make: () => new Promise((resolve) => (finish = resolve)) } })
  const first = commands.backup_store('me')
  await expect(commands.backup_store('me')).rejects.toMatchObject({
    code: 'conflict',
    message: 'backup_store is running already',
  })
  // Another command is not kept waiting by it.
  await commands.flush_caches('me')
  finish(made)
  expect(await first).toMatchObject({
    did: 'wrote /b/x.sqlite',
    facts: { bytes: 9, settled_payments: 3, keys: 1, backups_kept: 7, backups_removed: 2 },
  })
  const again = commands.backup_store('me')
  finish(made)
  await again
})
