import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/canonical-json.ts'
import { isWindowStart } from '../../core/time/window.ts'
import type { Prediction } from '../../signals/signal.ts'
import type { PublicPrediction } from '../log/leaf.ts'

/** What opens a commitment; private until it is revealed. */
export type SealedPrediction = { prediction: PublicPrediction; salt: string }
export type Random = (bytes: number) => Uint8Array

const SALT_BYTES = 32

/** Throws on a prediction that could not be scored later. */
export function sealPrediction(prediction: Prediction, random: Random): SealedPrediction {
  checkScorable(prediction)
  const { coin, windowStartS, asOfMs, probabilityUp, direction, confidence, abstain, regime, model } =
    prediction
  const salt = Buffer.from(random(SALT_BYTES)).toString('hex')
  const shown: PublicPrediction = {
    coin,
    window_start: windowStartS,
    as_of: new Date(asOfMs).toISOString(),
    probability_up: probabilityUp,
    direction,
    confidence,
    abstain,
    regime,
    model,
  }
  return { prediction: shown, salt }
}

/** SHA-256 of the canonical JSON of prediction and salt together. */
export function commitmentOf({ prediction, salt }: SealedPrediction): string {
  return createHash('sha256').update(canonicalJson({ prediction, salt })).digest('hex')
}

/** Trusted: our own text, from the ledger. */
export const readSealed = (text: string): SealedPrediction => JSON.parse(text) as SealedPrediction

function checkScorable({ windowStartS, asOfMs, probabilityUp, direction, confidence }: Prediction): void {
  const isProbability = probabilityUp >= 0 && probabilityUp <= 1
  const isVerdict = direction === (probabilityUp >= 0.5 ? 'UP' : 'DOWN') && Number.isFinite(confidence)
  const isBefore = isWindowStart(windowStartS) && asOfMs < windowStartS * 1000
  if (!isProbability || !isVerdict || !isBefore) throw new Error('the prediction cannot be scored')
}
