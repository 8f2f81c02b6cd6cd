import type { Seeded } from '../../src/testing/seeded.ts'
import { type Counter, createCounter } from '../buying/counter.ts'
import type { SignedPayment } from '../buying/wallet.ts'

/** The counter of a shop with several doors: what is paid at one is shown at another as well. */
export type Till = {
  counter: Counter
  /** Presents every payment a second time elsewhere, at once or when its goods are there. */
  twice: Counter
  repeats(): number
  /** Resolves when nothing is under way. */
  quiet(): Promise<void>
}
export type TillInput = { urls: readonly [string, ...string[]]; seeded: Seeded; heard(what: string): void }
type How = Parameters<Counter['present']>[2]

const AT_ONCE_SHARE = 0.3
/** A copy that is late must not claim a payment that its owner has been told is dead. */
const SURE_LIFE_MS = 45_000

export function openTill({ urls, seeded, heard }: TillInput): Till {
  const counter = createCounter({ baseUrl: () => seeded.pick(urls), heard })
  const underWay = new Set<Promise<unknown>>()
  let repeats = 0
  const repeat = (path: string, payment: SignedPayment, how: How) => {
    repeats++
    const sent = counter.present(path, payment, how).finally(() => underWay.delete(sent))
    underWay.add(sent)
    return sent
  }
  return {
    counter,
    repeats: () => repeats,
    quiet: async () => void (await Promise.all(underWay)),
    twice: {
      ...counter,
      async present(path, payment, how = {}) {
        const here = seeded.pick(urls)
        const there = urls.find((url) => url !== here) ?? here
        const isAtOnce = seeded.chance(AT_ONCE_SHARE) && payment.diesAtMs - Date.now() > SURE_LIFE_MS
        const from = how.from === undefined ? {} : { from: how.from }
        if (isAtOnce) void repeat(path, payment, { at: there, ...from })
        const answer = await counter.present(path, payment, { at: here, ...how })
        if (answer?.status === 200 && !isAtOnce) await repeat(path, payment, { at: there, ...from })
        return answer
      },
    },
  }
}
