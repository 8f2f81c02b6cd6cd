import type { Endpoint } from '../catalog/catalog.ts'
import { defineRedirect } from '../catalog/document.ts'
import { fillPath } from '../catalog/path.ts'
import { btcPrice } from './btc-price.ts'
import { btcResolve } from './btc-resolve.ts'
import { health } from './health.ts'
import { marketSnapshot } from './market-snapshot.ts'
import { price } from './price.ts'
import { receipts } from './receipts.ts'
import { record } from './record.ts'
import { recordCalibration } from './record-calibration.ts'
import { recordEntry } from './record-entry.ts'
import { recordProof } from './record-proof.ts'
import { realtimeSignal } from './signal-realtime.ts'
import { btcSignal, signals } from './signals.ts'
import { status } from './status.ts'
import { verifyTx } from './verify-tx.ts'
import { x402Analytics } from './x402-analytics.ts'
import { x402Stats } from './x402-stats.ts'
import { x402Status } from './x402-status.ts'

const priceRedirect = defineRedirect({
  id: 'market.price_redirect',
  path: '/price',
  tag: 'market',
  summary: 'Redirects to the BTC price',
  description: 'A shorthand that answers 307 to the price of BTC; the price itself is what is paid for.',
  to: fillPath(price.path, price.sample) as `/${string}`,
})

/** What is sold and given away, in the order documents list it. */
export const products: readonly Endpoint[] = [
  price,
  priceRedirect,
  btcPrice,
  btcResolve,
  signals,
  btcSignal,
  realtimeSignal,
  marketSnapshot,
  record,
  recordEntry,
  recordProof,
  recordCalibration,
  x402Status,
  x402Stats,
  x402Analytics,
  receipts,
  verifyTx,
  health,
  status,
]
