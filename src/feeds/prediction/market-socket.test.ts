import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { createScriptedSockets } from '../../testing/prediction/scripted-socket.ts'
import { createMarketSocket } from './market-socket.ts'

const TRADE = {
  event_type: 'last_trade_price',
  asset_id: '11',
  market: `0x${'c'.repeat(64)}`,
  price: '0.5',
  size: '5',
  side: 'BUY',
  timestamp: '1767614400000',
}

function openMarketSocket({ holdMs = 0 } = {}) {
  const clock = createManualClock(Date.UTC(2026, 0, 5, 12))
  const sockets = createScriptedSockets()
  const heard: string[] = []
  const log = createKeptLog()
  const holdUntilMs = clock.now() + holdMs
  const socket = createMarketSocket({
    url: 'ws://venue/market',
    clock,
    gate: {
      check() {
        if (clock.now() < holdUntilMs) throw new Error('refused')
      },
      note() {},
    },
    random: () => 0.999,
    log,
    openSocket: sockets.openSocket,
    onSubscribed: (tokenIds) => heard.push(`subscribed ${tokenIds}`),
    onEvent: ({ type }) => heard.push(type),
    onLost: () => heard.push('lost'),
  })
  /** As the feed does. */
  const pass = (seconds: number, eachSecond = () => {}) => {
    for (let passed = 0; passed < seconds; passed++) {
      clock.advance(1_000)
      eachSecond()
      socket.check()
    }
  }
  return { clock, sockets, heard, socket, pass, log }
}

test('subscribes with the first frame, and to what changes with later ones', () => {
  const { sockets, heard, socket } = openMarketSocket()
  socket.want([])
  expect(sockets.all).toHaveLength(0)
  socket.want(['11', '12'])
  const connection = sockets.last()
  expect(connection.sent).toEqual([])
  connection.accept()
  socket.want(['11', '12'])
  socket.want(['12', '13'])
  socket.want([])
  socket.want(['14'])
  expect(connection.sent.map((text) => JSON.parse(text))).toEqual([
    { type: 'market', assets_ids: ['11', '12'], custom_feature_enabled: true },
    { operation: 'subscribe', assets_ids: ['13'], custom_feature_enabled: true },
    { operation: 'unsubscribe', assets_ids: ['11'], custom_feature_enabled: true },
    { operation: 'unsubscribe', assets_ids: ['12', '13'], custom_feature_enabled: true },
    { operation: 'subscribe', assets_ids: ['14'], custom_feature_enabled: true },
  ])
  expect(heard).toEqual(['subscribed 11,12', 'subscribed 13', 'subscribed 14'])
  expect(sockets.all).toHaveLength(1)
})

test('sends PING every ten seconds; a connection that only answers those is replaced', () => {
  const { sockets, heard, socket, pass } = openMarketSocket()
  socket.want(['11'])
  sockets.last().accept()
  pass(40, () => sockets.last().say(TRADE))
  expect(sockets.all).toHaveLength(1)
  expect(sockets.last().sent.filter((text) => text === 'PING')).toHaveLength(4)
  const first = sockets.last()
  pass(14, () => first.say('PONG'))
  expect(first.isEnded()).toBe(false)
  pass(1, () => first.say('PONG'))
  expect(first.isEnded()).toBe(true)
  expect(heard.at(-1)).toBe('lost')
  pass(1)
  expect(sockets.all).toHaveLength(2)
  sockets.last().accept()
  expect(sockets.last().sent).toHaveLength(1)
  first.say(TRADE)
  expect(heard.at(-1)).toBe('subscribed 11')
})

test('what cannot be read is no sign of life, nor is a handshake without an end', () => {
  const { sockets, socket, pass } = openMarketSocket()
  socket.want(['11'])
  sockets.last().accept()
  pass(15, () => sockets.all[0]?.say('{"event_type":"book"'))
  expect(sockets.all[0]?.isEnded()).toBe(true)
  pass(1)
  expect(sockets.all).toHaveLength(2)
  pass(15)
  expect(sockets.all[1]?.isEnded()).toBe(true)
})

test('waits longer after each connection that ends soon, and not after one that lasted', () => {
  const { sockets, socket, clock, pass } = openMarketSocket()
  socket.want(['11'])
  const waits: number[] = []
  for (let round = 0; round < 8; round++) {
    sockets.last().accept()
    sockets.last().close(1000)
    const count = sockets.all.length
    const lostMs = clock.now()
    // Asking again does not shorten the wait.
    while (sockets.all.length === count) {
      clock.advance(10)
      socket.want(['11'])
    }
    waits.push(clock.now() - lostMs)
  }
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
  sockets.last().accept()
  pass(30, () => sockets.last().say(TRADE))
  sockets.last().close(1000)
  clock.advance(250)
  expect(sockets.last().isEnded()).toBe(false)
})

test('does not connect while the host refuses that, and not after it was closed', () => {
  const { sockets, socket, pass } = openMarketSocket({ holdMs: 20_000 })
  socket.want(['11'])
  pass(19, () => socket.want(['11']))
  expect(sockets.all).toHaveLength(0)
  pass(11)
  expect(sockets.all).toHaveLength(1)
  socket.close()
  expect(sockets.last().isEnded()).toBe(true)
  pass(60, () => socket.want(['11', '12']))
  expect(sockets.all).toHaveLength(1)
})

test('an outage is one line, however many connections fail, and its end is another', () => {
  const { sockets, socket, pass, log } = openMarketSocket()
  socket.want(['11'])
  const where = { provider: 'clob', channel: 'socket', host: 'venue', cause: 'closed with 1006' }
  pass(120, () => sockets.last().close(1006))
  expect(sockets.all.length).toBeGreaterThan(5)
  expect(log.lines).toEqual([{ level: 'warn', text: 'a venue is down', ...where }])
  pass(60)
  sockets.last().accept()
  // It is open, and says nothing.
  pass(14)
  expect(log.lines).toHaveLength(1)
  pass(120)
  sockets.last().accept()
  pass(16, () => sockets.last().say(TRADE))
  expect(log.lines.slice(1)).toEqual([
    { level: 'info', text: 'a venue is well again', ...where, downMs: expect.any(Number) },
  ])
})
