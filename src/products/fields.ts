import { z } from 'zod'
import { WINDOW_S } from '../core/time/window.ts'

/** Where the data comes from; simulated data says `sandbox` first. */
export const Source = z
  .string()
  .min(1)
  .describe('Where the data comes from; simulated data starts with sandbox')
export const Timestamp = z.iso.datetime().describe("The data's own time, not the reply's")
export const PriceKind = z
  .enum(['twap_60s', 'spot'])
  .describe('twap_60s: 60-second time-weighted average, the price that five-minute markets resolve on')

/** An epoch second at which one window closes and the next one opens. */
export const WindowEdge = z.int().min(0).multipleOf(WINDOW_S, `must be a multiple of ${WINDOW_S}`)
/** Of an entry in the public record: its coin and the second its window opens. */
export const RecordId = z.string().regex(/^[A-Z]+-\d+$/)
/** A sentence of ours that is always the same, or has nothing in it but numbers and names of ours. */
export const Note = z.string().min(1).max(500)
/** A path of this service. */
export const OwnPath = z.string().startsWith('/')
export const EvmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

export const isoTime = (ms: number): string => new Date(ms).toISOString()
