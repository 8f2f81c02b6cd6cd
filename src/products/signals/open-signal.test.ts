import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { signalAt, signalsOf } from '../../testing/products/hand-made-signals.ts'
import { onceOpen, signalOf } from './open-signal.ts'

const OPENS_MS = 1_000 * WINDOW_S * 1_000
const COINS_ASKED = ['BTC', 'ETH'] as const

/** The newest event of each coin is of the window before, until the one that comes `afterMs`; that of ETH is the later. */
function openingOf(askedAfterMs: number, afterMs: number) {
  const clock = createManualClock(OPENS_MS - 40)
  const isOpen = (coin: string) => clock.now() >= OPENS_MS + afterMs + (coin === 'ETH' ? 100 : 0)
  const signals = signalsOf((coin) => signalAt(coin, isOpen(coin) ? clock.now() : OPENS_MS - 40))
  clock.advanceTo(OPENS_MS + askedAfterMs)
  const reply = async () =>
    onceOpen({ signals, clock }, COINS_ASKED, () => {
      const starts = COINS_ASKED.map((coin) => signalOf({ signals, clock }, coin).windowStartS)
      return { starts, afterMs: clock.now() - OPENS_MS }
    })
  const asked = reply()
  asked.catch(() => {})
  return {
    asked,
    async advance(ms: number) {
      for (let passed = 0; passed < ms; passed += 20) {
        clock.advance(20)
        await nextTurn()
      }
    },
  }
}

test('who asks as a window opens gets its first signals, once the last of the coins has one', async () => {
  const { asked, advance } = openingOf(0, 150)
  await advance(400)
  const { starts, afterMs } = await asked
  expect(starts).toEqual([OPENS_MS / 1_000, OPENS_MS / 1_000])
  expect(afterMs).toBeGreaterThanOrEqual(250)
  expect(afterMs).toBeLessThan(300)
})

test('the window before is answered until its last moment, and nobody waits', async () => {
  const { starts, afterMs } = await openingOf(-1, 150).asked
  expect({ starts, afterMs }).toEqual({
    starts: COINS_ASKED.map(() => OPENS_MS / 1_000 - WINDOW_S),
    afterMs: -1,
  })
})

test('without an event of the new window it is 503 after two seconds, and at once from then on', async () => {
  const { asked, advance } = openingOf(0, 60_000)
  await advance(2_100)
  await expect(asked).rejects.toThrow('no BTC signal: its window has just closed')
  await expect(openingOf(2_000, 60_000).asked).rejects.toThrow('no BTC signal: its window has just closed')
})
