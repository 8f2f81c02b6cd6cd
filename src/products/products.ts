import type { Endpoint } from '../catalog/catalog.ts'
import { defineRedirect } from '../catalog/document.ts'
import { fillPath } from '../catalog/path.ts'
import { btcPrice } from './btc-price.ts'
import { btcResolve } from './btc-resolve.ts'
import { health } from './health.ts'
import { price } from './price.ts'
import { status } from './status.ts'

const priceRedirect = defineRedirect({
  id: 'market.price_redirect',
  path: '/price',
  tag: 'market',
  summary: 'Redirects to the BTC price',
  description: 'A shorthand that answers 307 to the price of BTC; the price itself is what is paid for.',
  to: fillPath(price.path, price.sample) as `/${string}`,
})

/** What is sold and given away, in the order documents list it. */
export const products: readonly Endpoint[] = [price, priceRedirect, btcPrice, btcResolve, health, status]
