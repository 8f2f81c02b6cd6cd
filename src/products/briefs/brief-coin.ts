import { z } from 'zod'
import { CoinSnapshot } from '../signals/market-snapshot.ts'

const { coin, price_usd, momentum, ...rest } = CoinSnapshot.shape

/** As `/market-snapshot` sells it. In a bundle `momentum` is a part of the mood, so the change has its own name. */
export const BriefCoin = z.object({ coin, price_usd, change_5m_percent: momentum, ...rest })

export function toBriefCoin({
  coin: name,
  price_usd: price,
  momentum: change_5m_percent,
  ...others
}: z.input<typeof CoinSnapshot>): z.input<typeof BriefCoin> {
  return { coin: name, price_usd: price, change_5m_percent, ...others }
}
