import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCandles } from '../../backtest/candle-file.ts'
import type { Coin } from '../../core/coin.ts'
import { COINS } from '../../core/coin.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import type { SampleAt } from '../../signals/samples/minute-sample.ts'

/** One contiguous stretch of minutes of one coin. */
export type Stretch = {
  coin: Coin
  file: string
  candles: readonly ClosedCandle[]
  /** What was seen besides, where the service itself recorded it. */
  sampleAt?: SampleAt
}
export type History = { stretches: readonly Stretch[]; sha256: string }

/** `BTCUSDT_1m_….csv` or `.csv.gz`: the name says the coin. */
const NAME = /^([A-Z]+)USDT?_1m_.*\.csv(\.gz)?$/

/** The candle files of a folder, in order. */
export const historyNames = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()

/** Every candle file in a folder, in order of their names. */
export async function readHistory(
  folder: string,
  onFile: (done: number, all: number) => void,
): Promise<History> {
  const names = historyNames(folder)
  if (names.length === 0) throw new Error(`${folder} holds no files such as BTCUSDT_1m_2024.csv.gz`)
  const stretches: Stretch[] = []
  const digest = createHash('sha256')
  for (const [index, file] of names.entries()) {
    const path = join(folder, file)
    stretches.push({ coin: coinOf(file), file, candles: await readCandles(path) })
    digest.update(`${file} ${createHash('sha256').update(readFileSync(path)).digest('hex')}\n`)
    onFile(index + 1, names.length)
  }
  return { stretches, sha256: digest.digest('hex') }
}

function coinOf(file: string): Coin {
  const name = NAME.exec(file)?.[1]
  const coin = COINS.find((each) => each === name)
  if (!coin) throw new Error(`${file}: not one of ${COINS.join(', ')}`)
  return coin
}
