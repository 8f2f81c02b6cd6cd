import { COINS } from '../../../src/core/coin.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time/time.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { Timeline, Trace } from '../../simulation/timeline.ts'
import type { BotCode } from './bot-code.ts'
import type { SimProcess } from './process.ts'
import type { Violation } from './violation.ts'

type World = {
  timeline: Timeline
  random: Seeded
  code: BotCode
  process(): SimProcess | undefined
  /** Whether the operator also trades by hand. */
  isBusy: boolean
  endMs: number
  note(violation: Violation): void
  trace: Trace
}

/** Resets the breaker an hour or more after it opened, and now and then trades by hand, at times twice the same. */
export function startOperator(world: World): void {
  const { timeline, random, endMs } = world
  let openSinceMs: number | undefined
  const visit = () => {
    const process = world.process()
    if (process?.isUp && process.isAlive()) {
      const { isOpen } = process.bot.status().breaker
      if (!isOpen) openSinceMs = undefined
      else openSinceMs ??= timeline.now()
      if (openSinceMs !== undefined && timeline.now() - openSinceMs > HOUR_MS)
        attempt(world, () => process.bot.resetBreaker('operator'))
      else if (world.isBusy) actByHand(world, process)
    }
    if (timeline.now() < endMs) timeline.after(random.between(5, 25) * MINUTE_MS, visit)
  }
  timeline.after(10 * MINUTE_MS, visit)
}

let ids = 0

function actByHand(world: World, { bot }: SimProcess): void {
  const { random } = world
  const coin = random.pick(COINS)
  const outcome = random.pick(['UP', 'DOWN'] as const)
  if (random.chance(0.2))
    attempt(world, () => bot.bossSignal({ direction: outcome, coin, reason: undefined }, 'operator'))
  if (random.chance(0.2)) {
    const clientOrderId = random.chance(0.5) ? `hand-${++ids}` : undefined
    const spendE6 = BigInt(random.between(1, 5)) * 1_000_000n
    const buy = () => bot.buy({ coin, outcome, spendE6, clientOrderId, by: 'operator' })
    attempt(world, buy)
    if (random.chance(0.5)) attempt(world, buy)
  }
  if (random.chance(0.4)) attempt(world, () => bot.sellOpenWindow(coin, 'operator'))
  if (random.chance(0.1)) attempt(world, () => bot.claimWins('operator'))
}

/** What is expected to go wrong does; anything else is a bug. */
function attempt({ code, note, timeline, trace }: World, act: () => Promise<unknown>): void {
  act().then(
    () => trace?.('operator: done'),
    (error: unknown) => {
      trace?.(`operator: ${error}`)
      if (!(error instanceof code.ServiceError))
        note({ rule: 'what fails says how', subject: `${error} at ${timeline.now()}` })
    },
  )
}
