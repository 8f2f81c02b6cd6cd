import { z } from 'zod'

/** Where the data comes from; simulated data says `sandbox` first. */
export const Source = z
  .string()
  .min(1)
  .describe('Where the data comes from; simulated data starts with sandbox')
export const Timestamp = z.iso.datetime().describe("The data's own time, not the reply's")
export const PriceKind = z
  .enum(['twap_60s', 'spot'])
  .describe('twap_60s: 60-second time-weighted average, the price that five-minute markets resolve on')

export const isoTime = (ms: number): string => new Date(ms).toISOString()
export const sampleTime = '2026-01-05T12:00:00.000Z'
