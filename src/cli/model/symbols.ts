import { COINS } from '../../core/coin.ts'

/** What Binance calls the pairs that recorded files are about. */
export const SYMBOLS: readonly string[] = COINS.map((coin) => `${coin}USDT`)
