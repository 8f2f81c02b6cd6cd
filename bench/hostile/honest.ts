import { setTimeout as pause } from 'node:timers/promises'
import type { SignPayment } from '../payments/payers.ts'
import { type Ask, createAsk, type Place } from './ask.ts'
import { PATH } from './world.ts'

/** `others` are the answers that were no sale. */
export type Bought = { sold: number; p50Ms: number; p99Ms: number; others: Readonly<Record<string, number>> }
type Noted = Bought & { note(ms: number): void; miss(ending: string): void }

const CLIENT = '203.0.113.7'
const FREE_PATH = '/pricing'
/** What clients are told to wait before they send the same payment again. */
const AGAIN_MS = 2_000
/** A new buyer who has not got through by then gives up. */
const PATIENCE_MS = 30_000
const NEXT_NEW_MS = 1_000
const NEXT_GLANCE_MS = 100

/** Buys one after the other until the work is done. */
export const buyWhile = (place: Place, sign: SignPayment, work: Promise<unknown>): Promise<Bought> =>
  repeatWhile(place, work, async (ask, noted) => {
    const { ending, isSold, ms } = await ask(PATH, CLIENT, sign())
    if (isSold) noted.note(ms)
    else noted.miss(ending)
  })

/** Each purchase by a wallet and from an address that never came before; the time is until it is sold, tries included. */
export function buyAnewWhile(
  place: Place,
  newcomers: Iterator<SignPayment>,
  work: Promise<unknown>,
): Promise<Bought> {
  return repeatWhile(place, work, async (ask, noted) => {
    const { value: sign } = newcomers.next()
    if (!sign) throw new Error('there are too few new buyers')
    const payment = sign()
    const client = nextAddress()
    const startedMs = performance.now()
    const sinceMs = () => performance.now() - startedMs
    for (;;) {
      const { ending, isSold } = await ask(PATH, client, payment)
      if (isSold) noted.note(sinceMs())
      else noted.miss(ending)
      if (isSold || sinceMs() > PATIENCE_MS) break
      await pause(AGAIN_MS)
    }
    await pause(NEXT_NEW_MS)
  })
}

/** What a request takes that buys nothing: the way there and the loops at both ends. */
export const glanceWhile = (place: Place, work: Promise<unknown>): Promise<Bought> =>
  repeatWhile(place, work, async (ask, noted) => {
    noted.note((await ask(FREE_PATH, CLIENT)).ms)
    await pause(NEXT_GLANCE_MS)
  })

/** Buys once, and returns the payment that is used up by it. */
export async function buyOnce(place: Place, sign: SignPayment): Promise<string> {
  const ask = createAsk(place)
  const payment = sign()
  const { ending, isSold } = await ask(PATH, CLIENT, payment)
  ask.close()
  if (!isSold) throw new Error(`the first purchase was answered ${ending}`)
  return payment
}

async function repeatWhile(
  place: Place,
  work: Promise<unknown>,
  step: (ask: Ask, noted: Noted) => Promise<void>,
): Promise<Bought> {
  const ask = createAsk(place)
  const noted = createNoted()
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) await step(ask, noted)
  await over
  ask.close()
  const { sold, p50Ms, p99Ms, others } = noted
  return { sold, p50Ms, p99Ms, others }
}

function createNoted(): Noted {
  const soldMs: number[] = []
  const others: Record<string, number> = {}
  const quantile = (share: number) =>
    soldMs.toSorted((a, b) => a - b)[Math.ceil(soldMs.length * share) - 1] ?? Number.NaN
  return {
    note: (ms) => void soldMs.push(ms),
    miss(ending) {
      others[ending] = (others[ending] ?? 0) + 1
    },
    get sold() {
      return soldMs.length
    },
    get p50Ms() {
      return quantile(0.5)
    },
    get p99Ms() {
      return quantile(0.99)
    },
    others,
  }
}

let newcomers = 0
const nextAddress = () => `192.0.${2 + (newcomers >> 8)}.${newcomers++ & 255}`
