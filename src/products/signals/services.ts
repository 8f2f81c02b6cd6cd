import type { ResultsReader } from '../../bot/results/results.ts'
import type { RecordReader } from '../../record/record-reader.ts'
import type { SignalEngine } from '../../signals/live/engine.ts'
import type { MarketServices } from '../market/services.ts'

export type SignalServices = MarketServices & {
  signals: Pick<SignalEngine, 'signal' | 'missing'>
  /** Absent where no record is kept. */
  record?: Pick<RecordReader, 'entryFor' | 'whyNoEntry'> | undefined
  /** Absent where no bot has a ledger. */
  results?: ResultsReader | undefined
}
