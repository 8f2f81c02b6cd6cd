import type { Coin } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { WINDOW_MIN } from '../../../core/time/window.ts'

export const COIN_NAMES: Readonly<Record<Coin, string>> = {
  BTC: 'Bitcoin',
  ETH: 'Ethereum',
  SOL: 'Solana',
  XRP: 'XRP',
}

const NEW_YORK = { timeZone: 'America/New_York' } as const
const day = new Intl.DateTimeFormat('en-US', { ...NEW_YORK, month: 'long', day: 'numeric' })
const time = new Intl.DateTimeFormat('en-US', { ...NEW_YORK, hour: 'numeric', minute: '2-digit' })

/** `Bitcoin Up or Down - September 28, 1:45PM-1:50PM ET`, in New York's time, summer time included. */
export function windowQuestion(coin: Coin, windowStartS: number): string {
  const startMs = windowStartS * 1000
  // Newer locale data put a narrow no-break space before AM and PM.
  const clock = (ms: number) => time.format(ms).replace(/\s/g, '')
  return `${COIN_NAMES[coin]} Up or Down - ${day.format(startMs)}, ${clock(startMs)}-${clock(startMs + WINDOW_MIN * MINUTE_MS)} ET`
}
