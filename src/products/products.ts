import type { Endpoint } from '../catalog/catalog.ts'
import { defineRedirect } from '../catalog/document.ts'
import { fillPath } from '../catalog/path.ts'
import { btcPrice } from './market/btc-price.ts'
import { btcResolve } from './market/btc-resolve.ts'
import { marketSnapshot } from './market/market-snapshot.ts'
import { price } from './market/price.ts'
import { receipts } from './payments/receipts.ts'
import { verifyTx } from './payments/verify-tx.ts'
import { x402Analytics } from './payments/x402-analytics.ts'
import { x402Stats } from './payments/x402-stats.ts'
import { x402Status } from './payments/x402-status.ts'
import { recordCalibration } from './record/calibration.ts'
import { recordEntry } from './record/entry.ts'
import { recordProof } from './record/proof.ts'
import { record } from './record/record.ts'
import { health } from './service/health.ts'
import { status } from './service/status.ts'
import { realtimeSignal } from './signals/realtime.ts'
import { btcSignal, signals } from './signals/signals.ts'

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
