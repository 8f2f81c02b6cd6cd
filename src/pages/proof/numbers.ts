import type { Estimate } from '../../record/scores/comparison.ts'
import { dateAndMinuteOf } from '../assets/formats.js'

const MINUS = '−'

export const score = (value: number): string => value.toFixed(4)

export function signed(value: number): string {
  const text = Math.abs(value).toFixed(4)
  if (Number(text) === 0) return text
  return `${value < 0 ? MINUS : '+'}${text}`
}

/** Empty where there are too few windows for an interval. */
export function interval({ low, high }: Estimate, show: (value: number) => string): string {
  return low === null || high === null ? '' : `${show(low)} to ${show(high)}`
}

/** As in 2026-01-05 12:00, UTC. */
export const windowTime = (epochS: number): string => dateAndMinuteOf(new Date(epochS * 1000).toISOString())
