import { setImmediate as settled } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { startBlockTicker } from './block-ticker.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

/** A chain of one block: the newest. */
function createHead() {
  const clock = createManualClock(START_MS)
  const head = { timestamp: START_MS / 1000, transactions: [] as string[], mined: 0 }
  const rpc = async (method: string) => {
    if (method === 'anvil_mine')
      Object.assign(head, { timestamp: clock.now() / 1000, transactions: [], mined: head.mined + 1 })
    return { timestamp: `0x${Math.floor(head.timestamp).toString(16)}`, transactions: head.transactions }
  }
  const stop = startBlockTicker({ rpc, clock, log: silentLog })
  const pass = async (seconds: number) => {
    for (let each = 0; each < seconds; each++) {
      clock.advance(1_000)
      await settled()
    }
    return head.mined
  }
  return { head, pass, stop }
}

test('an idle chain mines a block only before its latest one gets too old for payers', async () => {
  const { pass, head } = createHead()
  expect(await pass(240)).toBe(0)
  expect(await pass(4)).toBe(1)
  await pass(3_600)
  expect(head.mined).toBeLessThan(20)
})

test('a transaction is followed by a few empty blocks', async () => {
  const { pass, head, stop } = createHead()
  head.transactions = ['0x1']
  expect(await pass(2)).toBe(1)
  expect(await pass(4)).toBe(3)
  expect(await pass(60)).toBe(3)
  stop()
  head.transactions = ['0x2']
  expect(await pass(10)).toBe(3)
})
