import { expect, test } from 'vitest'
import { createRateCounters } from '../../access/rate-counters.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createAdmitMessages, MESSAGE_LIMIT } from './admit-messages.ts'

const batchOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id, method: 'ping' }))

test('each message of a batch counts, and those beyond the limit are told when to come again', async () => {
  const clock = createManualClock(0)
  const counters = createRateCounters({ clock })
  const admit = createAdmitMessages(counters)
  for (let sent = 0; sent < MESSAGE_LIMIT.calls - 20; sent += 20) {
    await counters.take(MESSAGE_LIMIT, 'a')
    expect((await admit(batchOf(20), 'a')).refusals).toEqual([])
  }
  clock.advance(15_000)
  for (let n = 0; n < 15; n++) await counters.take(MESSAGE_LIMIT, 'a')
  await counters.take(MESSAGE_LIMIT, 'a')
  const batch = [...batchOf(6), { method: 'notifications/initialized' }, 7]
  const { messages, refusals, headers } = await admit(batch, 'a')
  expect(messages).toEqual(batchOf(5))
  const error = {
    code: -32_029,
    message:
      'at most 600 calls a minute from one client, and each message of a batch is one; send this message again after 45 s',
    data: { code: 'rate_limited', retry_after_s: 45 },
  }
  expect(refusals).toEqual([{ jsonrpc: '2.0', id: 5, error }])
  expect(headers).toEqual(['Retry-After', '45'])
  expect((await admit(batchOf(20), 'b')).messages).toHaveLength(20)
})
