import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, type Coin } from '../../core/coin.ts'
import { windowAt } from '../../core/time/window.ts'
import type { LoggedSignalRow } from '../../ledger/ports/operator-book.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { SIGNAL_SOURCE, toVerdict, Verdict } from '../../products/signals/fields.ts'
import { CoinName, Side, WindowStart } from '../fields.ts'
import { Decision, toDecision } from './decision-fields.ts'
import type { AdminServices } from './services.ts'

const DECISIONS_SHOWN = 50
const LOGGED_SHOWN = 50

const CoinSignal = z.object({
  coin: CoinName,
  ...Verdict.shape,
  window_start: WindowStart,
  timestamp: z.iso.datetime().describe('Of the newest event behind it'),
})
const NoSignal = z.object({ coin: CoinName, reason: z.string().describe('Why it has none') })

const LoggedSignal = z.object({
  window_start: WindowStart,
  coin: CoinName,
  side: Side,
  confidence: z.number().min(0).max(1),
  price: z.number().positive(),
  source: z.string().nullable(),
  by: z.string().min(1),
  at: z.iso.datetime(),
})

export const signals = defineEndpoint({
  id: 'admin.signals',
  method: 'GET',
  path: '/admin/signals',
  access: operator('admin'),
  summary: 'Signals now, what the bot made of them, and signals that were logged',
  description: `The signal of every coin for the window that is open now, or why there is none; the last ${DECISIONS_SHOWN} decisions of the bot with the numbers it saw; and the last ${LOGGED_SHOWN} signals of /trade/log-signal.`,
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    signals: z.array(CoinSignal).max(COINS.length).describe('Of the coins that have one for the open window'),
    missing: z.array(NoSignal).max(COINS.length).describe('The other coins, each with the reason'),
    decisions: z.array(Decision).max(DECISIONS_SHOWN).describe('Newest first'),
    logged: z.array(LoggedSignal).max(LOGGED_SHOWN).describe('Newest window first'),
  }),
  handle: async (services: AdminServices) => {
    const { book, operatorBook, clock, sourceOf } = services
    const [decisions, logged] = await Promise.all([
      book.decisions({ limit: DECISIONS_SHOWN, offset: 0 }),
      operatorBook.signals(LOGGED_SHOWN),
    ])
    const found = COINS.map((coin) => findSignal(services, coin))
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(SIGNAL_SOURCE),
      signals: found.flatMap((each) => ('reason' in each ? [] : each)),
      missing: found.flatMap((each) => ('reason' in each ? each : [])),
      decisions: decisions.map(toDecision),
      logged: logged.map(toLogged),
    }
  },
})

function findSignal(
  { signals, clock }: AdminServices,
  coin: Coin,
): z.input<typeof CoinSignal> | z.input<typeof NoSignal> {
  const signal = signals.signal(coin)
  if (!signal) return { coin, reason: signals.missing(coin) }
  if (signal.windowStartS !== windowAt(clock.now()).startS)
    return { coin, reason: 'the window has just opened: ask again in a second' }
  const { windowStartS, asOfMs } = signal
  return { coin, ...toVerdict(signal), window_start: windowStartS, timestamp: isoTime(asOfMs) }
}

const toLogged = (row: LoggedSignalRow): z.input<typeof LoggedSignal> => ({
  window_start: row.windowStartS,
  coin: row.coin,
  side: row.side,
  confidence: row.confidence,
  price: row.price,
  source: row.source ?? null,
  by: row.by,
  at: isoTime(row.atMs),
})
