import { canonicalJson } from '../../core/canonical-json.ts'
import { COINS, type Coin } from '../../core/coin.ts'
import type { Log } from '../../core/log.ts'
import type { RecordSecret } from '../../ledger/ports/record-book.ts'
import { type CommitLeaf, entryOf, type MissedLeaf, type MissedReason } from '../log/leaf.ts'
import type { Predict } from '../ports.ts'
import { commitmentOf, type Random, type SealedPrediction, sealPrediction } from './sealed-prediction.ts'

type Ports = { predict: Predict; random: Random; log: Log }
export type WindowEntry = { leaves: (CommitLeaf | MissedLeaf)[]; keep: RecordSecret[] }

/** The leaves of one window, one per coin; a coin without a prediction is entered as missed. */
export function enterWindow(ports: Ports, windowStartS: number, atMs: number): WindowEntry {
  const entry: WindowEntry = { leaves: [], keep: [] }
  for (const coin of COINS) {
    const sealed = seal(ports, coin, windowStartS)
    if (typeof sealed === 'string') {
      entry.leaves.push(missedLeaf(coin, windowStartS, atMs, sealed))
      continue
    }
    const leaf = entryOf(coin, windowStartS)
    const committed_at = new Date(atMs).toISOString()
    entry.leaves.push({ ...leaf, kind: 'commit', committed_at, commitment: commitmentOf(sealed) })
    entry.keep.push({ id: leaf.id, text: canonicalJson(sealed) })
  }
  return entry
}

/** For a window that can no longer be committed to. */
export function missWindow(windowStartS: number, atMs: number, reason: MissedReason): MissedLeaf[] {
  return COINS.map((coin) => missedLeaf(coin, windowStartS, atMs, reason))
}

export function missedLeaf(coin: Coin, windowStartS: number, atMs: number, reason: MissedReason): MissedLeaf {
  return { ...entryOf(coin, windowStartS), kind: 'missed', missed_at: new Date(atMs).toISOString(), reason }
}

/** A model that throws must not keep the other coins from being entered. */
function seal(
  { predict, random, log }: Ports,
  coin: Coin,
  windowStartS: number,
): SealedPrediction | MissedReason {
  try {
    const prediction = predict(coin, windowStartS)
    if (!prediction) return 'no_prediction'
    if (prediction.coin !== coin || prediction.windowStartS !== windowStartS)
      throw new Error('the prediction is for another coin or window')
    return sealPrediction(prediction, random)
  } catch (err) {
    log.error({ err, coin, windowStartS }, 'no prediction for the record')
    return 'bad_prediction'
  }
}
