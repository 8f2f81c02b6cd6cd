import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { createOperatorAccount } from './operator-account.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const WALLET = `0x${'a'.repeat(40)}`

test('activity and positions are read apart, for one wallet, and not more often than every 15 s', async () => {
  const clock = createManualClock(START_MS)
  const asked: string[] = []
  let isDown = false
  const read = (what: string) => async (wallet: string) => {
    asked.push(`${what} ${wallet}`)
    if (isDown) throw new UpstreamError('down', 'gone')
    return []
  }
  const data = { activity: read('activity'), positions: read('positions') }
  const account = createOperatorAccount({ clock, random: () => 1, data, wallet: WALLET })
  expect(await account.activity()).toEqual({ value: [], asOfMs: START_MS })
  await account.positions()
  for (let each = 0; each < 100; each++) await account.activity()
  expect(asked).toEqual([`activity ${WALLET}`, `positions ${WALLET}`])
  isDown = true
  clock.advance(300_000)
  expect(await account.activity()).toEqual({ value: [], asOfMs: START_MS })
  clock.advance(1)
  await expect(account.activity()).rejects.toThrow('gone')
})
