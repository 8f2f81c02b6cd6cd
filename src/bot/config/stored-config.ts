import { z } from 'zod'
import { toDecimal, type Usd, usd } from '../../core/money.ts'
import { CONFIG_BOUNDS, STRATEGIES, type TradingConfig } from '../trading-config.ts'

const { confidence, sizeUsd, maxTradesPerDay, maxConsecutiveLosses, dailyLossLimitUsd } = CONFIG_BOUNDS

const within = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max)
const amount = ({ min, max }: { min: Usd; max: Usd }) =>
  z.custom<Usd>(
    (value) => typeof value === 'bigint' && value >= min && value <= max,
    `must be ${toDecimal(min)} to ${toDecimal(max)} dollars`,
  )

/** The whole configuration, however it came about. */
const Checked = z.strictObject({
  simMode: z.boolean(),
  enabled: z.boolean(),
  strategy: z.enum(STRATEGIES),
  contrarian: z.strictObject({ enabled: z.boolean(), maxConfidence: within(confidence) }),
  minConfidence: within(confidence),
  sizeUsd: amount(sizeUsd),
  maxTradesPerDay: within(maxTradesPerDay).int(),
  maxConsecutiveLosses: within(maxConsecutiveLosses).int(),
  dailyLossLimitUsd: amount(dailyLossLimitUsd),
})

/** What is wrong with a configuration, one sentence for each field; empty: nothing. */
export function faultsOf(config: TradingConfig): readonly string[] {
  const parsed = Checked.safeParse(config)
  return parsed.success ? [] : faultTexts(parsed.error)
}

/** As it is kept: JSON, dollars as text. */
export const toConfigText = (config: TradingConfig): string =>
  JSON.stringify({
    ...config,
    sizeUsd: toDecimal(config.sizeUsd),
    dailyLossLimitUsd: toDecimal(config.dailyLossLimitUsd),
  })

const Dollars = z.object({ sizeUsd: z.string(), dailyLossLimitUsd: z.string() })

/** Throws where it is not a configuration that could have been set. */
export function parseConfigText(text: string): TradingConfig {
  const json: unknown = JSON.parse(text)
  const dollars = Dollars.parse(json)
  const amounts = { sizeUsd: usd(dollars.sizeUsd), dailyLossLimitUsd: usd(dollars.dailyLossLimitUsd) }
  return Checked.parse({ ...(json as object), ...amounts })
}

const faultTexts = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.') || 'the configuration'}: ${message}`)
