export type Sent = ReturnType<typeof JSON.parse> // by a stranger: nothing is known about it until it is checked

export const isMode = (mode: Sent) => typeof mode === 'string' && Object.hasOwn(MODES, mode)
/** Of a reply, its nesting, a record and what is said against it: more than there ever is of an honest one. */
export const [MOST_BYTES, MOST_DEPTH, MOST_PAGES, MOST_UNTRUE] = [32 * 2 ** 20, 16, 20_000, 1_000]
export const MODES: Record<string, string> = {
  sandbox: 'the SANDBOX: simulated windows',
  paper: 'PAPER mode: real prices, play money',
  live: 'LIVE mode: real prices, real money',
}
/** Whatever a stranger sent, as it may be printed: on one line, without codes for the terminal, and not endless. */
export function shown(sent: unknown, most = 100): string {
  const text = typeof sent === 'string' ? sent : (JSON.stringify(sent) ?? 'undefined')
  return text.slice(0, most).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD') + (text.length > most ? '…' : '')
}
/** NaN where it is not written as in 2026-01-05T12:00:00.000Z. */
export const timeOf = (sent: unknown) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(sent)) ? Date.parse(String(sent)) : Number.NaN

export const isObject = (value: Sent): boolean => typeof value === 'object' && value !== null
export const namesOf = (...objects: Sent[]) => [
  ...new Set(objects.flatMap((each) => Object.keys(each ?? {}))),
]

export type Claim = (isTrue: boolean, untrue: string) => void

/** JSON has no infinite numbers, but 1e999 is read as one. */
export function isPlain(value: Sent, depth = MOST_DEPTH): boolean {
  if (!isObject(value)) return typeof value !== 'number' || Number.isFinite(value)
  return depth > 0 && Object.values(value).every((part) => isPlain(part, depth - 1))
}
export function parseJson(text: string): Sent {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The rules of the record. */
export const [COINS, WINDOW_S, TAKE_BACK_S, REVEAL_WITHIN_S, STALE_S] = [
  ['BTC', 'ETH', 'SOL', 'XRP'],
  300,
  30,
  15 * 300,
  900,
]
