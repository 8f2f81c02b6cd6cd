import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createReplyWatch, MAX_UNTAKEN_BYTES } from './reply-watch.ts'

function watchWorld() {
  const clock = createManualClock(0)
  let cutOff = 0
  const watch = createReplyWatch(clock, () => cutOff++)
  const reply = (bytes: number) => {
    const socket = { bytesWritten: bytes, writableLength: bytes }
    const response = Object.assign(new EventEmitter(), {
      socket,
      destroyed: false,
      destroy() {
        response.destroyed = true
        response.emit('close')
      },
    })
    watch(response as unknown as ServerResponse, bytes)
    return { response, socket }
  }
  return { clock, reply, cutOff: () => cutOff }
}

test('a reply is given up when nothing of it was taken for 30 s, and not before', () => {
  const { clock, reply, cutOff } = watchWorld()
  const [deaf, slow] = [reply(100), reply(100)]
  clock.advance(25_000)
  slow.socket.writableLength--
  clock.advance(4_999)
  expect([deaf.response.destroyed, slow.response.destroyed]).toEqual([false, false])
  clock.advance(1)
  expect([deaf.response.destroyed, slow.response.destroyed, cutOff()]).toEqual([true, false, 1])
  clock.advance(29_999)
  expect(slow.response.destroyed).toBe(false)
  clock.advance(1)
  expect([slow.response.destroyed, cutOff()]).toEqual([true, 2])
})

test('where too much waits in all, who takes nothing is given up sooner', () => {
  const { clock, reply, cutOff } = watchWorld()
  const replies = Array.from({ length: 5 }, () => reply(MAX_UNTAKEN_BYTES / 4))
  const [first] = replies
  if (first) first.socket.writableLength--
  clock.advance(4_999)
  expect(cutOff()).toBe(0)
  clock.advance(1)
  // One of those that took nothing goes, and then there is room for the others.
  expect(replies.map(({ response }) => response.destroyed)).toEqual([false, true, false, false, false])
})

test('a reply that was taken counts no longer', () => {
  const { clock, reply, cutOff } = watchWorld()
  for (let n = 0; n < 8; n++) reply(MAX_UNTAKEN_BYTES / 4).response.emit('close')
  const { response } = reply(MAX_UNTAKEN_BYTES / 4)
  clock.advance(29_999)
  expect([response.destroyed, cutOff()]).toEqual([false, 0])
})
