import type { Usd } from '../core/money.ts'
import { usd } from '../core/money.ts'

export const STRATEGIES = ['fused', 'momentum', 'mean_reversion'] as const
export type Strategy = (typeof STRATEGIES)[number]

/** What the operator may change while the bot runs. */
export type TradingConfig = {
  /** True: orders go to the paper broker. */
  simMode: boolean
  enabled: boolean
  strategy: Strategy
  /** Where our confidence is at most `maxConfidence`, the other side is bought, if it is cheap enough. */
  contrarian: { enabled: boolean; maxConfidence: number }
  minConfidence: number
  sizeUsd: Usd
  maxTradesPerDay: number
  maxConsecutiveLosses: number
  dailyLossLimitUsd: Usd
}

export type VersionedConfig = { version: number; atMs: number; by: string; config: TradingConfig }

/** Bounds of every field; the operator's API refuses what is outside. */
export const CONFIG_BOUNDS = {
  confidence: { min: 0.5, max: 1 },
  sizeUsd: { min: usd('1'), max: usd('5') },
  /** Four coins have 1,152 windows a day. */
  maxTradesPerDay: { min: 0, max: 1_152 },
  maxConsecutiveLosses: { min: 1, max: 100 },
  dailyLossLimitUsd: { min: usd('0'), max: usd('1000') },
} as const

export const DEFAULT_CONFIG: TradingConfig = {
  simMode: true,
  enabled: true,
  strategy: 'fused',
  contrarian: { enabled: false, maxConfidence: 0.52 },
  minConfidence: 0.55,
  sizeUsd: usd('5'),
  maxTradesPerDay: 100,
  maxConsecutiveLosses: 8,
  dailyLossLimitUsd: usd('25'),
}

/** Why a bot that is not enabled buys nothing, for the operator and for everybody. */
export const PAUSED_WORDS = 'the operator has paused it'
