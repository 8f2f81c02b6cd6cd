import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { silentLog } from '../../core/log.ts'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import { readBybitFrame } from '../../upstreams/bybit/wire.ts'
import type { Liquidation } from '../../upstreams/perpetuals/liquidation.ts'
import { createLiquidationSocket, type LiquidationSocket } from './liquidation-socket.ts'

const START_MS = Date.UTC(2026, 4, 6, 13)

/** A connection that does only what the test says. */
function createPlainSocket() {
  const events = new EventEmitter()
  const sent: string[] = []
  const socket = Object.assign(events, {
    OPEN: 1,
    readyState: 0,
    sent,
    isEnded: false,
    send: (text: string) => void sent.push(text),
    ping: () => void sent.push('(ping)'),
    terminate() {
      socket.isEnded = true
      socket.readyState = 3
    },
    open() {
      socket.readyState = 1
      events.emit('open')
    },
    say: (json: unknown) => events.emit('message', Buffer.from(JSON.stringify(json)), false),
  })
  return socket
}
type PlainSocket = ReturnType<typeof createPlainSocket>

let clock: ManualClock
let opened: PlainSocket[]
let heard: Liquidation[]
let isRefusing: boolean
let feed: LiquidationSocket
const last = (): PlainSocket => opened.at(-1) ?? expect.fail('nothing was opened')

beforeEach(() => {
  clock = createManualClock(START_MS)
  opened = []
  heard = []
  isRefusing = false
  feed = createLiquidationSocket({
    stream: {
      venue: 'bybit',
      provider: 'bybit',
      url: 'wss://stream.example/linear',
      subscription: 'subscribe',
      ping: 'ping',
      read: readBybitFrame,
    },
    clock,
    random: () => 0.5,
    gate: {
      check() {
        if (isRefusing) throw new Error('refuses requests')
      },
      note() {},
    },
    log: silentLog,
    openSocket() {
      opened.push(createPlainSocket())
      return last() as unknown as WebSocket
    },
    onLiquidation: (liquidation) => void heard.push(liquidation),
  })
  feed.start()
})

describe('the connection to a venue that tells of liquidations', () => {
  it('subscribes once it is open, and hands on what it hears', () => {
    expect(feed.isOpen).toBe(false)
    last().open()
    expect(feed.isOpen).toBe(true)
    expect(last().sent).toEqual(['subscribe'])
    const row = { T: START_MS, s: 'BTCUSDT', S: 'Sell', v: '1', p: '90000' }
    last().say({ topic: 'allLiquidation.BTCUSDT', data: [row, { ...row, v: null }] })
    expect(heard).toEqual([{ coin: 'BTC', side: 'short', usd: 90_000, atMs: START_MS }])
    expect(feed.skipped).toBe(1)
  })

  it('lives on answers to its pings, and is replaced without them', () => {
    last().open()
    for (let second = 0; second < 120; second++) {
      clock.advance(1_000)
      if (second % 20 === 0) last().say({ success: true, ret_msg: 'pong', op: 'ping' })
      feed.check()
    }
    expect(opened).toHaveLength(1)
    expect(last().sent.filter((text) => text === 'ping').length).toBeGreaterThanOrEqual(7)
    clock.advance(41_000)
    feed.check()
    expect(opened[0]?.isEnded).toBe(true)
    expect(feed.isOpen).toBe(false)
    clock.advance(1_000)
    expect(opened).toHaveLength(2)
  })

  it('ends where the subscription is refused, and waits longer each time', () => {
    for (const waitMs of [188, 375, 750]) {
      last().open()
      last().say({ success: false, ret_msg: 'handler not found' })
      expect(last().isEnded).toBe(true)
      const count = opened.length
      clock.advance(waitMs - 1)
      expect(opened).toHaveLength(count)
      clock.advance(1)
      expect(opened).toHaveLength(count + 1)
    }
  })

  it('hears nothing more of a connection that it has given up', () => {
    const first = last()
    first.open()
    first.emit('close', 1006)
    clock.advance(1_000)
    first.say({
      topic: 'allLiquidation.BTCUSDT',
      data: [{ T: START_MS, s: 'BTCUSDT', S: 'Buy', v: '1', p: '1' }],
    })
    first.emit('close', 1006)
    expect(heard).toEqual([])
    expect(opened).toHaveLength(2)
  })

  it('is not opened while the host refuses, nor after the stop', () => {
    isRefusing = true
    last().open()
    last().emit('close', 1006)
    clock.advance(60_000)
    expect(opened).toHaveLength(1)
    isRefusing = false
    clock.advance(10_000)
    expect(opened).toHaveLength(2)
    feed.stop()
    clock.advance(60_000)
    expect(opened).toHaveLength(2)
    expect(feed.isOpen).toBe(false)
  })
})
