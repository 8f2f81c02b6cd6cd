import { z } from 'zod'
import { MAX_SKEW_MS } from '../../../bot/risk/bounds.ts'
import type { Upstreams } from '../../../config/providers.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { TimeReply } from '../../../upstreams/polymarket/clob/wire.ts'
import { askOnce } from '../ask-once.ts'
import { type Check, type Finding, failure, ok, warning } from '../check.ts'

const NTP =
  "set this machine's clock and keep it right: run an NTP client (timedatectl set-ntp true, or chrony)"
/** The first request also opens the connection, which makes its middle a bad guess; a later one does not. */
const TRIES = 3

/** Of the time limit: a venue that hangs does not keep the others from telling the time. */
const SHARE = 0.8

type Input = { upstreams: Upstreams; clock: Clock; timeoutMs: number }
type Told = { venue: string; skewMs: number; errorMs: number }

/** This machine's clock against those of the venues. The bot does not trade beyond a second. */
export function clockCheck({ upstreams, clock, timeoutMs }: Input): Check {
  const sources = [
    { venue: 'Binance', url: `${upstreams.BINANCE}/api/v3/time`, read: readBinance },
    { venue: 'Coinbase', url: `${upstreams.COINBASE}/time`, read: readCoinbase },
    { venue: 'Polymarket', url: `${upstreams.CLOB}/time`, read: (json: unknown) => TimeReply.parse(json) },
  ]
  return {
    name: 'clock',
    group: 'venues',
    advice: 'see the lines of the venues: none of them tells the time',
    async run(ending) {
      const late = new AbortController()
      const cancel = clock.after(timeoutMs * SHARE, () => late.abort())
      const signal = AbortSignal.any([ending, late.signal])
      const told = await Promise.allSettled(
        sources.map(async ({ venue, url, read }) => ({
          venue,
          ...(await measure(clock, async () => read((await askOnce(url, signal)).json))),
        })),
      )
      cancel()
      return judgeSkews(told.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
    },
  }
}

/** The venue's clock less ours against the middle of the shortest round trip, which it can be wrong by half of. */
async function measure(clock: Clock, readMs: () => Promise<number>): Promise<Omit<Told, 'venue'>> {
  let best = { skewMs: 0, errorMs: Number.POSITIVE_INFINITY }
  for (let tries = 0; tries < TRIES; tries++) {
    const sentMs = clock.now()
    const toldMs = await readMs()
    const gotMs = clock.now()
    // Whole seconds: the one that has begun.
    const halfMs = toldMs % SECOND_MS === 0 ? SECOND_MS / 2 : 0
    const errorMs = (gotMs - sentMs) / 2 + halfMs
    if (errorMs < best.errorMs) best = { skewMs: toldMs + halfMs - (sentMs + gotMs) / 2, errorMs }
  }
  return best
}

/** A clock that one venue agrees with is right; then another venue's is wrong. */
export function judgeSkews(told: readonly Told[]): Finding {
  if (told.length === 0) throw new Error('no venue tells the time')
  const what = told
    .map(({ venue, skewMs, errorMs }) => `${venue} ${signed(skewMs)} ± ${Math.ceil(errorMs)} ms`)
    .join(', ')
  const off = told.filter(({ skewMs, errorMs }) => Math.abs(skewMs) > Math.max(MAX_SKEW_MS, errorMs))
  if (off.length === 0) return ok(`against ours: ${what}`)
  if (off.length === told.length)
    return failure(`this machine's clock is wrong by more than ${MAX_SKEW_MS / SECOND_MS} s: ${what}`, NTP)
  return warning(
    `the clock of ${off.map(({ venue }) => venue).join(' and ')} is not that of the others: ${what}`,
    'wait until the venues agree; the bot does not trade meanwhile where it is Polymarket that differs',
  )
}

const signed = (ms: number) => `${ms < 0 ? '' : '+'}${Math.round(ms)}`

const readBinance = (json: unknown) => z.object({ serverTime: z.number().positive() }).parse(json).serverTime
const readCoinbase = (json: unknown) =>
  z.object({ epoch: z.number().positive() }).parse(json).epoch * SECOND_MS
