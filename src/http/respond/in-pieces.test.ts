import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { textReply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { createEventStreams } from './event-streams.ts'
import { respondInPieces } from './in-pieces.ts'
import type { Responder } from './responder.ts'

const EVENTS = { raw: { headers: { accept: 'text/event-stream' } } } as Incoming
const clientKey = () => 'a'
const PLACES = 10

function worldOf(respond: Responder) {
  const streams = createEventStreams({ clock: createManualClock(0), log: silentLog })
  return { streams, ask: respondInPieces(() => ['x'], respond, { streams, clientKey }) }
}

test('who has no place left for events is refused before the work is done', async () => {
  let worked = 0
  const { streams, ask } = worldOf(() => {
    worked++
    return textReply(200, '{}', [])
  })
  const places = Array.from({ length: PLACES }, () => streams.take('a'))
  await expect(ask(EVENTS)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(worked).toBe(0)
  places[0]?.leave()
  expect(await ask(EVENTS)).toMatchObject({ status: 200, stream: expect.any(Function) })
})

test.each<[string, Responder]>([
  ['is refused', () => textReply(422, '{}', [])],
  ['fails at once', () => Promise.reject(new Error('broken'))],
  [
    'throws',
    () => {
      throw new Error('broken')
    },
  ],
])('work that %s gives its place back', async (_, respond) => {
  const { streams, ask } = worldOf(respond)
  for (let n = 0; n < PLACES + 1; n++) await Promise.resolve(ask(EVENTS)).catch(() => {})
  expect(Array.from({ length: PLACES }, () => streams.take('a'))).toHaveLength(PLACES)
})

test('who ended his side after his request gets the reply', async () => {
  const { ask } = worldOf(() => textReply(200, '{"a":1}', []))
  const socket = Object.assign(new EventEmitter(), { readableEnded: true })
  let said = ''
  const write = (frame: Buffer) => (said += frame.toString())
  const response = Object.assign(new EventEmitter(), { socket, write, end: () => {} })
  const { stream } = await ask(EVENTS)
  stream?.(response as unknown as ServerResponse)
  expect(said).toContain('data: {"piece":"x"}\n\ndata: {"a":1}\n\n')
})

test('a reply that is made while the service stops is sent whole', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { streams, ask } = worldOf(async () => {
    await promise
    return textReply(200, '{"a":1}', [])
  })
  const asked = ask(EVENTS)
  streams.endAll()
  resolve()
  let said = ''
  const write = (frame: Buffer) => (said += frame.toString())
  const response = Object.assign(new EventEmitter(), { socket: new EventEmitter(), write, end: () => {} })
  const { stream } = await asked
  stream?.(response as unknown as ServerResponse)
  expect(said).toContain('data: {"a":1}\n\n')
})
