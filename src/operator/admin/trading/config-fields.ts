import { z } from 'zod'
import type { ConfigChange } from '../../../bot/bot.ts'
import { CONFIG_BOUNDS, STRATEGIES, type VersionedConfig } from '../../../bot/trading-config.ts'
import { toUsdNumber, type Usd } from '../../../core/money.ts'
import { isoTime } from '../../../products/fields.ts'
import { centsToE6, SizeUsd, wholeCents } from '../../orders/order-params.ts'

const { confidence, maxTradesPerDay, maxConsecutiveLosses, dailyLossLimitUsd } = CONFIG_BOUNDS
const Confidence = z.number().min(confidence.min).max(confidence.max)

/** Far above any number of changes. */
const VERSION_MAX = 1_000_000_000
const Version = z.int().min(0).max(VERSION_MAX)

const contrarian = {
  enabled: z.boolean().describe('Whether it is switched on'),
  max_confidence: Confidence.describe('Where our confidence is at most this, the other side is bought'),
}
const fields = {
  sim_mode: z.boolean().describe('True: orders go to the paper broker, with simulated money'),
  enabled: z.boolean().describe('False: the bot places no orders by itself'),
  strategy: z.enum(STRATEGIES).describe('How the bot chooses a side'),
  min_confidence: Confidence.describe('Below this confidence the bot buys nothing'),
  size_usd: SizeUsd.describe('Most that one order of the bot spends'),
  max_trades_per_day: z
    .int()
    .min(maxTradesPerDay.min)
    .max(maxTradesPerDay.max)
    .describe('Most trades of a UTC day'),
  max_consecutive_losses: z
    .int()
    .min(maxConsecutiveLosses.min)
    .max(maxConsecutiveLosses.max)
    .describe('So many losses in a row open the breaker'),
  daily_loss_limit_usd: wholeCents(
    toUsdNumber(dailyLossLimitUsd.min),
    toUsdNumber(dailyLossLimitUsd.max),
  ).describe('Most that a UTC day may lose, in dollars'),
}

export const TradingConfigFields = z.object({
  ...fields,
  contrarian: z.object(contrarian).describe('Buying against weak signals'),
})

/** Whatever is left out stays as it is. */
export const TradingConfigChange = z
  .strictObject({
    ...fields,
    contrarian: z.strictObject(contrarian).partial().describe('Buying against weak signals'),
    version: Version.describe(
      'The version that the change was made of. 409, and nothing is changed, where it is not the newest; left out: whichever is the newest',
    ),
  })
  .partial()
  .refine(
    ({ version: _, ...change }) => Object.values(change).some((value) => value !== undefined),
    'must name a field to change',
  )

export const ConfigVersion = z.object({
  version: Version.describe('0: the defaults, never changed'),
  changed_at: z.iso.datetime(),
  by: z.string().min(1),
  config: TradingConfigFields,
})

export const toConfigVersion = ({
  version,
  atMs,
  by,
  config,
}: VersionedConfig): z.input<typeof ConfigVersion> => ({
  version,
  changed_at: isoTime(atMs),
  by,
  config: {
    sim_mode: config.simMode,
    enabled: config.enabled,
    strategy: config.strategy,
    contrarian: {
      enabled: config.contrarian.enabled,
      max_confidence: config.contrarian.maxConfidence,
    },
    min_confidence: config.minConfidence,
    size_usd: toUsdNumber(config.sizeUsd),
    max_trades_per_day: config.maxTradesPerDay,
    max_consecutive_losses: config.maxConsecutiveLosses,
    daily_loss_limit_usd: toUsdNumber(config.dailyLossLimitUsd),
  },
})

/** Only what was given: an undefined field must not overwrite one that is set. */
export function toConfigChange(change: z.output<typeof TradingConfigChange>): ConfigChange {
  const { contrarian } = change
  return dropUndefined({
    simMode: change.sim_mode,
    enabled: change.enabled,
    strategy: change.strategy,
    contrarian:
      contrarian && dropUndefined({ enabled: contrarian.enabled, maxConfidence: contrarian.max_confidence }),
    minConfidence: change.min_confidence,
    sizeUsd: toUsd(change.size_usd),
    maxTradesPerDay: change.max_trades_per_day,
    maxConsecutiveLosses: change.max_consecutive_losses,
    dailyLossLimitUsd: toUsd(change.daily_loss_limit_usd),
  })
}

const toUsd = (amount: number | undefined): Usd | undefined =>
  amount === undefined ? undefined : (centsToE6(amount) as Usd)

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
const dropUndefined = <T extends object>(given: T): Defined<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>
