import { defineRedirect } from '../../catalog/endpoints/document.ts'
import type { Group } from '../../catalog/group.ts'
import { fillPath } from '../../catalog/path.ts'
import { btcPrice } from './btc-price.ts'
import { btcResolve } from './btc-resolve.ts'
import { price } from './price.ts'
import type { MarketServices } from './services.ts'

const priceRedirect = defineRedirect({
  id: 'market.price_redirect',
  path: '/price',
  summary: 'Redirects to the BTC price',
  description: 'A shorthand that answers 307 to the price of BTC; the price itself is what is paid for.',
  to: fillPath(price.path, price.sample) as `/${string}`,
})

export const marketGroup: Group<MarketServices> = {
  tag: 'market',
  about: 'Prices of the coins we follow, with the time and the source of each.',
  endpoints: [price, priceRedirect, btcPrice, btcResolve],
}
