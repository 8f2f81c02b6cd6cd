import { z } from 'zod'
import { fault } from './number.ts'

/** 2015-01-01 and 2100-01-01. In seconds and in milliseconds these ranges do not meet, so a number says which it is. */
const EARLIEST_MS = 1_420_070_400_000
const LATEST_MS = 4_102_444_800_000

/** `2026-09-28T17:50:54.123456Z`, `2026-09-28 17:50:54+00`, `2026-09-28`. */
const CALENDAR =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d)(?::?(\d\d))?))?$/
const EPOCH = /^\d{1,15}$/
/** The zero time of Go's library; 0 and "0" are written for "never", too. */
const NEVER: ReadonlySet<unknown> = new Set([undefined, null, '', 0, '0', '0001-01-01T00:00:00Z'])

/** A time that has to be there: a calendar time with zone, a date, or epoch seconds or milliseconds. In ms. */
export const wireTime = () =>
  z
    .unknown()
    .optional()
    .transform((value, { issues }) => {
      const ms = findTimeMs(value)
      if (ms !== undefined) return ms
      issues.push(fault(value, 'a time from 2015 to 2099'))
      return z.NEVER
    })

/** Undefined where the provider does not say, or writes its zero. */
export const maybeTime = () =>
  z
    .unknown()
    .optional()
    .transform((value, { issues }) => {
      if (NEVER.has(value)) return undefined
      const ms = findTimeMs(value)
      if (ms !== undefined) return ms
      issues.push(fault(value, 'a time from 2015 to 2099 or nothing'))
      return z.NEVER
    })

/** In whole milliseconds, finer parts cut off. */
export function findTimeMs(value: unknown): number | undefined {
  const ms = typeof value === 'string' && !EPOCH.test(value) ? findCalendarMs(value) : findEpochMs(value)
  return ms !== undefined && ms >= EARLIEST_MS && ms < LATEST_MS ? ms : undefined
}

function findEpochMs(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined
  return number < EARLIEST_MS ? number * 1000 : number
}

function findCalendarMs(text: string): number | undefined {
  const parts = CALENDAR.exec(text)
  if (!parts) return undefined
  const [
    ,
    year,
    month,
    day,
    hour = 0,
    minute = 0,
    second = 0,
    fraction = '',
    sign,
    zoneHour,
    zoneMinute = 0,
  ] = parts
  const ms = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  // 30 February and 25 o'clock would be carried over into another day.
  if (
    !new Date(ms)
      .toISOString()
      .startsWith(`${year}-${month}-${day}T${pad(hour)}:${pad(minute)}:${pad(second)}`)
  )
    return undefined
  const zoneMs = sign ? (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000 * (sign === '+' ? 1 : -1) : 0
  return ms + Number(fraction.slice(0, 3).padEnd(3, '0')) - zoneMs
}

const pad = (part: string | number) => String(part).padStart(2, '0')
