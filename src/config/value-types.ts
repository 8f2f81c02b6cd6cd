import { isIP } from 'node:net'
import { z } from 'zod'

/** Environment values are text: digits only, no `1e3`, no `0x10`, no blanks. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
}

/** 0 asks the system for a free port. */
export const port = wholeNumber(0, 65_535)

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

export const httpUrlList = commaList.refine(
  (urls) => urls.every(isHttpUrl),
  'must be http(s) addresses, comma-separated',
)

export const cidrList = commaList.refine(
  (cidrs) => cidrs.every(isCidr),
  'must be CIDRs like 10.0.0.0/8, comma-separated',
)

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
