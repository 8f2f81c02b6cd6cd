import type { Mode } from '../config/variables/variable.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import type { RecordBook } from '../ledger/ports/record-book.ts'
import { createAnchoring } from './anchor/anchoring.ts'
import { createRecordLog } from './log/record-log.ts'
import type { HeadKey } from './log/signed-head.ts'
import type { Anchor, OracleAt, Predict } from './ports.ts'
import { createRecordReader, type RecordReader } from './record-reader.ts'
import { createReveals } from './windows/reveals.ts'
import type { Random } from './windows/sealed-prediction.ts'
import { createTurnLoop } from './windows/turn-loop.ts'
import { createWindows } from './windows/windows.ts'

export type RecordKeeperInput = {
  clock: Clock
  log: Log
  book: RecordBook
  key: HeadKey
  /** Stated in every head: simulated windows never pass for real ones. */
  mode: Mode
  predict: Predict
  oracle: OracleAt
  /** Undefined where there is no chain to anchor on. */
  anchor: Anchor | undefined
  random: Random
}
export type RecordKeeper = {
  reader: RecordReader
  /**
   * Loads the record, enters the windows missed while stopped, then runs by itself. Rejects where the ledger's record
   * differs from what was signed, was signed with another key or is of another mode.
   */
  start(): Promise<void>
  /** Resolves when nothing is in progress. */
  idle(): Promise<void>
  stop(): Promise<void>
}

const ORACLE_POLL_MS = 500
const STORE_RETRY_MS = 500
/** The longest wait, because the system's clock may jump. */
const LOOK_EVERY_MS = 30_000

/**
 * Keeps the public record in turns, each starting from what the ledger holds. After a crash between any two steps the
 * next turn finds what is missing, and enters a missed window or an unknown outcome where nothing better is true.
 */
export function createRecordKeeper(input: RecordKeeperInput): RecordKeeper {
  const { clock, log, book } = input
  const record = createRecordLog(input)
  const reader = createRecordReader({ clock, book, record, keyId: input.key.id })
  const anchoring = createAnchoring({ ...input, record })
  const windows = createWindows({ ...input, record, publish: reader.publish })
  const reveals = createReveals({ ...input, record })

  const turn = async (): Promise<number> => {
    try {
      if (record.isBehind) await record.catchUp()
      const isWaiting = await reveals.revealClosed()
      await windows.enterMissed()
      await windows.takeBackLate()
      await windows.commitNext()
      anchoring.look()
      const untilNextMs = Math.min(windows.nextDueMs(), reveals.nextDueMs()) - clock.now()
      return isWaiting ? ORACLE_POLL_MS : Math.max(0, Math.min(untilNextMs, LOOK_EVERY_MS))
    } catch (err) {
      log.warn({ err }, 'the record waits for the ledger')
      windows.noteOutage()
      return STORE_RETRY_MS
    }
  }
  const loop = createTurnLoop(clock, turn)
  return {
    reader,
    async start() {
      await record.catchUp()
      await reader.recall()
      windows.begin()
      reveals.begin()
      await loop.start()
    },
    async idle() {
      await loop.idle()
      await anchoring.idle()
    },
    stop: loop.stop,
  }
}
