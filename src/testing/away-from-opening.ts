import { sleep, systemClock } from '../core/time/clock.ts'
import { WINDOW_S } from '../core/time/window.ts'

/** In this time around the opening of a window products about it may answer 503, because half of it is not known yet. */
const BEFORE_MS = 1_000
const AFTER_MS = 5_000

/** For stories on the real clock: waits where a window is about to open or has just opened. */
export async function awayFromOpening(): Promise<void> {
  const windowMs = WINDOW_S * 1000
  const sinceMs = (systemClock.now() + BEFORE_MS) % windowMs
  if (sinceMs < BEFORE_MS + AFTER_MS) await sleep(systemClock, BEFORE_MS + AFTER_MS - sinceMs)
}

const LOOK_EVERY_MS = 100
const GIVE_UP_MS = 60_000

/** On a busy machine the first books come after the ready line: waits until every coin has a fresh one. */
export async function untilMarketsAreFollowed(url: string): Promise<void> {
  const giveUpMs = systemClock.now() + GIVE_UP_MS
  const isFollowed = async () => {
    const { checks } = (await (await fetch(`${url}/health`)).json()) as { checks: Check[] }
    return checks.some(({ name, status }) => name === 'polymarket' && status === 'ok')
  }
  while (!(await isFollowed())) {
    if (systemClock.now() > giveUpMs) throw new Error('the prediction markets are not followed')
    await sleep(systemClock, LOOK_EVERY_MS)
  }
}

type Check = { name: string; status: string }
