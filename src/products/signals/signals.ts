import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, type Coin, listCoins } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { Source, Timestamp } from '../fields.ts'
import { BotFigures, toBotFigures } from './bot-figures.ts'
import { Coins } from './coins.ts'
import {
  oldestOf,
  SIGNAL_FRESH_MS,
  SIGNAL_SOURCE,
  SignalCore,
  signalChanges,
  toSignalCore,
} from './fields.ts'
import { IndicatorValues, toIndicatorValues, toUnknownIndicators, UnknownIndicators } from './indicators.ts'
import { onceOpen, signalOf } from './open-signal.ts'
import type { SignalServices } from './services.ts'

const PRICE = usd('0.012')
const Format = z.enum(['list', 'keyed'])
const FORMAT_ABOUT = 'list: signals as an array of coins; keyed: as an object by coin'

const CoinSignal = z.object({
  ...SignalCore.shape,
  indicators: IndicatorValues,
  unknown_indicators: UnknownIndicators,
})
const Keyed = z.object({
  timestamp: Timestamp,
  source: Source,
  signals: z.partialRecord(z.enum(COINS), CoinSignal),
  ...BotFigures.shape,
})
const Listed = z.object({
  timestamp: Timestamp,
  source: Source,
  count: z.int().min(0),
  signals: z.array(z.object({ coin: z.enum(COINS), ...CoinSignal.shape })),
})
const Signals = z.union([Keyed, Listed])

export const signals = defineEndpoint({
  id: 'signal.all',
  method: 'GET',
  path: '/signals',
  aliases: ['/signal', '/trading-signals', '/x402/trading-signals'],
  access: paid(PRICE),
  summary: 'Five-minute direction signals for BTC, ETH, SOL and XRP',
  description:
    'For the five-minute window that is open now: direction, calibrated probability, regime and indicators, as they stand at timestamp. record is our commitment to what we said before the window opened: revealed after the close, scored in the track record, and perhaps another value than now. An indicator that is unknown is null, and unknown_indicators says why. coins narrows, format=list gives an array. Never older than ten seconds; a coin without a signal is 503 and not charged.',
  brings:
    'Up or down for the five minutes that run now: how likely at this moment, and why. What we said before they began is shown after they end.',
  params: z.object({
    coins: Coins,
    format: Format.default('keyed').describe(FORMAT_ABOUT),
  }),
  sample: { coins: 'btc' },
  title: ({ coins }) => `Five-minute signals for ${listCoins(coins ?? COINS)}`,
  response: Signals,
  tool: 'get_signal',
  freshForMs: SIGNAL_FRESH_MS,
  changes: (services: SignalServices, { coins }) => signalChanges(services, coins ?? COINS),
  handle: (services: SignalServices, { coins, format }) =>
    onceOpen(services, coins ?? COINS, () => toSignals(services, coins ?? COINS, format)),
})

/** A product of its own, because its default shape is another. */
export const btcSignal = defineEndpoint({
  id: 'signal.btc',
  method: 'GET',
  path: '/signal/btc',
  aliases: ['/signal/btc-5min'],
  access: paid(PRICE),
  summary: 'Five-minute direction signal for BTC',
  description:
    'The BTC signal alone, as a list of one: direction, calibrated probability, regime and indicators, as they stand at timestamp. record is our commitment to what we said before the window opened: revealed after the close, scored in the track record, and perhaps another value than now. An indicator that is unknown is null, and unknown_indicators says why. format=keyed gives the shape of the signals of all coins. Never older than ten seconds, else 503 and not charged.',
  title: () => 'Five-minute signal for BTC',
  brings:
    'Up or down for BTC in the five minutes that run now: how likely at this moment, and why. What we said before they began is shown after they end.',
  params: z.object({ format: Format.default('list').describe(FORMAT_ABOUT) }),
  sample: {},
  response: Signals,
  freshForMs: SIGNAL_FRESH_MS,
  changes: (services: SignalServices) => signalChanges(services, ['BTC']),
  handle: (services: SignalServices, { format }) =>
    onceOpen(services, ['BTC'], () => toSignals(services, ['BTC'], format)),
})

function toSignals(
  services: SignalServices,
  coins: readonly Coin[],
  format: z.infer<typeof Format>,
): z.input<typeof Signals> {
  const found = coins.map((coin) => signalOf(services, coin))
  const entries = found.map((signal) => ({
    coin: signal.coin,
    shown: {
      ...toSignalCore(services, signal),
      indicators: toIndicatorValues(signal.indicators),
      unknown_indicators: toUnknownIndicators(signal),
    },
  }))
  const timestamp = oldestOf(found.map(({ asOfMs }) => asOfMs))
  const source = services.sourceOf(SIGNAL_SOURCE)
  if (format === 'list') {
    const listed = entries.map(({ coin, shown }) => ({ coin, ...shown }))
    return { timestamp, source, count: listed.length, signals: listed }
  }
  const keyed = Object.fromEntries(entries.map(({ coin, shown }) => [coin, shown]))
  return { timestamp, source, signals: keyed, ...toBotFigures(services) }
}
